"""How good points are where settings are a little off: held against the function that models learn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.expressions.constraints import Constraint
from orchestrator.parameters.space import Space
from orchestrator.sensitivity.analysis import problem_of_one
from orchestrator.sensitivity.least_affected import LeastAffected, least_affected
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.tolerance_analysis import Evaluated, analyse_tolerances
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.tolerated import OutcomeModels, Tolerated
from orchestrator.wanted_outcomes import WantedOutcomes

pytestmark = pytest.mark.usefixtures("fits_remembered")

UNIT = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)})


def hills(points: FloatArray) -> FloatArray:
    """A high narrow hill at x = 0.2, and a lower broad one at x = 0.7."""
    x, y = points[:, 0], points[:, 1]
    narrow, broad = np.exp(-(((x - 0.2) / 0.06) ** 2)), 0.8 * np.exp(-(((x - 0.7) / 0.3) ** 2))
    return np.asarray(np.maximum(narrow, broad) - 0.5 * (y - 0.5) ** 2)


Settled = tuple[Tolerated, LeastAffected]


def grid(rows: int = 3) -> FloatArray:
    x, y = np.meshgrid(np.linspace(0.0, 1.0, 21), np.linspace(0.0, 1.0, rows))
    return np.stack([x.ravel(), y.ravel()], axis=1)


def settled(
    space: Space,
    widths: dict[str, float],
    points: FloatArray,
    values: FloatArray,
    *,
    sign: float = 1.0,
    constraints: tuple[Constraint, ...] = (),
    outcomes: dict[str, FloatArray] | None = None,
) -> Settled:
    """Of exact results, the best of which is as good as any of those as set."""
    problem = Problem(space.domain, noise=Noise("known", 0.0))
    nothing = np.zeros(len(points))
    models = {
        name: ResultsModel.fitted(problem_of_one(problem, first=False), Measured(points, told, nothing))
        for name, told in (outcomes or {}).items()
    }
    model = ResultsModel.fitted(problem, Measured(points, values, nothing, sign))
    tolerated = Tolerated(Tolerances(space, widths), model, OutcomeModels(space, constraints, models), sign)
    best, rng = int(np.argmax(sign * values)), np.random.default_rng(0)
    return tolerated, least_affected(tolerated, space.domain, points, points[:0], best, rng)


@pytest.fixture(scope="module")
def hilly() -> Settled:
    """Both hills, along which settings may be off."""
    points = grid()
    return settled(UNIT, {"x": 0.1}, points, hills(points))


def test_the_broad_hill_is_the_better_one_where_settings_are_off(hilly: Settled) -> None:
    points, (_, found) = grid(), hilly
    assert found.as_set.point[0] == pytest.approx(0.2)
    assert points[found.among_tried][0] == pytest.approx(0.7, abs=0.05)
    assert found.anywhere.point == pytest.approx([0.7, 0.5], abs=0.05)
    assert found.as_set.as_set > found.of_tried.as_set
    assert found.as_set.average < found.of_tried.average <= found.anywhere.average


def test_of_many_that_were_tried_most_are_only_glanced_at_and_the_best_one_is_the_same(
    hilly: Settled, monkeypatch: pytest.MonkeyPatch
) -> None:
    tolerated, found = hilly
    looked_at, roughly = [], Tolerated.roughly

    def noted(
        self: Tolerated, points: FloatArray, drawn: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        looked_at.append((len(points), len(drawn)))
        return roughly(self, points, drawn)

    monkeypatch.setattr(Tolerated, "roughly", noted)
    monkeypatch.setattr("orchestrator.sensitivity.least_affected.MOST_TRIED", 12)
    points, rng = grid(), np.random.default_rng(0)
    again = least_affected(tolerated, UNIT.domain, points, points[:0], found.best, rng)
    assert looked_at[:3] == [(63, 8), (12, 32), (12, 256)]
    assert again.among_tried == found.among_tried
    assert again.anywhere.average == pytest.approx(found.anywhere.average, abs=1e-3)


def test_what_is_expected_is_what_the_function_gives_when_it_is_off_so(hilly: Settled) -> None:
    tolerated, found = hilly
    many = tolerated.tolerances.drawn(256, np.random.default_rng(1))
    for behaviour in (found.as_set, found.of_tried):
        around, values = tolerated.tolerances.around(behaviour.point[None, :], many)
        true = hills(around)
        assert values["x"] == pytest.approx(around[:, 0])
        assert behaviour.average == pytest.approx(true.mean(), abs=0.02)
        assert behaviour.poor == pytest.approx(np.quantile(true, 0.05), abs=0.03)
        assert behaviour.as_set == pytest.approx(hills(behaviour.point[None, :])[0], abs=0.01)
        assert behaviour.satisfied == 1.0


def test_low_values_are_the_good_ones_where_one_minimises(hilly: Settled) -> None:
    points, (_, high) = grid(), hilly
    _, low = settled(UNIT, {"x": 0.1}, points, -hills(points), sign=-1.0)
    assert low.among_tried == high.among_tried
    assert low.of_tried.average == pytest.approx(-high.of_tried.average)
    assert low.of_tried.poor > low.of_tried.average
    assert low.as_set.poor == pytest.approx(-high.as_set.poor)


def test_a_point_at_the_edge_of_what_is_allowed_is_left_for_one_that_stays_within() -> None:
    points = grid(2)
    wanted = WantedOutcomes.of(UNIT, ("heat",), ("heat <= 60 + 0 * y",))
    _, found = settled(
        UNIT,
        {"x": 0.05},
        points,
        np.where(points[:, 0] > 0.61, 0.0, points[:, 0]),
        constraints=wanted.constraints,
        outcomes={"heat": 100.0 * points[:, 0]},
    )
    # At 0.6 itself it is as likely to be too hot as not.
    assert found.as_set.point[0] == pytest.approx(0.6)
    assert found.as_set.satisfied == pytest.approx(0.5, abs=0.05)
    assert found.of_tried.point[0] == pytest.approx(0.55)
    assert found.of_tried.satisfied > 0.95
    assert 0.55 <= found.anywhere.point[0] < 0.565
    assert found.anywhere.satisfied >= 0.95


def test_constraints_see_parameters_as_they_come_out() -> None:
    points = grid(2)
    wanted = WantedOutcomes.of(UNIT, ("heat",), ("heat + x <= 0.5",))
    _, found = settled(
        UNIT,
        {"x": 0.1},
        points,
        points[:, 0],
        constraints=wanted.constraints,
        outcomes={"heat": np.zeros(len(points)) + 1e-3 * points[:, 1]},
    )
    assert found.of_tried.point[0] == pytest.approx(0.4, abs=0.03)


def test_where_parameters_are_held_so_is_every_answer_and_all_else_is_learned_from() -> None:
    points = grid()
    low = np.flatnonzero(points[:, 1] == 0.0)
    values = hills(points)
    analysis = analyse_tolerances(
        Problem(UNIT.domain, noise=Noise("known", 0.0)),
        Tolerances(UNIT, {"x": 0.1}, held={"y": 0.0}),
        (),
        Evaluated(
            Measured(points, values, np.zeros(len(points))),
            outcomes={},
            failed=np.empty((0, 2)),
            best=int(low[np.argmax(values[low])]),
        ),
    )
    found = analysis.found
    assert [one.point[1] for one in (found.as_set, found.of_tried, found.anywhere)] == [0.0, 0.0, 0.0]
    assert points[analysis.tried] == pytest.approx(found.of_tried.point)
    assert found.anywhere.point[0] == pytest.approx(0.7, abs=0.05)
    assert found.anywhere.average == pytest.approx(0.8 - 0.125, abs=0.05)
    assert isinstance(analysis.value, ResultsModel)
    assert len(analysis.value.belief.leader.posterior) == len(points)


def test_outcomes_are_as_uncertain_as_results_that_their_models_have_not_seen_ask_for() -> None:
    points = np.random.default_rng(3).random((14, 2))
    x, y = points.T
    heat = x * y + 0.3 * np.sin(9.0 * x) * np.cos(7.0 * y)
    nothing = np.zeros(len(points))
    wanted = WantedOutcomes.of(UNIT, ("heat",), ("heat <= 0.3",))
    problem = Problem(UNIT.domain, noise=Noise("known", 0.0))
    told = Evaluated(
        Measured(points, -x, nothing), {"heat": Measured(points, heat, nothing)}, np.empty((0, 2)), 0
    )
    analysis = analyse_tolerances(problem, Tolerances(UNIT, {"x": 0.02}), wanted.constraints, told)
    heats = analysis.outcomes["heat"]
    assert heats.stretch > 1.2
    # Of the value there is nothing but what is expected.
    assert analysis.value.stretch == 1.0


def off_by(width: float, values: FloatArray, failed: FloatArray, points: FloatArray) -> LeastAffected:
    """What is found of results with ``values``, of which some ``failed``, where x may be off by a width."""
    told = Measured(points[~failed], values[~failed], np.zeros(int((~failed).sum())))
    analysis = analyse_tolerances(
        Problem(UNIT.domain, noise=Noise("known", 0.0)),
        Tolerances(UNIT, {"x": width}),
        (),
        Evaluated(told, {}, points[failed], int(np.argmax(told.values))),
    )
    assert analysis.failed == failed.sum()
    return analysis.found


def test_a_point_beside_which_evaluations_fail_is_left_for_one_that_is_safer() -> None:
    points = grid(2)
    found = off_by(0.1, points[:, 0], points[:, 0] > 0.61, points)
    # Where x is off by up to 0.1 from 0.6, half of it lies beyond the edge.
    assert found.as_set.point[0] == pytest.approx(0.6)
    assert found.as_set.succeeds == pytest.approx(0.55, abs=0.1)
    for one in (found.of_tried, found.anywhere):
        assert 0.45 < one.point[0] < 0.59
        assert one.succeeds > 0.65
    assert found.anywhere.average < found.as_set.average


def test_where_evaluations_fail_by_chance_the_value_decides() -> None:
    points = grid(2)
    by_chance = np.random.default_rng(0).random(len(points)) < 0.2
    found = off_by(0.05, -((points[:, 0] - 0.45) ** 2), by_chance, points)
    assert found.anywhere.point[0] == pytest.approx(0.45, abs=0.01)
    assert 0.6 < found.anywhere.succeeds < 0.95


def test_where_none_failed_all_succeed_and_a_penalty_is_a_failure_and_no_answer() -> None:
    points = grid(2)
    values = points[:, 0].copy()
    assert off_by(0.1, values, values > 2.0, points).anywhere.succeeds == 1.0
    told = Measured(points, np.where(values > 0.61, -1e6, values), np.zeros(len(points)))
    tolerances, problem = Tolerances(UNIT, {"x": 0.1}), Problem(UNIT.domain, noise=Noise("known", 0.0))
    evaluated = Evaluated(told, {}, np.empty((0, 2)), int(np.argmax(told.values)))
    analysis = analyse_tolerances(problem, tolerances, (), evaluated)
    assert analysis.failed == (values > 0.61).sum()
    assert told.values[analysis.tried] > 0.0
    assert analysis.found.anywhere.point[0] < 0.59


def test_what_is_not_known_of_one_outcome_says_nothing_of_another() -> None:
    points = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    problem, nothing = Problem(UNIT.domain, noise=Noise("known", 0.0)), np.zeros(4)
    rises = ResultsModel.fitted(problem, Measured(points, np.array([-1.0, 1.0, 1.0, -1.0]), nothing))
    centre, tolerances = np.array([0.5, 0.5]), Tolerances(UNIT, {"x": 0.01})

    def satisfied(*texts: str) -> float:
        wanted = WantedOutcomes.of(UNIT, ("heat", "lift"), texts)
        models = {name: rises for name in ("heat", "lift") if wanted.names(name)}
        tolerated = Tolerated(tolerances, rises, OutcomeModels(UNIT, wanted.constraints, models), 1.0)
        return tolerated.behaviour(centre, tolerated.drawn(256, np.random.default_rng(0))).satisfied

    alone = satisfied("heat <= 0")
    assert alone == pytest.approx(0.5, abs=0.05)
    assert satisfied("heat <= 0", "lift <= 0") == pytest.approx(alone**2, abs=0.03)
    assert satisfied("heat <= 0", "lift >= 0") == pytest.approx(alone * (1.0 - alone), abs=0.03)
    assert satisfied("heat <= 0", "heat >= 0") == pytest.approx(0.0, abs=0.01)


def test_nothing_is_off_beyond_its_bounds_nor_what_has_no_tolerance() -> None:
    tolerances = Tolerances(UNIT, {"y": 0.3})
    drawn = tolerances.drawn(64, np.random.default_rng(0))
    off, values = tolerances.around(np.array([[0.5, 0.9], [0.2, 0.0]]), drawn)
    assert off.shape == (128, 2)
    assert set(off[:64, 0]) == {0.5}
    assert set(off[64:, 0]) == {0.2}
    assert off[:64, 1].max() == 1.0
    assert off[:64, 1].min() == pytest.approx(0.6, abs=0.02)
    assert off[64:, 1].min() == 0.0
    assert values["y"] == pytest.approx(off[:, 1])


def test_a_tolerance_is_in_a_parameters_own_units_whatever_its_scale() -> None:
    space = Space.from_description(
        {
            "rate": {"type": "float", "bounds": [0.01, 1.0], "scale": "log"},
            "gap": {"type": "float", "bounds": [0, 10], "step": 0.5},
            "cores": {"type": "ordered", "values": [8, 4, 2, 1], "scale": "log"},
        }
    )
    tolerances = Tolerances(space, {"rate": 0.01, "gap": 0.2, "cores": 1.0})
    point = space.encode({"rate": 0.1, "gap": 3.0, "cores": 2})
    off, values = tolerances.around(point[None, :], tolerances.drawn(256, np.random.default_rng(0)))
    for name, low, high in (("rate", 0.09, 0.11), ("gap", 2.8, 3.2), ("cores", 1.0, 3.0)):
        assert values[name].min() == pytest.approx(low, rel=0.02)
        assert values[name].max() == pytest.approx(high, rel=0.02)
    assert off[:, 0] == pytest.approx(np.log(values["rate"] / 0.01) / math.log(100.0))
    # Between listed values lies what no evaluator is ever given, and comes out of the workshop.
    assert len(np.unique(off[:, 1])) == 256
    by_two = np.argmin(np.abs(values["cores"] - 2.0))
    assert off[by_two, 2] == pytest.approx(point[2], abs=0.01)


@pytest.mark.parametrize(
    ("widths", "why"),
    [
        ({}, "expected a tolerance for one parameter at least, got none"),
        ({"z": 1.0}, "expected a parameter, one of .*x.*y.*got `z`|expected a parameter, .*got `z`"),
        ({"x": 0.0}, "expected a tolerance above 0 of `x`, got 0.0"),
        ({"x": math.nan}, "expected a tolerance above 0 of `x`, got nan"),
        (
            {"skin": 1.0},
            "expected a float, or an ordered parameter of numbers, to be off by a little, got `skin`",
        ),
        (
            {"ribs": 1.0},
            "expected a float, or an ordered parameter of numbers, to be off by a little, got `ribs`",
        ),
        (
            {"grade": 1.0},
            "expected a float, or an ordered parameter of numbers, to be off by a little, got `grade`",
        ),
        ({"mach": 0.1}, "expected a parameter that varies, got `mach`, which is fixed"),
        ({"load": 0.1}, "expected a parameter that is chosen, got `load`, which is computed"),
    ],
)
def test_what_cannot_be_off_by_a_little_is_refused(widths: dict[str, float], why: str) -> None:
    space = Space.from_description(
        {
            "x": (0.0, 1.0),
            "ribs": {"type": "int", "bounds": [2, 9]},
            "skin": {"type": "choice", "values": ["foam", "carbon"]},
            "grade": {"type": "ordered", "values": ["coarse", "fine"]},
            "mach": {"type": "fixed", "value": 0.8},
            "load": {"type": "computed", "value": "x / ribs"},
        }
    )
    with pytest.raises(UsageError, match=why):
        Tolerances(space, widths)


def test_a_known_result_that_breaks_a_constraint_between_parameters_is_no_answer() -> None:
    points = grid()
    tied = Space.from_description({"x": (0.0, 1.0), "y": (0.0, 1.0)}, ["x <= 0.4"])
    values, within = hills(points), points[:, 0] <= 0.4
    best = int(np.argmax(np.where(within, values, -np.inf)))
    analysis = analyse_tolerances(
        Problem(tied.domain, noise=Noise("known", 0.0)),
        Tolerances(tied, {"x": 0.1}),
        (),
        Evaluated(Measured(points, values, np.zeros(len(points))), {}, np.empty((0, 2)), best),
    )
    assert analysis.best == best
    assert within[analysis.tried]
    assert analysis.found.anywhere.point[0] <= 0.4


def test_what_is_left_out_is_0_exactly_and_what_is_used_is_off() -> None:
    amount = {"type": "float", "bounds": [0.0, 10.0], "least": 1.0}
    space = Space.from_description({"x": (0.0, 1.0), "zinc": amount, "ester": (0.0, 10.0)})
    tolerances = Tolerances(space, {"zinc": 0.5, "ester": 0.5})
    left_out = space.encode({"x": 0.5, "zinc": 0.0, "ester": 0.0})
    used = space.encode({"x": 0.5, "zinc": 2.0, "ester": 2.0})
    drawn = tolerances.drawn(8, np.random.default_rng(0))
    _, values = tolerances.around(np.stack([left_out, used]), drawn)
    assert not values["zinc"][:8].any()
    assert values["ester"][:8].any()  # which is never left out: it may be 0, as any number of its bounds
    assert np.ptp(values["zinc"][8:]) > 0.5
