"""Standardised values forget units, survive extremes, and can always be undone."""

import json

import numpy as np
import pytest

from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp


def heavy_tailed(seed: int = 0) -> np.ndarray:
    return -np.exp(2.0 * np.random.default_rng(seed).standard_normal(60))


def test_values_get_mean_zero_and_deviation_one_and_come_back():
    y = np.random.default_rng(0).normal(7, 3, 50)
    s = Standardisation.of(y)
    z = s.apply(y)
    assert abs(z.mean()) < 1e-12
    assert z.std() == pytest.approx(1.0)
    assert np.allclose(s.undo(z), y)
    assert s.undo_prediction(0.5, 0.1) == pytest.approx((s.shift + 0.5 * s.scale, 0.1 * s.scale))
    assert np.allclose(s.apply_variance(y, np.full(50, 4.0)), 4.0 / s.scale**2)


@pytest.mark.parametrize("warped", [False, True])
@pytest.mark.parametrize("variance", [1e30, 1e300, np.finfo(float).max])
def test_a_variance_that_hides_a_value_is_bounded_however_small_the_values(variance, warped):
    y = heavy_tailed() * 1e-150
    s = Standardisation.of(y, warped)
    assert (s.apply_variance(y, np.full(60, variance)) == 1e12).all()


@pytest.mark.parametrize("factor", [1e-305, 1e-307, 1e-308, 3e-323])
@pytest.mark.parametrize("warped", [False, True])
def test_values_too_small_for_a_slope_are_seen_in_the_smallest_unit_that_has_one(factor, warped):
    y = heavy_tailed() * factor
    s = Standardisation.of(y, warped)
    assert np.isfinite(s.log_slopes(y)).all()
    assert np.abs(s.apply(y)).max() < 10
    assert np.isfinite(s.undo_prediction(0.5, 0.1)).all()
    assert np.isfinite(s.units_at(0.5))


@pytest.mark.parametrize("factor", [1e-12, 1e12, 1e-300, 1e300])
@pytest.mark.parametrize("warped", [False, True])
def test_units_do_not_matter(factor, warped):
    y = heavy_tailed() / 1e4
    one, other = Standardisation.of(y, warped), Standardisation.of(y * factor, warped)
    assert np.allclose(one.apply(y), other.apply(y * factor), atol=1e-8)


@pytest.mark.parametrize("penalty", [-np.finfo(float).max, -1e307, 1e307, np.finfo(float).max])
@pytest.mark.parametrize("warped", [False, True])
@pytest.mark.parametrize("spread", [1e-6, 0.3, 1.0, 1e3])
def test_the_largest_number_there_is_told_for_what_broke_leaves_the_others_numbers(penalty, warped, spread):
    y = spread * np.random.default_rng(0).standard_normal(20)
    for s in (Standardisation.of(y, warped), Standardisation.of(np.append(y, penalty), warped)):
        z = s.apply(np.append(y, penalty))
        assert np.isfinite(z).all()
        assert np.isfinite(z**2).all()
        assert z[-1] == (z.max() if penalty > 0 else z.min())
        assert np.isfinite(s.log_slopes(np.append(y, penalty))).all()
    if warped:
        assert s.warp is not None
        assert len(np.unique(z.round(9))) > 10


def test_the_largest_numbers_of_either_sign_are_standardised_too():
    y = np.finfo(float).max * np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, -1.0, -1.0])
    z = Standardisation.of(y, warped=True).apply(y)
    assert abs(z.mean()) < 1e-12
    assert z.std() == pytest.approx(1.0)


@pytest.mark.parametrize("constant", [0.0, 5.0, -1e12, 1e-12])
@pytest.mark.parametrize("n", [1, 2, 30])
@pytest.mark.parametrize("warped", [False, True])
def test_constant_values_are_zero_and_come_back(constant, n, warped):
    s = Standardisation.of(np.full(n, constant), warped)
    assert np.allclose(s.apply(np.full(n, constant)), 0.0)
    assert float(s.undo(0.0)) == pytest.approx(constant)
    assert s.scale > 0


def test_a_constant_that_rounding_blurs_is_still_constant():
    y = np.full(10, 0.1) * (1 + 2e-16 * np.arange(10) % 2)
    assert np.abs(Standardisation.of(y).apply(y)).max() < 1e-12


def test_no_values_leave_the_identity_and_infinite_ones_are_refused():
    assert Standardisation.of([]) == Standardisation()
    with pytest.raises(ValueError, match="finite"):
        Standardisation.of([1.0, np.inf])


def test_a_heavy_tail_is_drawn_in_and_order_is_kept():
    y = np.sort(heavy_tailed())
    plain, warped = Standardisation.of(y), Standardisation.of(y, warped=True)
    assert warped.warp is not None
    assert np.all(np.diff(warped.apply(y)) > 0)
    assert np.abs(warped.apply(y)).max() < 0.7 * np.abs(plain.apply(y)).max()
    assert np.allclose(warped.undo(warped.apply(y)), y, rtol=1e-9)


def test_both_tails_are_drawn_in_where_both_are_heavy():
    y = np.random.default_rng(0).standard_t(1.2, 200)
    warp = Standardisation.of(y, warped=True).warp
    assert warp is not None
    assert warp.upper < 0.8
    assert warp.lower < 0.8


def test_normal_values_are_left_alone():
    kept = [
        Standardisation.of(np.random.default_rng(seed).standard_normal(40), warped=True).warp is None
        for seed in range(20)
    ]
    assert sum(kept) >= 18


def test_exponents_are_the_likeliest_and_none_where_they_are_not_worth_two_parameters():
    exponents, kept = np.linspace(0.0, 1.0, 11), 0
    for seed in range(12):
        y = np.random.default_rng(seed).standard_t(3.0, 40)
        low, centre, high = np.quantile(y, [0.25, 0.5, 0.75])

        def likelihood(a, b, y=y, centre=centre, spread=high - low):
            warp = Warp(centre, spread, a, b)
            return float(np.log(warp.slope(y)).sum() - 20.0 * np.log(np.var(warp.apply(y))))

        best = max(likelihood(a, b) for a in exponents for b in exponents)
        found, straight = Warp.fitted(y), likelihood(1.0, 1.0)
        if found is None:
            assert best - straight < np.log(40)
        else:
            kept += 1
            assert likelihood(found.upper, found.lower) >= max(best, straight + np.log(40))
    assert 3 <= kept <= 9


def test_one_ruined_experiment_does_not_hide_the_others():
    y = np.append(np.random.default_rng(0).standard_normal(30), -1e9)
    assert np.std(Standardisation.of(y).apply(y)[:30]) < 1e-6
    assert np.std(Standardisation.of(y, warped=True).apply(y)[:30]) > 0.1


def test_the_warp_is_smooth_and_onto_so_that_any_prediction_can_be_undone():
    warp = Warp(centre=2.0, spread=0.5, upper=0.0, lower=0.4)
    y = np.linspace(-30, 30, 1001)
    numeric = (warp.apply(y + 1e-6) - warp.apply(y - 1e-6)) / 2e-6
    assert np.allclose(warp.slope(y), numeric, rtol=1e-5)
    extremes = warp.undo(np.array([-1e6, -50.0, 0.0, 50.0, 1e6]))
    assert np.isfinite(extremes).all()
    assert np.all(np.diff(extremes) > 0)
    assert np.allclose(warp.apply(warp.undo(np.linspace(-20, 20, 9))), np.linspace(-20, 20, 9))


def test_a_warped_belief_is_undone_to_its_median_and_a_positive_deviation():
    s = Standardisation.of(heavy_tailed(), warped=True)
    mean, deviation = s.undo_prediction(0.3, 0.2)
    assert mean == pytest.approx(float(s.undo(0.3)))
    assert 0.0 < deviation == pytest.approx(min(float(s.undo(0.5)) - mean, mean - float(s.undo(0.1))))
    y = heavy_tailed()[:5]
    noise = s.apply_variance(y, np.full(5, 1e-6))
    assert np.allclose(np.sqrt(noise), np.abs(s.apply(y + 1e-3) - s.apply(y)), rtol=0.05)


def test_a_vague_belief_is_not_told_by_how_far_the_tail_that_was_drawn_in_goes():
    s = Standardisation(scale=0.5, warp=Warp(centre=1.0, spread=0.01, upper=1.0, lower=0.0))
    mean, deviation = s.undo_prediction(1.0, 60.0)
    assert s.undo(1.0 - 60.0) < -1e9
    assert mean + deviation == pytest.approx(float(s.undo(61.0)))


@pytest.mark.parametrize("warped", [False, True])
def test_it_survives_json_to_the_bit(warped):
    s = Standardisation.of(heavy_tailed(), warped)
    assert Standardisation.from_json(json.loads(json.dumps(s.to_json()))) == s


def test_the_logarithm_below_the_best_tells_those_near_it_apart_however_far_off_the_rest_are():
    values = -np.logspace(-2, 6, 41)
    warp = Warp.below_best(values, 0.75)
    drawn_in, plain = Standardisation.under(warp, values), Standardisation.of(values)
    best, near = values[0], values[12]
    assert drawn_in.apply(best) - drawn_in.apply(near) > 0.1
    assert plain.apply(best) - plain.apply(near) < 1e-4
    assert np.all(np.diff(drawn_in.apply(values)) < 0)
    assert np.allclose(drawn_in.undo(drawn_in.apply(values)), values)


def test_above_the_best_the_logarithm_goes_on_straight():
    values = -np.logspace(-2, 6, 41)
    better = Warp.below_best(values, 0.75).apply(np.array([0.0, 1.0, 2.0]))
    assert better[2] - better[1] == pytest.approx(better[1] - better[0])


def test_the_logarithm_counts_from_no_nearer_than_it_is_told():
    values = -np.logspace(-2, 6, 41)
    assert Warp.below_best(values, 0.75, narrowest=100.0).spread == 100.0
    assert Warp.below_best(values, 0.75, narrowest=0.1) == Warp.below_best(values, 0.75)


def test_a_logarithm_below_the_best_is_known_for_one_by_the_values_that_it_is_of_and_later_ones():
    values = np.append(-np.logspace(6, -2, 41), [np.nan, -3.0])
    assert Warp.below_best(values[:30], 0.75).counts_from_best(values)
    assert not Warp.below_best(values[:30], 0.75).counts_from_best(values[:29])
    assert not Warp.about(values[:41], 1.0, 0.0).counts_from_best(values[::-1])
    assert not Warp.below_zero(values[:41]).counts_from_best(values)


def test_there_is_no_logarithm_below_a_best_that_many_share_nor_above_values_that_coincide():
    shared = np.array([0.0, 0.5, 1.0, 1.0])
    assert Warp.below_best(np.array([]), 0.5) is None
    assert Warp.below_best(shared, 0.75) is None
    assert Warp.below_best(shared, 0.25) is not None
    assert Warp.below_best(np.array([0.0, 0.0, 0.0, 0.0, 1.0]), 0.5) is None


def test_the_logarithm_below_zero_tells_small_values_apart_however_small_the_best_one_is():
    values = -np.logspace(-2, 6, 41)
    warp = Warp.below_zero(values)
    drawn_in = Standardisation.under(warp, values)
    steps = -np.diff(drawn_in.apply(values))
    assert np.all(steps > 0.4 * steps.max()), "a tenth of a tenth is as far as a tenth"
    assert np.allclose(drawn_in.undo(drawn_in.apply(values)), values)
    assert warp.apply(np.array([2.0])) - warp.apply(np.array([1.0])) == pytest.approx(1.0 / warp.spread)
    assert Warp.below_zero(1e3 * values).apply(1e3 * values) == pytest.approx(warp.apply(values))
    assert Warp.below_zero(values, narrowest=100.0).spread == 100.0


def test_there_is_no_logarithm_below_zero_of_what_is_not_below_it():
    assert Warp.below_zero(np.array([])) is None
    assert Warp.below_zero(np.array([-3.0, 0.0])) is None
    assert Warp.below_zero(np.array([-3.0, 1.0])) is None
    assert Warp.below_zero(np.array([-3.0, -5e-324])) is None
