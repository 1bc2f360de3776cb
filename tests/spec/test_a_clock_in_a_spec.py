"""The parameter of a spec whose value is the time: what it must be, and what is refused beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.report.words.spec import spec_words
from orchestrator.scheduler.rules.clock import Clock
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.begun.asked_points import points_to_try
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.partial_points import as_always
from orchestrator.spec.policy_of_spec import policy_of


def hours(more: str = "unit: h", bounds: str = "[0, 48]", **beside: str) -> str:
    lines = {"hours": f"{{type: float, bounds: {bounds}, {more}}}", "x": "{type: float, bounds: [0, 1]}"}
    return "parameters:\n" + "\n".join(f"  {name}: {told}" for name, told in (lines | beside).items())


CLOCK = {"parameters": hours(), "algorithm": "algorithm: auto", "clock": "clock: hours"}


@pytest.mark.parametrize(("unit", "seconds"), [("h", 3600.0), ("minutes", 60.0), ("s", 1.0), ("d", 86400.0)])
def test_a_clock_runs_in_the_unit_of_its_parameter(unit: str, seconds: float) -> None:
    spec = spec_with(**(CLOCK | {"parameters": hours(f"unit: {unit}")}))
    assert policy_of(spec).where.clock == Clock(parameter="hours", unit_s=seconds, bounds=(0.0, 48.0))
    assert "hours by the clock" in spec_words(spec)
    assert policy_of(spec_with()).where.clock is None


@pytest.mark.parametrize(
    ("lines", "said", "at"),
    [
        ({"clock": "clock: hour"}, "did you mean `hours`?", "hour"),
        ({"parameters": hours("step: 1")}, "expected a unit of time (`s`, `min`, `h` or `d`)", "hours:"),
        ({"parameters": hours("unit: km")}, "got `km`", "hours:"),
        ({"parameters": hours("unit: h, step: 1")}, "expected a clock that runs evenly", "hours:"),
        ({"parameters": hours("unit: h, tolerance: 1")}, "expected a clock that runs evenly", "hours:"),
        ({"parameters": hours(bounds="[1, 48]")}, "expected bounds that hold 0", "bounds:"),
        ({"parameters": hours(x="3")}, "at least one parameter to choose beside the clock", "clock:"),
        (
            {"parameters": hours(hours="{type: int, bounds: [0, 9], unit: h}")},
            "expected a float as",
            "hours:",
        ),
        ({"held": "held: {hours: 3}"}, "which is the clock", "hours: 3"),
        ({"budget": "budget: {trials: 9, patience: 3}"}, "no `patience` beside `clock`", "patience"),
        ({"budget": "budget: {trials: 9, target: 3}"}, "no `target` beside `clock`", "target"),
        ({"budget": "budget: {trials: 9, expected_gain: 3}"}, "no trial is the best", "expected_gain"),
        ({"constraints": "constraints: [x < hours]"}, "which is the clock", "x < hours"),
        ({"initial": "initial: {points: [{x: 0.5, hours: 3}]}"}, "expected 0", "3"),
        ({"algorithm": "algorithm: turbo"}, "expected an algorithm that holds parameters", "turbo"),
        ({"initial": "initial: {results: [{x: 0.5, value: 1}]}"}, "expected a value for `hours`", "{x"),
    ],
)
def test_what_a_clock_cannot_be_is_refused_where_it_stands(lines: dict[str, str], said: str, at: str) -> None:
    refusal = refusal_with(**(CLOCK | lines))
    assert any(said in sentence for sentence in sentences(refusal)), refusal
    assert any(told.startswith(at) for told in under_caret(refusal)), refusal


def test_a_program_need_not_be_told_the_time_and_known_results_tell_their_own() -> None:
    bounds = hours(bounds="[-24, 48]")
    lines = CLOCK | {
        "parameters": bounds,
        "evaluation": 'evaluation: {command: ["true", "{x}"], output: json}',
        "initial": "initial: {points: [{x: 0.5}], results: [{x: 0.5, hours: -2, value: 1}]}",
    }
    loaded = load_spec_text(text_with(**lines), "wing.yaml", Path())
    assert loaded.spec.initial.points == [{"hours": 0.0, "x": 0.5}]
    assert loaded.spec.initial.results[0].parameters == {"hours": -2.0, "x": 0.5}
    assert as_always(loaded.spec) == {"hours": 0.0}


def test_the_time_of_a_point_to_try_is_not_chosen_and_the_run_may_last_longer() -> None:
    spec = spec_with(**CLOCK)
    assert points_to_try(spec, ["x=0.5"]) == [{"hours": 0.0, "x": 0.5}]
    with pytest.raises(SpecError, match="which is the clock"):
        points_to_try(spec, ["x=0.5,hours=3"])
    with_bounds(spec, {"hours": (0.0, 96.0)})
    with pytest.raises(SpecError, match="expected bounds that hold 0"):
        with_bounds(spec, {"hours": (2.0, 96.0)})
