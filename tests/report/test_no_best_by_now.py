"""Why a run has no best trial once it was amended: what is held, or a constraint, leaves out those tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun
from shown_runs import closing, followed

from orchestrator.report.words.without_best import why_no_best
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.state import State

HEATED = SPEC + "algorithm: random\noutcomes: [heat]\nconstraints: [heat <= 80]\n"


def run_of(spec_text: str, *heats: float) -> RecordedRun:
    """One trial after the other came to so much heat, if the spec has any."""
    run = RecordedRun(spec_text).begin(workers=1)
    for heat in heats:
        run.answer_asks()
        run.give(5.0, {"heat": heat} if run.spec.outcomes else {})
    return run


def amended(run: RecordedRun, **what: object) -> State:
    request = Amend(**what)  # type: ignore[arg-type]
    decided = decide_amendment(request, run.spec, run.scheduler.state, run.at + 1.0, f"at {run.at}")
    for event in decided.events:
        run.happen(event)
    return run.scheduler.state


def test_what_satisfies_the_constraints_elsewhere_than_what_is_held_is_none_that_does_not(
    tmp_path: Path,
) -> None:
    run = run_of(HEATED, 70.0, 90.0)
    state = amended(run, held={"span": run.scheduler.state.trials[2].parameters["span"]})
    assert why_no_best(state) == "none satisfies where held"
    assert closing(followed(run, tmp_path)).startswith(
        "No trial satisfies the constraints where parameters are held, so there is no best point."
    )


def test_where_none_satisfied_them_anywhere_that_is_said_as_before() -> None:
    run = run_of(HEATED, 91.0, 90.0)
    state = amended(run, held={"span": run.scheduler.state.trials[2].parameters["span"]})
    assert why_no_best(state) == "none satisfies"


def test_what_satisfies_the_constraints_outside_of_amended_bounds_is_none_that_does_not(
    tmp_path: Path,
) -> None:
    run = run_of(HEATED, 70.0, 90.0)
    cool, hot = (run.scheduler.state.trials[number].parameters["span"] for number in (1, 2))
    middle = (cool + hot) / 2
    state = amended(run, bounds={"span": (1.0, middle) if hot < middle else (middle, 9.0)})
    assert why_no_best(state) == "none satisfies within bounds"
    assert closing(followed(run, tmp_path)).startswith(
        "No trial within the bounds satisfies the constraints, so there is no best point."
    )


@pytest.mark.parametrize("text", [SPEC, HEATED])
def test_what_breaks_a_constraint_that_was_added_had_a_value_and_may_lack_no_outcome(text: str) -> None:
    run = run_of(text, 70.0)
    state = amended(run, constraints=["span >= 8"])
    assert why_no_best(state) == "none satisfies by now"
    assert why_no_best(amended(run, withdrawn=["span >= 8"])) is None


def test_of_an_outcome_likewise() -> None:
    assert why_no_best(amended(run_of(HEATED, 70.0), constraints=["heat <= 60"])) == "none satisfies by now"
