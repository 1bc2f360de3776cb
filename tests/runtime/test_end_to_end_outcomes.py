"""Runs in real processes whose results must satisfy constraints on outcomes: to their end, and killed."""

from __future__ import annotations

import pytest
from run_lab import RunLab, checked, spec, suggestions

from orchestrator.scheduler.transitions import TrialState

HEATED = {"outcomes": ["heat"], "constraints": ["heat <= 50", "x + y <= 1.6"]}


def test_the_best_keeps_to_the_limit_and_everything_says_why(lab: RunLab) -> None:
    # One after the other, so that models are waited for however slow the machine is.
    told = {"algorithm": {"name": "auto"}, "mode": "sequential", "initial": {"count": 6}}
    run = lab.run(spec("heated", budget={"trials": 10}, **told, **HEATED))
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.tally.failed) == (10, 0)
    for trial in state.trials.values():
        assert (trial.broken == ("heat <= 50",)) == (trial.extras["heat"] > 50)
    assert any(trial.broken for trial in state.trials.values())
    assert state.found.best is not None
    assert state.found.best.value is not None
    assert state.found.best.value == max(
        trial.value or 0.0 for trial in state.trials.values() if not trial.broken
    )
    assert 1.4 < state.found.best.value <= 1.5, "x = 0.5 at most, and y = 1"
    path = str(run.folder.path)
    assert "heat = 4" in lab.says("status", path)
    assert "heat" in lab.says("best", path)
    hot = next(trial for trial in state.trials.values() if trial.broken)
    assert "Does not satisfy `heat <= 50`" in lab.says("explain", path, str(hot.number))
    later = [trial for trial in state.trials.values() if "feasible" in trial.suggested.why]
    words = lab.says("explain", path, str(later[-1].number))
    assert "That it would satisfy the constraints on outcomes was held to be" in words
    assert "does not satisfy `heat <= 50`" in lab.says("trials", path, "--format", "csv")


@pytest.mark.long
def test_a_run_that_is_killed_and_resumed_suggests_what_it_would_have(lab: RunLab) -> None:
    whole = spec(
        "heated",
        options={"seconds": 0.05},
        algorithm={"name": "auto"},
        mode="sequential",
        budget={"trials": 9},
        initial={"count": 5},
        **HEATED,
    )
    killed, undisturbed = lab.run_killed(whole, asks=7), lab.run_to_its_end(whole)
    assert suggestions(killed) == suggestions(undisturbed)
    assert [t.broken for t in checked(killed).trials.values()] == [
        t.broken for t in checked(undisturbed).trials.values()
    ]


def test_a_result_without_its_outcome_is_a_failure_that_says_so(lab: RunLab) -> None:
    run = lab.run(
        spec(
            "heated",
            options={"cold": 2, "hottest": 3},
            evaluation={"attempts": 2},
            mode="sequential",
            budget={"trials": 4},
            algorithm={"name": "sobol"},
            outcomes=["heat"],
            constraints=["heat <= 200"],
        )
    )
    run.ends(0)
    state = checked(run.folder)
    assert [trial.state for trial in state.trials.values()].count(TrialState.FAILED) == 2
    assert (
        "expected the outcome `heat`, a finite number, beside the value, got a whole number of 401 digits"
        in state.trials[3].message
    )
    cold = state.trials[2]
    assert (cold.attempts.given, cold.value) == (2, None)
    assert (
        "expected the outcome `heat`, a finite number, beside the value, got none beside `note`"
        in cold.message
    )


def test_where_nothing_satisfies_them_there_is_no_best_and_it_is_said(lab: RunLab) -> None:
    run = lab.run(
        spec(
            "heated",
            budget={"trials": 4},
            outcomes=["heat"],
            constraints=["heat < 0"],
            algorithm={"name": "gp-ei"},
        )
    )
    run.ends(0)
    assert checked(run.folder).found.best is None
    path = str(run.folder.path)
    assert "no trial satisfies the constraints on outcomes yet" in lab.says("status", path)
    assert "no trial satisfies the constraints on outcomes yet" in lab.says("best", path, code=1)
    lab.says("report", path)


def test_amended_bounds_leave_the_constraints_as_they_are_and_known_results_bring_their_outcomes(
    lab: RunLab,
) -> None:
    run = lab.run(
        spec("heated", budget={"trials": 6}, algorithm={"name": "auto"}, initial={"count": 5}, **HEATED)
    )
    run.ends(0)
    path = str(run.folder.path)
    told = lab.says(
        "amend", path, "--result", "x=0.1,y=0.9,value=9,heat=99", "--trials", "8", "--bounds", "y=0,0.9"
    )
    assert "does not satisfy the constraints" in told
    lab.resume(run.folder).ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 8
    assert state.observed[-1].number >= 1
    known = next(trial for trial in state.observed if trial.number < 1)
    assert (known.broken, known.extras) == (("heat <= 50",), {"heat": 99.0})
    assert state.found.best is not None
    assert state.found.best.value is not None
    assert state.found.best.value <= 1.4
