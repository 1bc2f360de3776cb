"""How far settings may travel at once, what lies within reach, and what is on the way to a point beyond."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.travelling import is_on_the_way, within_reach
from orchestrator.arrays import FloatArray
from orchestrator.errors import SpecError
from orchestrator.parameters.reach import Reach
from orchestrator.parameters.space import Space
from orchestrator.values.travel import Travel, too_far, too_far_words, travel_of

MIXED = {
    "current": {"type": "float", "bounds": [0, 100], "travel": 5},
    "gas": {"type": "float", "bounds": [1e-6, 1e-2], "scale": "log", "travel": 2},
    "steer": {"type": "float", "bounds": [-5, 5], "step": 0.5, "travel": 1},
    "shots": {"type": "int", "bounds": [1, 40], "scale": "log", "travel": 2},
    "turns": {"type": "int", "bounds": [0, 10_000], "travel": 7},
    "mode": {"type": "choice", "values": ["cw", "pulsed", "off"]},
    "offset": (0.0, 1.0),
}
STANDS = {"current": 20.0, "gas": 1e-4, "steer": -2.0, "shots": 4, "turns": 50, "mode": "cw", "offset": 0.5}


def walked(
    space: Space, stands: dict[str, object], target: dict[str, object], most: int = 60
) -> list[object]:
    """Where a machine goes that is to get to a target."""
    there, places = space.encode(target), [stands]
    for turn in range(most):
        reach = Reach.of(space, places[-1])
        if reach.holds(there):
            return [*places, target]
        point = reach.towards(there, space.domain, np.random.default_rng(turn))
        places.append(space.decode(point))
        assert not too_far(space.travel, places[-2], places[-1])
        assert not space.broken_by(places[-1])
    raise AssertionError(f"not there after {most} steps, but at {places[-1]}")


def test_a_limit_is_in_own_units_and_a_factor_on_a_log_scale() -> None:
    assert Travel(5.0).ends(20.0) == (15.0, 25.0)
    assert Travel(2.0, logarithmic=True).ends(8.0) == (4.0, 16.0)
    assert Travel(5.0).steps(20.0, 80.0) == 12
    assert Travel(2.0, logarithmic=True).steps(8.0, 1.0) == 3


def test_between_values_that_are_a_step_apart_it_goes_whole_steps_only() -> None:
    assert travel_of(2.5, "linear", (0.0, 100.0), 1.0).steps(20.0, 30.0) == 5
    assert travel_of(0.3, "linear", (0.0, 1.0), 0.1).steps(0.0, 0.9) == 3
    assert travel_of(1.9, "linear", (0.0, 10.0), 1.0).steps(0.0, 10.0) == 10


def test_what_floats_make_of_a_limit_is_not_too_far() -> None:
    assert Travel(0.1).lets(0.2, 0.1 + 0.2)
    assert Travel(3.0, logarithmic=True).lets(0.1, 3 * 0.1)
    assert not Travel(0.1).lets(0.2, 0.3001)


def test_what_is_too_far_is_said_with_how_many_evaluations_it_takes() -> None:
    travels = {"current": Travel(5.0), "gas": Travel(2.0, logarithmic=True)}
    words = too_far_words(travels, {"current": 20, "gas": 1e-4}, {"current": 80, "gas": 1e-3})
    assert words == (
        "current = 80 is too far from 20, where it may travel 5: 12 evaluations away, "
        "gas = 0.001 is too far from 0.0001, where it may travel a factor of 2: 4 evaluations away"
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_walk_keeps_to_every_limit_and_takes_no_more_steps_than_its_slowest_setting(seed: int) -> None:
    space = Space.from_description(MIXED)
    target = space.decode(space.domain.sample(1, np.random.default_rng(seed))[0])
    # To thousands of turns it would take too long.
    target["turns"] = 50 + 10 * seed
    least = max(travel.steps(STANDS[name], target[name]) for name, travel in space.travel.items())
    steps = len(walked(space, STANDS, target)) - 1
    # Whole numbers and steps are not to be had on the straight way itself.
    assert least <= steps <= least + 3


@pytest.mark.parametrize(("step", "travel"), [(0.1, 0.1), (0.3, 0.9), (0.001, 0.001)])
def test_a_setting_that_may_travel_whole_steps_takes_them_whatever_floats_make_of_them(
    step: float, travel: float
) -> None:
    low, high = bounds = [-0.7, round(-0.7 + 36 * step, 3)]
    told = {"type": "float", "bounds": bounds, "step": step, "travel": travel}
    space = Space.from_description({"x": told})
    steps = 36 * step / travel
    assert len(walked(space, {"x": low}, {"x": high})) - 1 == pytest.approx(steps)
    assert len(walked(space, {"x": high}, {"x": low})) - 1 == pytest.approx(steps)


def test_what_may_go_anywhere_is_there_at_once() -> None:
    space = Space.from_description(MIXED)
    first = walked(space, STANDS, {**STANDS, "current": 90.0, "mode": "off", "offset": 0.9})[1]
    assert (first["mode"], first["offset"], first["current"]) == (
        "off",
        pytest.approx(0.9),
        pytest.approx(25.0),
    )


def test_a_tiny_reach_in_many_parameters_takes_no_luck() -> None:
    space = Space.from_description(
        {f"x{i}": {"type": "float", "bounds": [0, 1], "travel": 0.01} for i in range(20)},
        ["x0 + x1 <= 1.2", "x2 * x3 <= 0.7"],
    )
    start = dict.fromkeys(space.names, 0.5)
    ((_, first),) = [walked(space, start, dict.fromkeys(space.names, 0.53) | {"x9": 0.505})[:2]]
    assert first["x0"] == pytest.approx(0.51)
    assert first["x9"] == pytest.approx(0.5 + 0.005 / 3)
    down = walked(space, start, dict.fromkeys(space.names, 0.47) | {"x9": 0.495})[1]
    assert (down["x0"], down["x9"]) == (pytest.approx(0.49), pytest.approx(0.5 - 0.005 / 3))


PLANE = {name: {"type": "float", "bounds": [0, 1], "travel": 0.1} for name in ("x", "y")}


def test_a_walk_goes_round_a_wall_across_its_way_and_does_not_get_lost() -> None:
    space = Space.from_description(PLANE, ["max(abs(x - 0.5) - 0.1, abs(y - 0.5) - 0.3) >= 0"])
    places = walked(space, {"x": 0.2, "y": 0.5}, {"x": 0.8, "y": 0.5}, most=15)
    assert max(abs(place["y"] - 0.5) for place in places) > 0.25


def test_where_nothing_leads_across_it_is_not_the_same_point_that_is_tried_again_and_again() -> None:
    space = Space.from_description(PLANE, ["abs(x - 0.5) >= 0.1"])
    there, at, seen = space.encode({"x": 0.9, "y": 0.5}), {"x": 0.3, "y": 0.5}, []
    for turn in range(12):
        at = space.decode(Reach.of(space, at).towards(there, space.domain, np.random.default_rng(turn)))
        assert at["x"] <= 0.4
        seen.append((round(at["x"], 3), round(at["y"], 3)))
    assert len(set(seen)) > 6
    assert min(x for x, _ in seen[1:]) < 0.37


def test_what_is_held_is_where_it_is_held_on_the_way_too() -> None:
    space = Space.from_description(MIXED)
    part = space.domain.holding({space.index("steer"): space.encode({**STANDS, "steer": -1.5})[2]})
    target: FloatArray = space.encode({**STANDS, "current": 90.0, "steer": -1.5})
    point = Reach.of(space, STANDS).towards(target, part, np.random.default_rng(0))
    assert space.decode(point)["steer"] == -1.5


@pytest.mark.parametrize("travel", [1e-4, 0.01, 5.0])
def test_what_is_as_far_as_a_setting_may_go_is_reached_though_its_position_is_rounded(travel: float) -> None:
    space = Space.from_description({"current": {"type": "float", "bounds": [0, 100], "travel": travel}})
    for start in np.arange(20.0, 30.0, 0.37).tolist():
        assert Reach.of(space, {"current": start}).holds(space.encode({"current": start + travel}))


def test_what_is_out_of_reach_by_a_rounding_alone_is_not_said_to_be_on_the_way_to_itself() -> None:
    space = Space.from_description({"current": {"type": "float", "bounds": [0, 1], "travel": 0.2}})
    stands = {"current": 0.5000007385187928}
    edge = Suggestion(np.array([Reach.of(space, stands).low[0] - 1e-13]))
    assert within_reach(edge, space, stands, space.domain, seed=0, trial=7) is edge
    beyond = Suggestion(edge.point - 1e-9)
    assert is_on_the_way(within_reach(beyond, space, stands, space.domain, seed=0, trial=7))


def test_a_machine_outside_of_its_bounds_comes_in_and_one_too_far_outside_is_told_so() -> None:
    space = Space.from_description({"current": {"type": "float", "bounds": [50, 100], "travel": 5}})
    point = Reach.of(space, {"current": 47.0}).towards(np.ones(1), space.domain, np.random.default_rng(0))
    assert space.decode(point)["current"] == pytest.approx(52.0)
    with pytest.raises(SpecError, match="expected bounds of `current` within reach of where it stands, 20,"):
        Reach.of(space, {"current": 20.0})


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"type": "float", "bounds": [0, 1], "travel": 0}, "a number above 0, in the parameter's own units"),
        ({"type": "float", "bounds": [0, 1], "travel": "far"}, "a number above 0"),
        ({"type": "float", "bounds": [0, 1], "travel": 1e-9}, "at least 1e-06"),
        ({"type": "float", "bounds": [0, 100], "travel": 1e-9}, "at least 0.0001,"),
        ({"type": "float", "bounds": [0, 1], "step": 0.25, "travel": 0.1}, "at least 0.25"),
        ({"type": "int", "bounds": [0, 9], "travel": 0.5}, "at least 1,"),
        ({"type": "float", "bounds": [1, 9], "scale": "log", "travel": 0.5}, "a factor above 1"),
        ({"type": "int", "bounds": [2, 9], "scale": "log", "travel": 1.2}, "a factor of at least 1.5"),
        (
            {"type": "int", "bounds": [2, 9], "travel": 1, "when": {"c": "a"}},
            "nowhere, from which it could travel",
        ),
        ({"type": "choice", "values": [1, 2], "travel": 1}, "expected the keys"),
    ],
)
def test_a_limit_by_which_nothing_could_change_is_refused(told: dict[str, object], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Space.from_description({"x": told, "c": {"type": "choice", "values": ["a", "b"]}})


def test_a_logarithmic_scale_may_be_wider_than_the_largest_number() -> None:
    told = {"type": "float", "bounds": [1e-200, 1e200], "scale": "log", "travel": 1e20}
    space = Space.from_description({"x": told})
    places = walked(space, {"x": 1e-200}, {"x": 1e200})
    assert [place["x"] for place in places] == pytest.approx(
        [10.0**k for k in range(-200, 201, 20)], rel=1e-3
    )
    travels = {"x": travel_of(1e20, "log", (1e-200, 1e200), 0.0)}
    assert too_far_words(travels, {"x": 1e-200}, {"x": 1e200}).endswith(": 20 evaluations away")
    assert too_far_words(travels, {"x": 1e200}, {"x": 1e-200}).endswith(": 20 evaluations away")
    with pytest.raises(ValueError, match=r"a factor of at least 1\.0009"):
        travel_of(1.0001, "log", (1e-200, 1e200), 0.0)


@pytest.mark.parametrize("limit", [2.0, 1e3, 1e6, 1e9])
def test_a_large_factor_lets_a_setting_go_no_farther_than_it_says(limit: float) -> None:
    travel = Travel(limit, logarithmic=True)
    for end, other in ((limit, 1.01 * limit), (1.0 / limit, 0.99 / limit)):
        assert travel.lets(0.3, 0.3 * end)
        assert not travel.lets(0.3, 0.3 * other)
