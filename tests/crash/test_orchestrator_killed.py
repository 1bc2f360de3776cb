"""The orchestrator killed at random moments of real runs, and resumed each time.

ORCHESTRATOR_KILLS=300 pytest tests/crash   for longer; ORCHESTRATOR_KILLS_SEED for other moments.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Mapping
from typing import Any

from run_lab import Life, RunLab, checked, spec, suggestions

from orchestrator.runtime.journal import read_journal
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.scheduler.events import ResultArrived, RunStarted
from orchestrator.scheduler.machine import trial_of
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState

KILLS = int(os.environ.get("ORCHESTRATOR_KILLS", "8"))
SEED = int(os.environ.get("ORCHESTRATOR_KILLS_SEED", "20"))
LONGEST_LIFE_S = 1.8
"""So that some are killed before they are up, and none gets far."""
TRIALS_PER_LIFE = 5


def lives(lab: RunLab, whole: Mapping[str, Any], kills: int, seed: int) -> RunFolder:
    """See a run through that is killed ``kills`` times, if it does not reach its end before."""
    moments = random.Random(seed)
    run = lab.run(whole)
    run.await_events(RunStarted)
    folder = run.folder
    before: dict[int, float] = {}
    killed = 0
    while killed < kills and lives_for(run, moments.uniform(0.0, LONGEST_LIFE_S)):
        killed += 1
        before = nothing_is_lost(folder, before)
        run = lab.resume(folder)
    run.ends(0)
    assert killed >= kills // 2, "it ended too early to prove anything: give it more trials"
    nothing_is_lost(folder, before)
    lab.all_gone()
    return folder


def lives_for(run: Life, seconds: float) -> bool:
    """Kill it after so long; False if it came to its end before."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if run.process.poll() is not None:
            run.ends(0)
            return False
        time.sleep(0.001)
    run.kill()
    return True


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
    assert (state.completed, state.failed, state.abandoned) == (trials, 0, 0)
    return state


def test_with_one_worker_the_suggestions_are_those_of_a_run_that_was_never_killed(lab: RunLab) -> None:
    trials = 12 + TRIALS_PER_LIFE * KILLS // 2
    whole = spec(
        "slow",
        options={"seconds": 0.15},
        algorithm={"name": "egp-ts"},
        mode="sequential",
        budget={"trials": trials},
    )
    undisturbed = lab.run(whole)
    undisturbed.ends(0)
    folder = lives(lab, whole, KILLS // 2, SEED)
    ended(folder, trials)
    assert suggestions(folder) == suggestions(undisturbed.folder)


def test_with_several_workers_no_trial_is_lost_nor_its_result_taken_twice(lab: RunLab) -> None:
    trials = 3 * TRIALS_PER_LIFE * KILLS // 2
    whole = spec("slow", options={"seconds": 0.15}, workers={"local": 3}, budget={"trials": trials})
    folder = lives(lab, whole, KILLS - KILLS // 2, SEED + 1)
    state = ended(folder, trials)
    arrived = [event for event in read_journal(folder.journal).events if isinstance(event, ResultArrived)]
    assert {trial_of(event.lease) for event in arrived} == set(range(1, trials + 1))
    assert len(arrived) - state.late == trials
