"""The orchestrator killed at random moments of real runs, and resumed each time.

ORCHESTRATOR_KILLS=300 pytest -rP tests/crash   for longer; ORCHESTRATOR_KILLS_SEED for other moments.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from run_lab import PATIENCE_S, Life, RunLab, checked, spec, suggestions

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.events import ResultArrived, RunResumed, RunStarted
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState

KILLS = int(os.environ.get("ORCHESTRATOR_KILLS", "8"))
SEED = int(os.environ.get("ORCHESTRATOR_KILLS_SEED", "20"))
EVENTS_PER_LIFE = 8
"""At most, for each worker: so that some are killed before they are up, most at work, and none gets far."""
TRIALS_PER_LIFE = 2
SPREAD_S = 0.3
"""Between the last event that a life is granted and its end; a trial takes half as long."""
START_S = 0.3
"""Of one that is granted none: about what it needs to be up."""
UNDISTURBED_S = PATIENCE_S + 5 * KILLS
"""Of a whole run, whose trials are in proportion to the kills."""
pytestmark = pytest.mark.timeout(4 * UNDISTURBED_S)


def lives(lab: RunLab, whole: Mapping[str, Any], kills: int, seed: int) -> RunFolder:
    """See a run through that is killed ``kills`` times, if it does not reach its end before."""
    moments = random.Random(seed)
    run = lab.run(whole)
    run.await_events(RunStarted)
    folder = run.folder
    events = EVENTS_PER_LIFE * whole["workers"]["local"]
    before: dict[int, float] = {}
    killed = 0
    while killed < kills:
        granted = moments.randint(0, events)
        if not lives_for(run, granted, moments.random() * (SPREAD_S if granted else START_S)):
            break
        killed += 1
        before = nothing_is_lost(folder, before)
        run = lab.resume(folder)
    run.ends(0, UNDISTURBED_S)
    resumed = sum(isinstance(event, RunResumed) for event in read_journal(folder.journal).events)
    print(f"killed {killed} times of {kills}; {resumed} lives got far enough to say that they resumed")
    assert killed >= kills // 2, "it ended too early to prove anything: give it more trials"
    nothing_is_lost(folder, before)
    lab.all_gone()
    return folder


def lives_for(run: Life, events: int, seconds: float) -> bool:
    """Kill it a moment after so many more events; False if it came to its end before."""
    journal = run.folder.journal
    begun = journal.stat().st_size
    late = time.monotonic() + PATIENCE_S
    end = None
    while end is None or time.monotonic() < end:
        assert time.monotonic() < late, f"{lines_behind(journal, begun)} of {events} events: {run.said}"
        if run.process.poll() is not None:
            run.ends(0)
            return False
        if end is None and lines_behind(journal, begun) >= events:
            end = time.monotonic() + seconds
        time.sleep(0.001)
    run.kill()
    return True


def lines_behind(journal: Path, begun: int) -> int:
    with journal.open("rb") as file:
        file.seek(begun)
        return file.read().count(b"\n")


def nothing_is_lost(folder: RunFolder, before: Mapping[int, float]) -> dict[int, float]:
    """The values that the journal holds, each as it was."""
    values = {
        number: trial.value
        for number, trial in checked(folder).trials.items()
        if trial.state is TrialState.COMPLETED and trial.value is not None
    }
    assert {number: values.get(number) for number in before} == before
    return values


def ended(folder: RunFolder, trials: int) -> State:
    state = checked(folder)
    assert (state.tally.completed, state.tally.failed, state.tally.abandoned) == (trials, 0, 0)
    return state


@(pytest.mark.timeout(4 * UNDISTURBED_S) if "ORCHESTRATOR_KILLS" in os.environ else pytest.mark.long)
def test_with_one_worker_the_suggestions_are_those_of_a_run_that_was_never_killed(lab: RunLab) -> None:
    trials = 12 + TRIALS_PER_LIFE * (KILLS // 2)
    whole = spec(
        "slow",
        options={"seconds": 0.15},
        algorithm={"name": "egp-ts"},
        mode="sequential",
        budget={"trials": trials},
    )
    undisturbed = lab.run(whole)
    undisturbed.ends(0, UNDISTURBED_S)
    folder = lives(lab, whole, KILLS // 2, SEED)
    ended(folder, trials)
    assert suggestions(folder) == suggestions(undisturbed.folder)


def test_with_several_workers_no_trial_is_lost_nor_its_result_taken_twice(lab: RunLab) -> None:
    trials = 4 * TRIALS_PER_LIFE * (KILLS - KILLS // 2)
    whole = spec("slow", options={"seconds": 0.15}, workers={"local": 3}, budget={"trials": trials})
    folder = lives(lab, whole, KILLS - KILLS // 2, SEED + 1)
    state = ended(folder, trials)
    arrived = [event for event in read_journal(folder.journal).events if isinstance(event, ResultArrived)]
    assert {trial_of(event.lease) for event in arrived} == set(range(1, trials + 1))
    assert len(arrived) - state.tally.late == trials
