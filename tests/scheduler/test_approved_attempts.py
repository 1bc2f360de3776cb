"""Where a person approves trials, what failed waits for that again before a machine tries it once more."""

from __future__ import annotations

import pytest
from lab import Lab, leased
from policies import policy_with

from orchestrator.scheduler.events import LeaseExpired, StopRequested, TrialApproved


def approved_lab(approves_attempts: bool = True, local: bool = False) -> Lab:
    """Trial 1 was approved, and runs on `w1`."""
    lab = Lab(policy_with(trials=4, attempts=3, approval=True))
    lab.start(points=({"x": 1.0},), approves_attempts=approves_attempts)
    lab.join("w1", local=local)
    assert approve(lab) == ["1.1"]
    return lab


def approve(lab: Lab) -> list[str]:
    return leased(lab.happen(TrialApproved(at=lab.tick(), trial=1)))


@pytest.mark.parametrize("lost", [False, True])
def test_what_failed_or_was_lost_is_not_tried_again_unasked(lost: bool) -> None:
    lab = approved_lab()
    if lost:
        assert leased(lab.leave("w1")) == []
        assert leased(lab.join("w1")) == []
    else:
        assert leased(lab.fail("1.1")) == []
    assert approve(lab) == ["1.2"]


def test_what_a_worker_never_had_needs_no_other_approval() -> None:
    lab = approved_lab()
    never = LeaseExpired(at=lab.tick(), lease="1.1", reason="it did not arrive", counts=False)
    assert leased(lab.happen(never)) == ["1.2"]


def test_a_worker_that_comes_back_with_it_goes_on_with_what_was_approved() -> None:
    lab = approved_lab()
    lab.leave("w1")
    lab.join("w1", held=["1.1"])
    assert lab.leases("w1") == ["1.1"]
    assert lab.trial(1).approved


def test_in_journals_of_before_it_was_approved_once_for_all() -> None:
    assert leased(approved_lab(approves_attempts=False).fail("1.1")) == ["1.2"]


def test_what_the_orchestrator_s_death_cut_short_is_not_begun_again_unasked() -> None:
    lab = approved_lab(local=True)
    lab.resume(approves_again=True)
    assert leased(lab.join("w1", local=True)) == []
    assert lab.trial(1).attempts.failed == 0, "it was not its fault"
    assert approve(lab) == ["1.2"]


def test_what_goes_on_elsewhere_needs_no_other_approval_and_what_does_not_needs_one() -> None:
    lab = approved_lab()
    lab.resume(approves_again=True)
    assert leased(lab.join("w1", held=["1.1"])) == []
    assert lab.leases("w1") == ["1.1"]
    lost = LeaseExpired(at=lab.tick(), lease="1.1", reason="it did not come back")
    assert leased(lab.happen(lost)) == []
    assert approve(lab) == ["1.2"]


def test_what_a_person_stopped_stays_approved_and_is_begun_again_by_whoever_resumes() -> None:
    lab = approved_lab(local=True)
    lab.happen(StopRequested(at=lab.tick(), now=True))
    lab.resume(approves_again=True)
    assert leased(lab.join("w1", local=True)) == ["1.2"]


def test_in_journals_of_before_it_was_begun_again_by_a_resume() -> None:
    lab = approved_lab(local=True)
    lab.resume()
    assert leased(lab.join("w1", local=True)) == ["1.2"]
