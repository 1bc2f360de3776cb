"""A trial that its worker has not begun, as another run is at work there, goes to one that is free."""

from __future__ import annotations

import pytest
from lab import Lab, leased
from policies import policy_with

from orchestrator.scheduler.amendment_events import RunContinued, RunPaused
from orchestrator.scheduler.commands import CancelLease
from orchestrator.scheduler.events import LeaseExpired
from orchestrator.scheduler.liveness import Liveness, Patience
from orchestrator.values.travel import Travel

PATIENCE = Patience(heartbeat_s=1.0, silence_s=50.0, unheld_s=3.0, overdue_s=10.0, waits_s=60.0)


class Watched(Lab):
    """What is leased is watched, on the lab's clock; ``busy`` works for another run and begins nothing."""

    timeout_s: float | None = None

    def watch(self, *workers: str) -> None:
        self.liveness = Liveness(timeout_s=self.timeout_s, patience=PATIENCE)
        for worker in workers:
            self.liveness.joined(worker, now=self.now)
        for trial in self.state.unsettled.values():
            if trial.lease is not None and trial.worker is not None:
                self.liveness.granted(trial.lease, trial.worker, self.now)

    def moved_within(self, seconds: int, waiting: str = "1.1") -> float | None:
        """When the lease that waits is taken back: seconds from now, by heartbeats that name it."""
        for passed in range(1, seconds + 1):
            self.liveness.beat("busy", [waiting], now=self.now + passed, waiting=[waiting])
            for event in self.liveness.outwaited(self.state, self.now + passed):
                self.event = event
                return float(passed)
        return None


@pytest.fixture
def lab() -> Watched:
    """Trial 1 waits at the busy one, and nothing else is to be done."""
    lab = Watched(policy_with(trials=9, mode="sequential"))
    lab.start(in_turn=True)
    lab.join("busy", slots=2)
    assert leased(lab.suggest()) == ["1.1"]
    return lab


def test_it_goes_to_one_that_is_free_after_its_own_timeout_and_costs_no_attempt(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    assert lab.moved_within(30) == 9.0
    assert isinstance(lab.event, LeaseExpired)
    assert not lab.event.counts
    assert "another run" in lab.event.reason
    commands = lab.happen(lab.event)
    assert [one.worker for one in commands if isinstance(one, CancelLease)] == ["busy"]
    # Though the busy one has waited longer for work.
    assert leased(commands) == ["1.2"]
    assert (lab.trial(1).worker, lab.trial(1).attempts.failed) == ("free", 0)


def test_without_a_timeout_what_others_took_is_long_enough(lab: Watched) -> None:
    lab.join("free")
    lab.state.optimiser.pace.evaluated(4.0)
    lab.watch("busy", "free")
    assert lab.moved_within(30) == 6.0


def test_where_nothing_is_known_it_is_a_minute(lab: Watched) -> None:
    lab.join("free")
    lab.watch("busy", "free")
    assert lab.moved_within(90) == 62.0


def test_where_nobody_else_is_free_it_stays(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.watch("busy")
    assert lab.moved_within(90) is None


def test_a_worker_at_which_something_waits_is_not_free(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("busy too")
    lab.watch("busy", "busy too")
    lab.liveness.granted("8.1", "busy too", lab.now)
    for passed in range(1, 30):
        lab.liveness.beat("busy too", ["8.1"], now=lab.now + passed, waiting=["8.1"])
        lab.liveness.beat("busy", ["1.1"], now=lab.now + passed, waiting=["1.1"])
        assert lab.liveness.outwaited(lab.state, lab.now + passed) == []


def test_one_that_has_been_begun_is_left_where_it_is(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    assert lab.moved_within(5) is None
    for passed in range(6, 16):
        lab.liveness.beat("busy", ["1.1"], now=lab.now + passed)
        assert lab.liveness.outwaited(lab.state, lab.now + passed) == []


def test_however_often_it_waits_that_is_no_failure(lab: Watched) -> None:
    lab.join("free")
    for attempt in range(1, 12):
        waited = LeaseExpired(
            at=lab.tick(), lease=f"1.{attempt}", reason="it waits", counts=False, waited=True
        )
        lab.happen(waited)
        assert (lab.trial(1).lease, lab.trial(1).attempts.failed) == (f"1.{attempt + 1}", 0)


def test_time_in_which_nothing_could_be_heard_is_no_waiting(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    assert lab.moved_within(5) is None
    lab.liveness.excuse(20.0)
    assert lab.liveness.outwaited(lab.state, lab.now + 25.0) == []


def test_one_free_place_takes_one_of_those_that_wait() -> None:
    lab = Watched(policy_with(trials=9, mode="synchronous", batch=2))
    lab.start(in_turn=True)
    lab.join("busy", slots=2)
    leases = leased(lab.suggest())
    assert leases == ["1.1", "2.1"]
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    lab.liveness.beat("busy", leases, now=lab.now, waiting=leases)
    assert [one.lease for one in lab.liveness.outwaited(lab.state, lab.now + 9.0)] == ["1.1"]


def test_of_a_run_that_is_paused_or_ends_nothing_is_taken_back(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    lab.happen(RunPaused(at=lab.tick()))
    assert lab.moved_within(30) is None
    lab.happen(RunContinued(at=lab.tick()))
    assert lab.moved_within(30) is not None


def test_what_takes_less_than_a_heartbeat_is_waited_for_as_long_as_one(lab: Watched) -> None:
    lab.timeout_s = 0.2
    lab.join("free")
    lab.watch("busy", "free")
    assert lab.moved_within(30) == 3.0


def test_what_was_taken_back_otherwise_meanwhile_is_not_taken_back_again(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("free")
    lab.join("free too")
    lab.watch("busy", "free", "free too")
    assert lab.moved_within(5) is None
    lab.happen(LeaseExpired(at=lab.tick(), lease="1.1", reason="a person said so", counts=False, waited=True))
    assert lab.trial(1).lease == "1.2"
    assert lab.moved_within(30) is None


def test_it_is_taken_back_once(lab: Watched) -> None:
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    assert lab.moved_within(30) == 9.0
    # Nobody has handled it yet.
    assert lab.liveness.outwaited(lab.state, lab.now + 10.0) == []


def test_none_is_free_for_it_that_may_not_try_it() -> None:
    lab = Watched(policy_with(trials=9, mode="sequential", travel={"x1": Travel(0.1, logarithmic=False)}))
    lab.start(in_turn=True)
    lab.join("busy", slots=2)
    assert leased(lab.suggest()) == ["1.1"]
    lab.timeout_s = 7.0
    lab.join("free")
    lab.watch("busy", "free")
    # Its machine stands where the other one's does not.
    assert lab.moved_within(30) is None
