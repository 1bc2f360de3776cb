"""What workers give back as they leave costs no attempt, but not for ever: it may be too long for them."""

from __future__ import annotations

import pytest
from lab import Lab, leased
from policies import policy_with

from orchestrator.scheduler.events import StopRequested, WorkerBeganDraining
from orchestrator.scheduler.handling.crew import CUT_SHORT_IN_VAIN
from orchestrator.scheduler.transitions import TrialState


def queue_lab(counts: bool = True, attempts: int = 1) -> Lab:
    lab = Lab(policy_with(trials=4, attempts=attempts))
    lab.start(points=({"x": 1.0},), takes_back=True, counts_given_back=counts)
    return lab


def a_job_ends(lab: Lab, times: int = 1, lost: bool = False) -> None:
    """Once more a worker comes, is given trial 1, is told to leave, and leaves or is killed."""
    for _ in range(times):
        assert leased(lab.join("w")) != []
        lab.happen(WorkerBeganDraining(at=lab.tick(), worker="w"))
        lab.leave("w", lost=lost)


@pytest.mark.parametrize("lost", [False, True])
def test_a_job_whose_time_is_up_costs_its_trial_no_attempt(lost: bool) -> None:
    """Nor where it is killed with what it was to finish."""
    lab = queue_lab()
    a_job_ends(lab, CUT_SHORT_IN_VAIN, lost)
    assert (lab.trial(1).state, lab.trial(1).attempts.failed) == (TrialState.QUEUED, 0)


def test_what_no_job_is_long_enough_for_fails_in_the_end_and_says_why() -> None:
    lab = queue_lab(attempts=2)
    a_job_ends(lab, CUT_SHORT_IN_VAIN + 2)
    assert lab.trial(1).state is TrialState.FAILED
    assert lab.trial(1).message == (
        "cut short 7 times as its workers left, the last time: gone; may they stay for as long as an"
        " evaluation takes?"
    )


def test_what_ends_with_the_run_that_a_person_stops_is_not_counted() -> None:
    lab = queue_lab()
    a_job_ends(lab, CUT_SHORT_IN_VAIN)
    lab.join("w")
    lab.happen(StopRequested(at=lab.tick(), now=False, reason="SIGINT"))
    lab.leave("w", lost=False)
    assert lab.trial(1).state is TrialState.QUEUED


def test_in_older_journals_nothing_of_it_was_counted_but_every_loss() -> None:
    lab = queue_lab(counts=False)
    a_job_ends(lab, CUT_SHORT_IN_VAIN + 3)
    assert lab.trial(1).state is TrialState.QUEUED
    lost = queue_lab(counts=False, attempts=2)
    a_job_ends(lost, lost=True)
    assert lost.trial(1).attempts.failed == 1
