"""What is left to gain: against joint draws on a grid, and in what it must never do."""

import numpy as np
import pytest
from process_oracles import joint_draws
from scipy.special import ndtr
from sequential_runs import build, hill, step

from benchmarks.gains.runs import landscape
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import ForeseesGain, Gain, Noise
from orchestrator.algorithms.mixture.success_belief import SuccessBelief
from orchestrator.algorithms.remaining_gain import (
    DRAWS,
    DRAWS_TOGETHER,
    FREQUENCIES,
    Foreseen,
    Part,
    gain_in_parts,
    is_learned,
    remaining_gain,
)
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.covariances.additive import AdditiveKernel
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.covariances.kernels import Kernel
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.draws.pathwise_functions import PathwiseFunctions
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

LINE = Domain.continuous(1)
GRID = np.linspace(0.0, 1.0, 401)[:, None]
PLAIN = Standardisation()


def process(points, values, scale=0.15, noise=1e-6):
    gp = ExactGP(Kernel(MATERN_52, np.full(np.shape(points)[1], scale)), noise)
    gp.append(np.asarray(points, dtype=float), np.asarray(values, dtype=float))
    return gp


def learned(gp, X, seed):
    """The process, once it has learned values that it would expect; and the point of the highest."""
    gp.append(X, joint_draws(gp, X, 1, np.random.default_rng(seed))[0])
    return gp, X[[int(np.argmax(gp.values))]]


def bumpy(seed, n=6):
    """A posterior on a line after n values, and the point of the highest."""
    X = np.random.default_rng(seed).random((n, 1))
    return learned(ExactGP(Kernel(MATERN_52, np.array([0.15])), 1e-6), X, seed)


def on_the_grid(gp, best, standardisation=PLAIN, grid=GRID[::2], count=2000):
    """The gains of joint draws at the best point and everywhere on a grid."""
    drawn = standardisation.undo(joint_draws(gp, np.vstack([best, grid]), count, np.random.default_rng(9)))
    return np.maximum(0.0, drawn[:, 1:].max(axis=1) - drawn[:, 0])


def left_to_gain(posteriors, weights, domain, best, scale=PLAIN, seed=0, success=None):
    foreseen = Foreseen(posteriors, weights, scale, success)
    return remaining_gain(foreseen, domain, best, np.random.default_rng(seed))


def pooled(gp, best, standardisation=PLAIN, domain=LINE, calls=6, success=None):
    """The draws of some estimates."""
    found = [left_to_gain([gp], [1.0], domain, best, standardisation, seed, success) for seed in range(calls)]
    return np.concatenate(found)


def agree(drawn, exact):
    """Two samples of one distribution, as far as some hundred draws can tell."""
    error = 4 * np.std(exact) / np.sqrt(len(drawn))
    assert abs(np.mean(drawn) - np.mean(exact)) < error
    for threshold in np.quantile(exact, [0.2, 0.5, 0.8]):
        assert abs(np.mean(drawn < threshold) - np.mean(exact < threshold)) < 0.12


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_on_a_line_it_has_the_distribution_of_joint_draws_on_a_grid(seed):
    gp, best = bumpy(seed)
    agree(pooled(gp, best), on_the_grid(gp, best))


def test_in_several_parts_the_same_draw_gains_in_each_and_counts_by_their_shares():
    square, shares = Domain.continuous(2), (0.7, 0.3)
    X = np.random.default_rng(8).random((7, 2))
    gp, _ = learned(ExactGP(Kernel(MATERN_52, np.array([0.2, 1.0])), 1e-6), X, 8)
    lines = [np.column_stack([GRID[::2, 0], np.full(201, x)]) for x in (0.2, 0.6)]
    best = [line[int(np.argmax(gp.mean_at(line)))][None, :] for line in lines]
    parts = [
        Part(square.holding({1: point[0, 1]}), point, share)
        for point, share in zip(best, shares, strict=True)
    ]
    found = [gain_in_parts(Foreseen([gp], [1.0], PLAIN), parts, np.random.default_rng(i)) for i in range(3)]
    drawn = joint_draws(gp, np.vstack([*best, *lines]), 2000, np.random.default_rng(9))
    gains = [drawn[:, 2 + 201 * i : 203 + 201 * i].max(axis=1) - drawn[:, i] for i in range(2)]
    agree(np.concatenate(found), shares[0] * np.maximum(gains[0], 0) + shares[1] * np.maximum(gains[1], 0))


def test_with_noise_the_gain_is_over_the_function_and_not_over_the_value_seen():
    gp, best = bumpy(3)
    noisy = process(gp.inputs, gp.values, noise=0.3)
    agree(pooled(noisy, best), on_the_grid(noisy, best))


def test_where_values_are_warped_the_gain_is_that_of_values_unwarped():
    gp, best = bumpy(4, n=8)
    scaled = Standardisation(2.0, 3.0, Warp(centre=1.0, spread=0.5, upper=0.3, lower=0.6))
    exact = on_the_grid(gp, best, scaled)
    assert np.mean(exact) > 3.0 * 3.0 * np.mean(on_the_grid(gp, best))
    drawn = pooled(gp, best, scaled)
    for threshold in np.quantile(exact, [0.2, 0.5, 0.8]):
        assert abs(np.mean(drawn < threshold) - np.mean(exact < threshold)) < 0.12


def test_it_is_in_the_objectives_units():
    gp, best = bumpy(5)
    plain, scaled = pooled(gp, best, calls=1), pooled(gp, best, Standardisation(-7.0, 100.0), calls=1)
    np.testing.assert_allclose(scaled, 100.0 * plain, rtol=1e-9, atol=1e-9)


def test_a_scale_that_counts_from_the_best_value_says_nothing_of_what_lies_as_far_above_it():
    values = -np.logspace(3, -1, 20)
    below = Standardisation.under(Warp.below_best(values, 0.9), values)
    assert below.warp is not None
    reach = below.warp.spread
    assert not is_learned([reach, 0.0], below, values)
    assert is_learned([0.1 * reach, 0.0], below, values)
    assert is_learned([reach, 0.0], Standardisation.under(Warp.fitted(values), values), values)


def test_where_the_function_is_known_everywhere_nothing_is_left():
    X = np.linspace(0, 1, 30)[:, None]
    gp = process(X, -((X[:, 0] - 0.5) ** 2), scale=1.0)
    drawn = np.array(left_to_gain([gp], [1.0], LINE, X[[14, 2]]))
    assert len(drawn) == DRAWS
    assert min(drawn) >= 0.0
    assert np.mean(drawn) < 0.01
    assert np.mean(drawn < 0.01) > 0.9


def test_the_point_to_be_improved_on_is_that_of_the_highest_mean():
    gp, best = bumpy(6)
    several = np.vstack([gp.inputs[::-1], best])
    drawn = [
        np.mean(left_to_gain([gp], [1.0], LINE, points))
        for points in (several, best, gp.inputs[[int(np.argmin(gp.values))]])
    ]
    assert drawn[0] < 1.3 * drawn[1] < drawn[2]


def test_in_a_mixture_each_member_has_its_share_of_the_draws():
    gp, best = bumpy(7)
    sure = process(np.vstack([gp.inputs, GRID[::10]]), np.r_[gp.values, np.full(41, -5.0)], noise=1e-4)
    alone = np.array(left_to_gain([sure], [1.0], LINE, best))
    mixed = np.array(left_to_gain([gp, sure], [0.25, 0.75], LINE, best))
    alike = (mixed > np.min(alone) - 0.02) & (mixed < np.max(alone) + 0.02)
    assert 0.75 <= np.mean(alike) < 0.9
    without = left_to_gain([gp, sure], [0.0, 3.0], LINE, best)
    np.testing.assert_allclose(without, alone)


def test_discrete_coordinates_take_their_own_values_only():
    ordinal = Coordinate("ordinal", tuple(np.linspace(0, 1, 5)))
    choice = Coordinate("categorical", (0.25, 0.5, 0.75))
    domain = Domain((ordinal, choice, ordinal))
    rng = np.random.default_rng(0)
    points = np.unique(domain.sample(12, rng), axis=0)
    gp = process(domain.embed(points), rng.standard_normal(len(points)), scale=0.4)
    best = points[[int(np.argmax(gp.values))]]
    everything = np.stack(
        [axis.ravel() for axis in np.meshgrid(*(c.grid for c in domain.coordinates), indexing="ij")], axis=1
    )
    exact = on_the_grid(gp, domain.embed(best), grid=domain.embed(everything))
    agree(pooled(gp, best, domain=domain), exact)


def test_mixed_coordinates_climb_in_some_and_move_in_others():
    domain = Domain((Coordinate(), Coordinate("ordinal", (0.0, 0.5, 1.0))))
    rng = np.random.default_rng(1)
    points = domain.sample(8, rng)
    gp = process(points, rng.standard_normal(8), scale=0.3)
    best = points[[int(np.argmax(gp.values))]]
    grid = np.vstack([np.column_stack([GRID[::2, 0], np.full(201, at)]) for at in (0.0, 0.5, 1.0)])
    agree(pooled(gp, best, domain=domain), on_the_grid(gp, best, grid=grid, count=2000))


def test_a_sum_over_factors_and_random_features_can_be_asked_too():
    domain = Domain.continuous(2)
    graph = FactorGraph(((0,), (1,)), 2)
    gp = ExactGP(AdditiveKernel.over(graph, domain, MATERN_52, np.array([0.3, 0.3]), (0.5, 0.5)), 1e-6)
    rng = np.random.default_rng(2)
    X = rng.random((10, 2))
    gp, best = learned(gp, X, 2)
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*2 * [np.linspace(0, 1, 21)])], axis=1)
    agree(pooled(gp, best, domain=domain), on_the_grid(gp, best, grid=grid, count=2000))

    features = FourierFeatures(Kernel(MATERN_52, np.array([0.3, 0.3])).spectral_frequencies(60, rng))
    model = RandomFeatureModel.prior(features, 1.0, 1e-4).condition_on_batch(X, gp.values)
    drawn = np.array([function.values(np.vstack([best, grid])) for function in draws_of(model, 1500)])
    agree(pooled(model, best, domain=domain), np.maximum(0.0, drawn[:, 1:].max(axis=1) - drawn[:, 0]))


def test_of_a_sum_of_many_bumpy_factors_the_highest_bump_of_each_is_found():
    D, bumps = 10, np.linspace(0, 1, 101)
    domain, graph = Domain.continuous(D), FactorGraph(tuple((i,) for i in range(D)), D)
    gp = ExactGP(AdditiveKernel.over(graph, domain, MATERN_52, np.full(D, 0.15), (1 / D,) * D), 1e-6)
    rng = np.random.default_rng(0)
    gp, best = learned(gp, rng.random((80, D)), 1)
    functions = PathwiseFunctions.from_posterior(gp, FREQUENCIES, DRAWS_TOGETHER, rng)
    here = functions.values(best)[:, 0]
    gains = np.zeros(len(here))
    for i in range(D):
        line = np.repeat(best, len(bumps), axis=0)
        line[:, i] = bumps
        gains += functions.values(line).max(axis=1) - here
    found = pooled(gp, best, domain=domain, calls=1)
    assert abs(np.mean(found) - np.mean(gains)) < 0.1 * np.mean(gains)


def draws_of(model, count):
    rng = np.random.default_rng(3)
    return [model.draw(rng) for _ in range(count)]


# -- where evaluations may fail ----------------------------------------------------------------------------


def succeeding_beyond(edge, mean=1.0, width=1):
    """What is believed of success by evaluations here and there, which failed before an edge."""
    X = np.random.default_rng(12).random((14, width))
    return SuccessBelief(Kernel(MATERN_52, np.full(width, 0.3), 2.0), mean, X, X[:, 0] > edge)


def chances_drawn(success, X, count):
    latent = joint_draws(success._posterior, X, count, np.random.default_rng(8)) + success._mean
    return ndtr(latent)


@pytest.mark.parametrize("scale", [PLAIN, Standardisation(2.0, 3.0, Warp(1.0, 0.5, upper=0.3, lower=0.6))])
def test_a_gain_counts_for_as_much_as_an_evaluation_there_is_likely_to_succeed(scale):
    gp, best = bumpy(4, n=8)
    success = succeeding_beyond(0.4)
    grid = GRID[::2]
    drawn = scale.undo(joint_draws(gp, np.vstack([best, grid]), 2000, np.random.default_rng(9)))
    gains = chances_drawn(success, grid, 2000) * np.maximum(0.0, drawn[:, 1:] - drawn[:, :1])
    exact = gains.max(axis=1)
    assert np.mean(exact) < 0.8 * np.mean(on_the_grid(gp, best, scale))
    found = pooled(gp, best, scale, success=success)
    for threshold in np.quantile(exact, [0.2, 0.5, 0.8]):
        assert abs(np.mean(found < threshold) - np.mean(exact < threshold)) < 0.12


def test_what_is_weighed_climbs_along_its_own_gradient():
    gp, best = bumpy(4, n=8)
    scale, rng = Standardisation(2.0, 3.0, Warp(1.0, 0.5, upper=0.3, lower=0.6)), np.random.default_rng(1)
    functions = PathwiseFunctions.from_posterior(gp, FREQUENCIES, 3, rng)
    floors = functions.values(best)[:, 0] - 0.3
    weighed = succeeding_beyond(0.4).weighing(functions, floors, scale, FREQUENCIES, rng)
    X = rng.random((200, 1))
    which = np.arange(200) % 3
    values, gradients = weighed.values_and_gradients(X, which)
    np.testing.assert_allclose(values, weighed.values(X)[which, np.arange(200)], rtol=1e-9, atol=1e-9)
    higher, lower = (weighed.values_and_gradients(X + step, which)[0] for step in (1e-6, -1e-6))
    np.testing.assert_allclose(gradients[:, 0], (higher - lower) / 2e-6, rtol=1e-4, atol=1e-4)
    above = values > floors[which]
    assert 20 < above.sum() < 180


def test_where_all_succeeds_a_sum_of_many_bumpy_factors_is_left_as_much_to_gain():
    D = 10
    domain, graph = Domain.continuous(D), FactorGraph(tuple((i,) for i in range(D)), D)
    gp = ExactGP(AdditiveKernel.over(graph, domain, MATERN_52, np.full(D, 0.15), (1 / D,) * D), 1e-6)
    gp, best = learned(gp, np.random.default_rng(0).random((80, D)), 1)
    sure = succeeding_beyond(-1.0, mean=9.0, width=D)
    found = pooled(gp, best, domain=domain, calls=1, success=sure)
    assert abs(np.mean(found) / np.mean(pooled(gp, best, domain=domain, calls=1)) - 1.0) < 0.1


@pytest.mark.parametrize(
    ("weights", "points", "words"),
    [
        ([0.0], [[0.5]], "expected weights of at least 0, not all 0"),
        ([-1.0], [[0.5]], "expected weights of at least 0"),
        ([np.nan], [[0.5]], "expected weights of at least 0"),
        ([1.0], np.zeros((0, 1)), "expected at least one point that was evaluated, got none"),
    ],
)
def test_what_makes_no_sense_is_refused(weights, points, words):
    with pytest.raises(ValueError, match=words):
        left_to_gain([bumpy(0)[0]], weights, LINE, np.array(points))


# -- the algorithms that can ------------------------------------------------------------------------------


def test_those_that_can_are_named():
    names = registry.FORESEES_GAIN.able()
    assert {"gp-ei", "gp-ts", "gp-ucb"} <= set(names)
    assert "random" not in names


@pytest.mark.parametrize("name", ["gp-ei", "gp-ts", "gp-ucb"])
def test_before_the_start_design_is_told_it_is_too_early_and_then_it_falls(name):
    algorithm = build(name)
    assert isinstance(algorithm, ForeseesGain)
    assert algorithm.remaining_gain() is None
    expected = []
    for trial in range(22):
        step(algorithm, trial, hill)
        if 10 < trial < 21:
            continue
        gain = algorithm.remaining_gain()
        # The refit that is due after the tenth value is adopted before the eleventh point is asked for.
        assert (gain is None) == (trial < 10)
        if gain is not None:
            assert gain.observations == trial + 1
            expected.append(gain.expected)
    assert expected[-1] < 1e-2
    assert expected[-1] < 0.2 * max(expected)


def test_it_changes_nothing_and_says_the_same_again():
    algorithm, other = build("gp-ei", seed=4), build("gp-ei", seed=4)
    for trial in range(12):
        step(algorithm, trial, hill)
        step(other, trial, hill)
    assert algorithm.remaining_gain() == algorithm.remaining_gain()
    np.testing.assert_array_equal(step(algorithm, 12, hill).point, step(other, 12, hill).point)


def test_auto_does_not_take_the_scale_that_it_sees_values_on_for_what_is_left_to_gain():
    camel = landscape("camel", 4)
    algorithm = build("auto", seed=4)
    for trial in range(12):
        step(algorithm, trial, lambda point: float(camel.values(point[None, :])[0]))
    # It said 0.0016, where 0.02 was left.
    assert algorithm.remaining_gain() is None


def test_with_as_many_parameters_as_values_it_is_too_early():
    algorithm = build("gp-ei", dimension=8)
    for trial in range(16):
        step(algorithm, trial, hill)
        assert (algorithm.remaining_gain() is None) == (trial < 15)


def test_a_noisy_best_value_is_not_what_is_to_be_exceeded():
    """A lucky value would leave nothing to gain; the model knows better."""
    algorithm = build("gp-ei", dimension=1, noise=Noise("known", 0.3))
    rng = stream(0, "test noise")
    for trial in range(14):
        step(algorithm, trial, lambda x: float(np.sin(6 * x[0]) + 0.3 * rng.standard_normal()))
    gain = algorithm.remaining_gain()
    assert isinstance(gain, Gain)
    assert gain.expected > 0.0
