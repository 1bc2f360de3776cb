"""Runs that end because their model says that little is left to gain."""

from __future__ import annotations

import os
import signal
from typing import Any

from run_lab import PATIENCE_S, RunLab, checked, eventually, spec

from orchestrator.scheduler.events import RemainingGainEstimated
from orchestrator.scheduler.transitions import Phase

LONG_S = 2 * PATIENCE_S
"""Some dozens of trials, on a machine that has other things to do."""
WORDS = "the model expects less than 0.01 to be left to gain (expected "


def to_the_top(**changes: Any) -> dict[str, Any]:
    """A hill whose top is 1."""
    return spec(
        "slow",
        options={"seconds": 0.1},
        algorithm={"name": "gp-ei"},
        mode="sequential",
        budget={"trials": None, "time": "1 h", "expected_gain": 0.01},
        **changes,
    )


def test_a_run_stops_early_near_the_top_and_stays_stopped_and_goes_on_when_less_is_enough(
    lab: RunLab,
) -> None:
    run = lab.run(to_the_top())
    run.ends(0, LONG_S)
    state = checked(run.folder)
    assert state.phase is Phase.FINISHED
    assert state.end.why.startswith(WORDS)
    assert state.tally.completed == len(state.trials)
    assert state.found.best is not None
    assert state.found.best.value is not None
    assert state.found.best.value > 0.99
    before = os.path.getsize(run.folder.journal)

    again = lab.resume(run.folder)
    again.ends(0)
    assert os.path.getsize(run.folder.journal) == before
    assert WORDS in " ".join(lab.says("status", str(run.folder.path)).split())

    lab.says("amend", str(run.folder.path), "--expected-gain", "1e-12", "--trials", "200")
    last = lab.resume(run.folder)
    eventually(lambda: len(checked(run.folder).trials) > len(state.trials))
    last.signal(signal.SIGINT)
    last.ends(130)


def test_a_minimisation_stops_likewise(lab: RunLab) -> None:
    run = lab.run(to_the_top(objective={"goal": "minimise"}))
    run.ends(0, LONG_S)
    state = checked(run.folder)
    assert state.end.why.startswith(WORDS)
    assert state.found.best is not None
    assert state.found.best.value is not None
    # The farthest corner: 1 - 0.7 ** 2 - 0.6 ** 2.
    assert 0.15 <= state.found.best.value < 0.16
    estimates = run.of(RemainingGainEstimated)
    assert len(estimates) >= 2
    assert all(min(estimate.draws) >= 0.0 for estimate in estimates)


def test_with_an_algorithm_that_cannot_tell_the_spec_is_refused_in_a_sentence(lab: RunLab) -> None:
    whole = spec(budget={"trials": 60, "expected_gain": 0.01})
    said = " ".join(lab.says("validate", str(lab.write(whole)), code=2).split())
    assert "expected an algorithm that can tell what is left to gain (" in said
    assert "`gp-ei`, `gp-ts` or `gp-ucb`), " in said
    assert "got `random`" in said
    assert "expected_gain: 0.01" in said
