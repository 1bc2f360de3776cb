"""The generator keeps to the standard, whatever frameworks hand back."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from gest_api import Generator
from gest_api.vocs import VOCS

from orchestrator import Plan
from orchestrator.elsewhere.generator import OrchestratorGenerator

WING = VOCS(
    variables={"span": [0, 1], "ribs": {1, 2, 4}},
    objectives={"drag": "MINIMIZE"},
    constraints={"heat:max": ["LESS_THAN", 0.5]},
    constants={"mach": 0.8},
    observables=["log"],
)
ROOM = VOCS(
    variables={"x": [0, 1], "room": {"type": "ContextualVariable", "domain": [0, 40]}},
    objectives={"y": "MAXIMIZE"},
)


def wing(**more) -> OrchestratorGenerator:
    return OrchestratorGenerator(WING, **{"algorithm": "sobol", "seed": 1} | more)


def evaluated(point: dict) -> dict:
    return {**point, "drag": point["span"] + point["ribs"], "heat:max": point["span"], "log": "out.txt"}


def told(generator: OrchestratorGenerator) -> list[tuple]:
    return [(one["trial"], one["value"]) for one in generator.optimiser.results()]


def test_points_have_all_variables_and_constants_and_an_id() -> None:
    generator = wing()
    assert isinstance(generator, Generator)
    assert generator.returns_id
    points = generator.suggest(3)
    assert [set(point) for point in points] == [{"span", "ribs", "mach", "_id"}] * 3
    assert [point["_id"] for point in points] == [1, 2, 3]
    assert all(point["mach"] == 0.8 and point["ribs"] in (1, 2, 4) for point in points)


def test_as_many_are_suggested_as_run_at_a_time_where_nobody_says_how_many() -> None:
    assert len(wing(plan=Plan(parallel=3)).suggest()) == 3
    assert len(wing().suggest(None)) == 1
    assert wing().suggest(0) == []
    with pytest.raises(ValueError, match="expected the number of trials to ask for, 1 or more, got -1"):
        wing().suggest(-1)


def test_results_are_told_of_the_trials_that_they_came_of() -> None:
    generator = wing()
    first, second = map(evaluated, generator.suggest(2))
    generator.ingest([second])
    assert generator.optimiser.pending == (1,)
    generator.ingest([{name: np.asarray(value)[()] for name, value in first.items()}])
    assert told(generator) == [(2, second["drag"]), (1, first["drag"])]
    within = [one for one in (first, second) if one["span"] < 0.5]
    assert generator.optimiser.best().value == min(one["drag"] for one in within)
    generator.finalize()


def test_a_result_without_an_id_is_of_the_trial_at_its_place() -> None:
    generator = wing()
    *_, last = map(evaluated, generator.suggest(3))
    del last["_id"]
    generator.ingest([last, last])
    assert told(generator) == [(None, last["drag"]), (3, last["drag"])]
    assert generator.optimiser.pending == (1, 2)


def test_what_was_attached_by_hand_is_told_by_hand() -> None:
    generator = wing()
    generator.optimiser.attach({"span": 0.5, "ribs": 2})
    generator.ingest([{"span": 0.5, "ribs": 2, "mach": 0.8, "drag": 1.0, "heat:max": 0.1}])
    assert generator.optimiser.pending == (1,)


@pytest.mark.parametrize("drag", [None, math.nan, math.inf, "failed"])
def test_one_without_a_finite_objective_has_failed(drag) -> None:
    generator = wing()
    (point,) = generator.suggest(1)
    generator.ingest([{**evaluated(point), "drag": drag}, {"span": 0.1, "ribs": 2}])
    assert told(generator) == [(None, None), (1, None)]


def test_one_that_lacks_what_is_constrained_is_learned_from_and_no_best() -> None:
    generator = wing()
    (point,) = generator.suggest(1)
    generator.ingest([{**evaluated(point), "heat:max": math.nan}])
    assert told(generator) == [(None, evaluated(point)["drag"])]
    assert generator.optimiser.pending == ()
    assert generator.optimiser.front() == []


def test_what_was_evaluated_elsewhere_than_suggested_is_learned_where_it_was() -> None:
    generator = wing()
    (point,) = generator.suggest(1)
    generator.ingest([evaluated({**point, "span": 0.25})])
    assert generator.optimiser.pending == ()
    assert [one["span"] for one in generator.optimiser.results()] == [0.25]


def test_a_second_result_of_a_trial_is_one_more_of_its_place() -> None:
    generator = wing()
    (point,) = generator.suggest(1)
    generator.ingest([evaluated(point), {**evaluated(point), "drag": 9.0}])
    assert told(generator) == [(None, 9.0), (1, evaluated(point)["drag"])]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"_id": 7}, "row 1: expected the `_id` of a point that this generator suggested, got 7"),
        ({"_id": "a"}, "row 1: expected as `_id` the whole number that came with a suggestion, got 'a'"),
        ({"_id": None, "span": 3.0}, r"row 1: parameter `span`: expected a number in \[0, 1\], got 3.0"),
        ({"_id": None, "mach": 0.9}, "row 1: parameter `mach`: expected its fixed value 0.8, got 0.9"),
    ],
)
def test_of_results_of_which_one_is_wrong_none_is_learned(wrong, said) -> None:
    generator = wing()
    first, second = map(evaluated, generator.suggest(2))
    with pytest.raises(ValueError, match=said):
        generator.ingest([first, {**second, **wrong}])
    assert told(generator) == []
    assert generator.optimiser.pending == (1, 2)


@pytest.mark.parametrize("results", [None, {"span": 0.5, "ribs": 2, "drag": 1.0}, [3], np.zeros(2)])
def test_what_is_no_list_of_mappings_is_a_value_error(results) -> None:
    with pytest.raises(ValueError, match=r"^expected results as a list of mappings, as \[\{.*, got "):
        wing().ingest(results)


def test_ids_of_a_data_frame_of_which_other_rows_have_none() -> None:
    generator = wing()
    (point,) = generator.suggest(1)
    generator.ingest([{**evaluated(point), "_id": 1.0}, {**evaluated(point), "span": 0.3, "_id": math.nan}])
    assert sorted(trial or 0 for trial, _ in told(generator)) == [0, 1]


def test_several_objectives_have_a_front() -> None:
    objectives = {"drag": "MINIMIZE", "lift": "MAXIMIZE"}
    generator = OrchestratorGenerator(VOCS(variables={"x": [0, 1]}, objectives=objectives), algorithm="sobol")
    points = generator.suggest(3)
    generator.ingest([{**point, "drag": i, "lift": i % 2} for i, point in enumerate(points)])
    assert [(one.value, one.outcomes["lift"]) for one in generator.optimiser.front()] == [(0, 0), (1, 1)]


def test_a_context_is_held_as_it_was_seen_last() -> None:
    generator = OrchestratorGenerator(ROOM, algorithm="gp-ei", seed=1)
    (first,) = generator.suggest(1)
    assert set(first) == {"x", "_id"}
    generator.ingest([{**first, "y": 1.0, "room": 21.5}])
    (second, third) = generator.suggest(2)
    # What failed did not look at it.
    generator.ingest([{**second, "y": None}, {**third, "y": 2.0, "room": 23.0}])
    results = generator.optimiser.results()
    assert sorted(one["room"] for one in results) == pytest.approx([21.5, 21.5, 23.0])
    assert generator.optimiser.pending == ()


def test_before_a_context_was_seen_a_failure_says_nothing() -> None:
    generator = OrchestratorGenerator(ROOM, algorithm="sobol")
    generator.ingest([{"x": 0.5, "y": None}])
    assert told(generator) == []


def test_what_is_explored_is_so_by_the_algorithm_for_it() -> None:
    generator = OrchestratorGenerator(VOCS(variables={"x": [0, 1]}, objectives={"field": "EXPLORE"}))
    assert "by explore" in repr(generator.optimiser)


def test_constraints_between_variables_hold_of_all_that_is_suggested() -> None:
    points = wing(constraints=["span * ribs <= mach"]).suggest(16)
    assert all(point["span"] * point["ribs"] <= 0.8 for point in points)


def test_only_so_many_variables_are_used_of_those_that_are_counted() -> None:
    vocs = VOCS(variables={name: [0, 1] for name in "xyz"}, objectives={"loss": "MINIMIZE"})
    generator = OrchestratorGenerator(vocs, constraints=["count(x, y, z) <= 1"], algorithm="random")
    assert all(sum(point[name] != 0 for name in "xyz") <= 1 for point in generator.suggest(8))


def test_what_is_observed_is_not_computed_and_what_is_computed_need_not_be_told() -> None:
    room = {"type": "ContextualVariable", "domain": [0, 10]}
    vocs = VOCS(variables={"x": [0, 1], "y": [0, 1], "room": room}, objectives={"loss": "MINIMIZE"})
    generator = OrchestratorGenerator(vocs, constraints=["x + y + room == 4"], algorithm="random")
    generator.ingest([{"x": 0.5, "y": 0.5, "room": 3.0, "loss": 1.0}, {"y": 0.4, "room": 3.2, "loss": 1.0}])
    (point,) = generator.suggest(1)
    assert point["x"] + point["y"] == pytest.approx(0.8)


def test_what_cannot_be_searched_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="expected at least one objective"):
        OrchestratorGenerator(VOCS(variables={"x": [0, 1]}))
    with pytest.raises(ValueError, match="did you mean `seed`"):
        wing(sed=1)
    with pytest.raises(ValueError, match="did you mean `gp-ei`"):
        wing(algorithm="gp_ei")


def test_a_copy_goes_on_as_the_generator_would() -> None:
    generator = wing()
    generator.ingest(map(evaluated, generator.suggest(2)))
    again = pickle.loads(pickle.dumps(generator))
    assert again.suggest(2) == generator.suggest(2)
