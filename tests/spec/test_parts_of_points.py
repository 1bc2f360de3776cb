"""Points to begin with that say some of the parameters, the rest of which is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.report.words.spec import spec_words
from orchestrator.runtime.results.first_event import first_event
from orchestrator.scheduler.events import RunStarted
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

PARAMETERS = (
    "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9]},"
    " kind: {type: choice, values: [bar, tube]}, bore: {type: float, bounds: [0, 1], when: {kind: tube}},"
    " half: {type: computed, value: x / 2}, c: 3}"
)


def started(spec: Spec) -> RunStarted:
    return first_event(spec, "wing-1", "", {})


def test_the_whole_ones_are_trials_at_once_and_of_the_others_what_they_say_is_known() -> None:
    points = "[{x: 1, c: 3}, {x: 0, n: 9, kind: bar}, {kind: tube, n: 2, x: 0.5}, {n: 4.0, bore:}]"
    spec = spec_with(parameters=PARAMETERS, initial=f"initial: {{points: {points}}}")
    begun = started(spec)
    assert begun.points == ({"x": 0.0, "n": 9, "kind": "bar", "c": 3, "half": 0.0},)
    assert begun.parts == ({"x": 1.0}, {"x": 0.5, "n": 2, "kind": "tube"}, {"n": 4})
    assert spec_words(spec).endswith("with 3 first points to complete")


def test_what_is_held_or_is_the_time_is_no_part_of_what_a_point_says() -> None:
    spec = spec_with(
        parameters="parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9]},"
        " t: {type: float, bounds: [0, 9], unit: h}}",
        clock="clock: t",
        held="held: {n: 3}",
        algorithm="algorithm: auto",
        initial="initial: {points: [{x: 1}, {x: 0.5, n: 3}]}",
    )
    assert (len(started(spec).points), started(spec).parts) == (2, ())


def test_one_at_which_nothing_is_left_to_count_is_whole() -> None:
    begun = started(spec_with(parameters=PARAMETERS, initial="initial: {points: [{x: 1, n: 9, kind: bar}]}"))
    assert (len(begun.points), begun.parts) == (1, ())


NO_ROOM = "no point was found that satisfies `n + x <= 8` where `n` is 9; hold other values, or fewer of them"
COUNTS_ELSEWHERE = (
    "parameter `bore`: it counts only where `kind` is `tube`; hold `kind` as well, so that it does, or do not"
    " hold it"
)
IS_COMPUTED = (
    "expected the name of a parameter to hold, got `half`, which is computed, as `x / 2`; hold of `x` what"
    " makes it so"
)


@pytest.mark.parametrize(
    ("point", "beside", "said", "at"),
    [
        ("{bore: 0.5}", {}, COUNTS_ELSEWHERE, "0.5}]}"),
        ("{n: 9, half: 0.2}", {}, IS_COMPUTED, "0.2}]}"),
        ("{half: 0.2}", {}, IS_COMPUTED, "0.2}]}"),
        ("{kind: tube, bore: 2}", {}, "parameter `bore`: expected a number in [0, 1], got 2", "2}]}"),
        ("{n: 9}", {"constraints": "constraints: [n + x <= 8]"}, NO_ROOM, "{n: 9}]}"),
    ],
)
def test_what_cannot_be_completed_is_said_at_its_place(
    point: str, beside: dict[str, str], said: str, at: str
) -> None:
    refusal = refusal_with(parameters=PARAMETERS, initial=f"initial: {{points: [{point}]}}", **beside)
    assert sentences(refusal) == [f"the rest of a point is chosen where what it says is held: {said}"]
    assert under_caret(refusal) == [at]


@pytest.mark.parametrize(
    ("initial", "said", "at"),
    [
        ("{points: [{x: 2}]}", "expected a number in [0, 1] for `x`, got 2", "2}]}"),
        (
            "{points: [{x: 1, m: 2}]}",
            "expected the parameters `x` and `n`, got `m`",
            "m: 2}]}",
        ),
        ("{points: [{x: 1}, {}]}", "expected a value for `x`, but it is missing", "{}]}"),
        ("{reference: {n: 9}}", "expected a value for `x`, but it is missing", "{n: 9}}"),
    ],
)
def test_nothing_is_left_out_by_mistake(initial: str, said: str, at: str) -> None:
    refusal = refusal_with(initial=f"initial: {initial}")
    assert sentences(refusal)[0] == said
    assert under_caret(refusal)[0] == at


def test_an_algorithm_that_cannot_hold_parameters_wants_whole_points() -> None:
    refusal = refusal_with(algorithm="algorithm: boo", initial="initial: {points: [{x: 1, n: 2}, {n: 9}]}")
    (said,) = sentences(refusal)
    assert said.startswith("expected an algorithm that holds parameters (")
    assert said.endswith("got `boo`; choose one of those, or say all parameters of the point")
    assert under_caret(refusal) == ["{n: 9}]}"]


def test_a_machine_that_travels_stands_at_a_whole_point_first_and_reaches_the_parts_last() -> None:
    travels = {
        "parameters": "parameters: {x: {type: float, bounds: [0, 1], travel: 0.2}, n: {type: int,"
        " bounds: [1, 9]}}",
        "mode": "mode: sequential",
    }
    spec = spec_with(**travels, initial="initial: {points: [{x: 0.4}, {x: 0.2, n: 1}, {n: 3}]}")
    assert len(started(spec).parts) == 2
    refusal = refusal_with(**travels, initial="initial: {points: [{x: 0.4}, {x: 0.1, n: 1}]}")
    assert "x = 0.4 is too far from 0.1" in refusal
    assert under_caret(refusal) == ["{x: 0.4}, {x: 0.1, n: 1}]}"]
    refusal = refusal_with(**travels, initial="initial: {points: [{x: 0.4}]}")
    assert "first of all the settings at which the machine stands" in refusal


def test_a_design_for_all_conditions_wants_whole_points() -> None:
    refusal = refusal_with(
        parameters="parameters: {x: {type: float, bounds: [0, 1]}, n: {type: float, bounds: [0, 1],"
        " in_use: evenly}}",
        algorithm="algorithm: auto",
        initial="initial: {points: [{x: 0.4}]}",
    )
    assert sentences(refusal) == [
        "expected no parts of points beside `in_use`: in which condition to evaluate is chosen with the"
        " design; say all of each point"
    ]


def test_who_compares_trials_wants_whole_points() -> None:
    refusal = refusal_with(
        objective="objective: {told: by comparison}",
        algorithm="algorithm: auto",
        evaluation="evaluation: {evaluator: person}",
        workers="workers: {local: 0}",
        initial="initial: {points: [{x: 0.4}]}",
    )
    assert sentences(refusal) == [
        "expected no parts of points beside `told: by comparison`: trials are compared wherever they are; say"
        " all of each point"
    ]


def test_a_part_leaves_it_to_the_optimiser_how_closely_to_look() -> None:
    told = {
        "parameters": "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9]}}",
        "fidelity": "fidelity: {parameter: n, cost: n}",
        "algorithm": "algorithm: auto",
        "budget": "budget: {cost: 1.5}",
    }
    spec = spec_with(**told, initial="initial: {points: [{x: 1}, {x: 1, n: 9}]}")
    assert started(spec).parts == ({"x": 1.0},)
    refusal = refusal_with(**told, initial="initial: {points: [{x: 0}, {x: 1, n: 9}, {n: 9}]}")
    assert "expected points that cost no more than the budget of 1.5, got 2" in refusal


def test_the_first_round_is_of_the_whole_ones() -> None:
    loaded = load_spec_text(
        text_with(mode="mode: {synchronous: 4}", initial="initial: {points: [{x: 1}, {x: 1, n: 9}, {n: 2}]}"),
        "wing.yaml",
        Path(),
    )
    (remark,) = loaded.remarks
    assert "the first round is what `initial` lists in full and no more, 1 of 4 trials" in remark
