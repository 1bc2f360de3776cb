"""How evaluations will end: as often as is said, and whatever the units and the direction are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from orchestrator.curves.curve import Ended, Readings
from orchestrator.curves.diverged import outlook_of_diverged
from orchestrator.curves.forecast import LARGEST_DEVIATION, Outlook, outlook, without_penalties

STEPS = 20


def decays(count: int, seed: int, noise: float = 0.01) -> list[Ended]:
    """Errors that fall as powers of the step to floors of their own; the noise is on the way only."""
    rng = np.random.default_rng(seed)
    steps = np.arange(1, STEPS + 1)
    floors, rates = rng.uniform(0.1, 1.0, count), rng.uniform(0.5, 1.5, count)
    curves = floors[:, None] + 0.5 * steps ** -rates[:, None]
    seen = curves + noise * rng.standard_normal(curves.shape)
    return [
        Ended(tuple(zip(steps.tolist(), row.tolist(), strict=True)), float(end))
        for row, end in zip(seen, curves[:, -1], strict=True)
    ]


def begun(one: Ended, until: int) -> Readings:
    return tuple(reading for reading in one.readings if reading[0] <= until)


def foreseen(past: list[Ended], one: Ended, until: int, share: float = 0.5) -> Outlook:
    seen = outlook(past, begun(one, until), share=share, maximise=False)
    assert seen is not None
    return seen


def test_a_curve_far_above_the_others_will_hardly_end_among_the_best_and_one_far_below_will() -> None:
    past = decays(12, seed=0)
    bad, good = Ended(((1, 2.9), (5, 2.6)), 0.0), Ended(((1, 0.5), (5, 0.02)), 0.0)
    assert foreseen(past, bad, 5).chance < 0.01
    assert foreseen(past, good, 5).chance > 0.9


@pytest.mark.parametrize("level", [20.0, 1e3, 4e34, 1e200])
def test_what_diverges_is_foreseen_to_be_as_bad_as_the_worst_as_surely_as_its_chance_says(
    level: float,
) -> None:
    past = decays(8, seed=3)
    ends = [one.value for one in past]
    seen = outlook(past, ((1, level / 10), (2, level)), share=0.5, maximise=False)
    assert seen is not None
    assert seen.chance < 0.1
    assert np.median(ends) < seen.mean <= max(ends)
    among_the_best = ndtr((np.median(ends) - seen.mean) / seen.deviation)
    assert among_the_best == pytest.approx(max(seen.chance, 1e-3), rel=0.1)


def test_what_is_foreseen_comes_nearer_to_the_end_as_the_curve_goes_on() -> None:
    past, trials = decays(15, seed=1), decays(40, seed=2)
    off = {
        until: np.mean([abs(foreseen(past, one, until).mean - one.value) for one in trials])
        for until in (1, 4, 16)
    }
    assert off[16] < off[4] < off[1]
    sure = {until: np.mean([foreseen(past, one, until).deviation for one in trials]) for until in off}
    assert sure[16] < sure[4] < sure[1]


def test_what_was_said_to_be_likely_happens_as_often_as_it_was_said() -> None:
    said, came = [], []
    for seed in range(40):
        past, trials = decays(10, 100 + seed, noise=0.1), decays(10, 200 + seed, noise=0.1)
        bar = np.median([one.value for one in past])
        for one in trials:
            said.append(foreseen(past, one, 3).chance)
            came.append(one.value < bar)
    said_of, came_of = np.array(said), np.array(came)
    for low, high in ((0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.0)):
        among = (said_of >= low) & (said_of < high)
        assert among.sum() >= 20
        spread = 3.0 * np.sqrt(0.25 / among.sum())
        assert abs(came_of[among].mean() - said_of[among].mean()) < spread + 0.03


def test_deviations_cover_the_ends_as_often_as_they_should() -> None:
    past, trials = decays(25, seed=3, noise=0.05), decays(200, seed=4, noise=0.05)
    scores = [(one.value - (seen := foreseen(past, one, 4)).mean) / seen.deviation for one in trials]
    assert 0.5 < np.std(scores) < 1.5
    assert abs(np.mean(scores)) < 0.5


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_whether_one_maximises_or_minimises_and_in_which_units_does_not_matter(share: float) -> None:
    past, one = decays(12, seed=5), decays(1, seed=6)[0]
    plain = outlook(past, begun(one, 6), share=share, maximise=False)
    flipped = [Ended(p.readings, 7.0 - 1e6 * p.value) for p in past]
    other = outlook(flipped, begun(one, 6), share=share, maximise=True)
    assert plain is not None
    assert other is not None
    assert other.chance == pytest.approx(plain.chance, abs=1e-9)
    assert other.mean == pytest.approx(7.0 - 1e6 * plain.mean, rel=1e-9)
    assert other.deviation == pytest.approx(1e6 * plain.deviation, rel=1e-9)


def test_nor_does_the_unit_of_what_is_reported() -> None:
    past, one = decays(12, seed=7), decays(1, seed=8)[0]
    scaled = [Ended(tuple((s, 40.0 - 1e-3 * v) for s, v in p.readings), p.value) for p in past]
    plain = outlook(past, begun(one, 6), share=0.5, maximise=False)
    other = outlook(scaled, tuple((s, 40.0 - 1e-3 * v) for s, v in begun(one, 6)), share=0.5, maximise=False)
    assert plain is not None
    assert other is not None
    assert other.mean == pytest.approx(plain.mean, rel=1e-6)
    assert other.chance == pytest.approx(plain.chance, abs=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [2.0**600, 2.0**-600])
def test_nor_do_units_in_which_squares_are_no_doubles(unit: float) -> None:
    past, one = decays(12, seed=7), decays(1, seed=8)[0]
    scaled = [Ended(tuple((s, unit * v) for s, v in p.readings), unit * p.value) for p in past]
    plain = outlook(past, begun(one, 6), share=0.5, maximise=False)
    other = outlook(scaled, tuple((s, unit * v) for s, v in begun(one, 6)), share=0.5, maximise=False)
    assert plain is not None
    assert other is not None
    assert other.mean == pytest.approx(unit * plain.mean, rel=1e-9)
    assert other.chance == pytest.approx(plain.chance, abs=1e-9)
    assert other.deviation == pytest.approx(min(unit * plain.deviation, LARGEST_DEVIATION), rel=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ends", [(1.7e308, -1.7e308), (1e300, -1e300, 1.0, 1e-300), (1e-310, 3e-310, 0.0)])
@pytest.mark.parametrize("levels", [(1.7e308, -1.7e308), (1e-300, 1e-200, 1.0, 1e200)])
def test_whatever_doubles_ends_and_reports_are_what_is_foreseen_can_be_told(
    ends: tuple[float, ...], levels: tuple[float, ...]
) -> None:
    rng = np.random.default_rng(14)
    past = [
        Ended(((1, level), (4, -level), (9, level)), float(rng.choice(ends)), k % 3 == 0)
        for k, level in enumerate(rng.choice(levels, 12).tolist())
    ]
    running = ((1, levels[0]), (3, levels[-1]), (6, levels[0]))
    by_curve = outlook(past, running, share=0.2, maximise=True)
    by_others = outlook_of_diverged(past, share=0.2, maximise=True)
    for seen in (by_curve, by_others):
        assert seen is None or np.isfinite([seen.mean, seen.deviation**2, seen.chance]).all()


def test_trainings_that_diverge_do_not_hide_what_sets_the_others_apart() -> None:
    past = decays(12, seed=10)
    wild = [Ended(tuple((s, v * 2.0**s) for s, v in one.readings), one.value * 1e6) for one in past[:3]]
    trials = decays(20, seed=11)
    off = [abs(foreseen([*past, *wild], one, 8).mean - one.value) for one in trials]
    assert np.median(off) < 0.1


@pytest.mark.parametrize(
    ("past", "readings"),
    [
        ([], ((1, 1.0),)),
        (decays(4, seed=12), ((1, 1.0), (2, 0.9))),
        ([Ended(((1, 1.0), (9, 1.0)), float(k)) for k in range(9)], ((1, 1.0), (4, 1.0))),
        ([Ended(((1, float(k)), (9, 1.0)), 3.0) for k in range(9)], ((1, 1.0), (4, 1.0))),
        ([Ended(((5, float(k)), (9, 1.0)), float(k)) for k in range(9)], ((1, 1.0), (4, 1.0))),
    ],
    ids=["no past", "too short a past", "curves alike", "ends alike", "curves that begin later"],
)
def test_where_the_past_does_not_tell_nothing_is_foreseen(past: list[Ended], readings: Readings) -> None:
    assert outlook(past, readings, share=0.5, maximise=False) is None


@pytest.mark.parametrize("penalty", [1e30, 1e200, 1.7e308])
def test_a_penalty_among_the_ends_leaves_the_others_apart(penalty: float) -> None:
    past = decays(12, seed=13)
    past[3] = Ended(past[3].readings, penalty)
    bad, good = Ended(((1, 2.9), (5, 2.6)), 0.0), Ended(((1, 0.5), (5, 0.02)), 0.0)
    assert foreseen(past, bad, 5).chance < foreseen(past, good, 5).chance
    assert foreseen(past, good, 5).chance > 0.3
    assert 0.5 < foreseen(past, bad, 5).mean < 50.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_how_far_off_a_penalty_is_is_told_from_the_best_wherever_that_lies(sign: float) -> None:
    ends = [Ended((), 1000.0 - sign * off) for off in (0.0, 1.0, 2.0, 3.0, 100.0)]
    assert without_penalties(ends, sign) == ends[:4]


def test_where_most_are_as_good_as_the_best_the_others_still_teach() -> None:
    past = [Ended(((1, float(k)), (9, float(k))), float(max(0, k - 8))) for k in range(14)]
    assert foreseen(past, Ended(((1, 13.0), (4, 13.0)), 0.0), 4).chance < 0.1
    assert foreseen(past, Ended(((1, 1.0), (4, 1.0)), 0.0), 4).chance > 0.3


@pytest.mark.parametrize("maximise", [False, True])
def test_what_has_diverged_ends_as_the_worst_as_surely_as_those_before_it(maximise: bool) -> None:
    values = np.linspace(1.0, 10.0, 10)[:: -1 if maximise else 1]
    good = float(np.quantile(values, 0.8 if maximise else 0.2))

    def seen(*diverged: int) -> Outlook | None:
        past = [Ended((), value, diverged=i in diverged) for i, value in enumerate(values.tolist())]
        return outlook_of_diverged(past, share=0.2, maximise=maximise)

    # None before it has, or one of the best and three others have.
    for found, chance in ((seen(), 0.001), (seen(1, 4, 6, 9), 1.001 / 5.0)):
        assert found is not None
        assert (found.mean, found.chance) == (values[-1], pytest.approx(chance))
        short = good - found.mean if maximise else found.mean - good
        assert ndtr(-short / found.deviation) == pytest.approx(chance)
    assert seen(0, 1) is None, "as likely as not it ends among the best"
    assert outlook_of_diverged([], share=0.2, maximise=maximise) is None
