"""A worker that is lost with a trial's last attempt has some time to come back with it."""

from __future__ import annotations

import pytest
from lab import Lab, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BoundsAmended
from orchestrator.scheduler.commands import CancelLease, FinishRun
from orchestrator.scheduler.events import LeaseExpired, RemainingGainEstimated
from orchestrator.scheduler.transitions import Phase, TrialState


def lost_lab(local: bool = False, takes_back: bool = True, **rules: object) -> Lab:
    """Trial 1 is at its last attempt on `w1`, which was lost, and trial 2 runs on `w2`."""
    lab = Lab(policy_with(**{"trials": 4, "attempts": 1, **rules}))  # type: ignore[arg-type]
    lab.start(points=({"x": 1.0}, {"x": 2.0}), takes_back=takes_back)
    lab.join("w1", local=local)
    lab.join("w2")
    lab.leave("w1")
    return lab


def test_the_value_that_it_comes_back_with_counts() -> None:
    lab = lost_lab()
    assert lab.trial(1).state is TrialState.RUNNING
    lab.join("w1")
    lab.succeed("1.1", value=7.0)
    assert (lab.trial(1).state, lab.trial(1).value, lab.state.tally.late) == (TrialState.COMPLETED, 7.0, 0)


def test_what_it_still_works_on_goes_on() -> None:
    lab = lost_lab()
    assert only(CancelLease, lab.join("w1", held=["1.1"])) == []
    assert lab.leases("w1") == ["1.1"]


def test_one_that_does_not_come_back_in_time_has_failed_at_it() -> None:
    lab = lost_lab()
    lab.happen(LeaseExpired(at=lab.tick(), lease="1.1", reason="its worker did not come back"))
    assert (lab.trial(1).state, lab.trial(1).message) == (TrialState.FAILED, "its worker did not come back")


@pytest.mark.parametrize("rules", [{"local": True}, {"takes_back": False}, {"attempts": 2}])
def test_nobody_is_waited_for_who_died_with_its_machine_or_whose_trial_others_may_try(
    rules: dict[str, int],
) -> None:
    """Or in older journals."""
    lab = lost_lab(**rules)  # type: ignore[arg-type]
    assert lab.trial(1).lease is None


def test_what_is_away_keeps_nobody_who_is_there_from_work_and_has_nobody_asked_for_more() -> None:
    lab = lost_lab()
    assert lab.state.optimiser.asking is None
    commands = lab.succeed("2.1", worker="w2")
    assert leased([*commands, *lab.suggest()]) == ["3.1"]


def test_what_was_left_out_of_the_bounds_while_it_ran_may_finish_all_the_same() -> None:
    lab = Lab(policy_with(trials=4, attempts=3))
    lab.start(points=({"x": 9.0},), takes_back=True)
    lab.join("w1")
    lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (0.0, 5.0)}))
    lab.leave("w1")
    lab.join("w1", held=["1.1"])
    lab.succeed("1.1", value=7.0)
    assert (lab.trial(1).value, lab.state.found.best) == (7.0, None)


def test_what_runs_when_little_is_left_to_gain_may_finish_all_the_same() -> None:
    lab = Lab(policy_with(trials=9, attempts=3, expected_gain=0.01))
    lab.start(points=({"x": 1.0},), takes_back=True)
    lab.join("w1")
    for refit in (1, 2):
        little = RemainingGainEstimated(
            at=lab.tick(), refit=refit, observations=5, draws=(0.0,) * 16, model=0
        )
        lab.happen(little)
    assert lab.state.phase is Phase.DRAINING
    lab.leave("w1")
    assert not only(FinishRun, lab.join("w1", held=["1.1"]))
    assert only(FinishRun, lab.succeed("1.1", value=7.0))
    assert lab.state.tally.completed == 1
