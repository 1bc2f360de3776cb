"""A worker on a sick machine fails whatever it is given, at once: the others' trials must not suffer."""

from __future__ import annotations

from lab import Lab, leased, only
from policies import policy_with

from orchestrator.scheduler.commands import Acknowledge
from orchestrator.scheduler.events import LeaseExpired, WorkerBeganDraining
from orchestrator.scheduler.transitions import TrialState


def sick_lab(**rules: object) -> Lab:
    """Two points: a healthy worker is busy with the first, and a sick one failed twice at the other."""
    lab = Lab(policy_with(**{"trials": 20, "attempts": 3, **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.suggest(1)
    lab.join("healthy")
    lab.join("sick")
    assert leased(lab.suggest(1)) == ["2.1"]
    assert leased(lab.fail("2.1", "sick")) == ["2.2"]
    lab.fail("2.2", "sick")
    return lab


def test_what_fails_once_is_tried_again_at_once_and_what_fails_twice_elsewhere() -> None:
    lab = sick_lab()
    assert (lab.leases("sick"), lab.trial(2).state) == ([], TrialState.QUEUED)
    assert leased(lab.succeed("1.1", worker="healthy")) == ["2.3"]
    assert lab.leases("healthy") == ["2.3"]


def test_from_then_on_a_trial_loses_one_attempt_there_and_not_all() -> None:
    lab = sick_lab()
    lab.succeed("1.1", worker="healthy")
    lab.suggest()
    number = max(lab.state.trials)
    assert lab.leases("sick") == [f"{number}.1"]
    assert leased(lab.fail(f"{number}.1", "sick")) == []
    lab.succeed("2.3", worker="healthy")
    assert lab.leases("healthy") == [f"{number}.2"]


def test_one_that_succeeds_again_is_trusted_again() -> None:
    lab = sick_lab()
    lab.succeed("1.1", worker="healthy")
    lab.suggest()
    number = max(lab.state.trials)
    lab.succeed(f"{number}.1", worker="sick")
    lab.suggest()
    number = max(lab.state.trials)
    assert lab.leases("sick") == [f"{number}.1"]
    assert leased(lab.fail(f"{number}.1", "sick")) == [f"{number}.2"]


def test_where_there_is_no_other_place_it_is_tried_there_again() -> None:
    lab = sick_lab()
    assert leased(lab.leave("healthy", lost=False)) == ["1.2"]
    lab.fail("1.2", "sick")
    assert lab.leases("sick") == ["1.3"]


def test_workers_of_one_machine_are_one_place() -> None:
    lab = Lab(policy_with(trials=20, attempts=3))
    lab.start()
    lab.suggest(1)
    lab.join("local-1", local=True)
    lab.join("local-2", local=True)
    lab.suggest(1)
    lab.fail("2.1", "local-2")
    assert leased(lab.fail("2.2", "local-2")) == ["2.3"]


def test_a_sick_one_that_says_hello_again_is_in_doubt_still() -> None:
    lab = sick_lab()
    lab.join("sick")
    assert (lab.leases("sick"), lab.trial(2).state) == ([], TrialState.QUEUED)


def test_one_that_drains_is_no_other_place_to_wait_for() -> None:
    lab = sick_lab()
    commands = lab.happen(WorkerBeganDraining(at=lab.tick(), worker="healthy"))
    assert lab.leases("healthy") == ["1.1"]
    assert leased(commands) == ["2.3"]
    assert lab.leases("sick") == ["2.3"]


def test_what_it_says_of_a_lease_that_had_ended_raises_no_doubt() -> None:
    lab = Lab(policy_with(trials=20, attempts=3))
    lab.start()
    lab.suggest()
    lab.join("slow")
    for _ in range(2):
        lease = lab.leases("slow")[0]
        lab.happen(LeaseExpired(at=lab.tick(), lease=lease, reason="overdue"))
        (answer,) = only(Acknowledge, lab.fail(lease, "slow"))
        assert answer.counted is False
    worker = lab.state.crew.workers["slow"]
    assert (worker.failed, worker.failed_in_a_row, lab.state.tally.late) == (0, 0, 2)


def test_a_trial_goes_back_to_no_sick_one_where_it_failed_though_it_failed_elsewhere_since() -> None:
    lab = sick_lab(attempts=5)
    assert leased(lab.join("sick too")) == ["2.3"]
    assert leased(lab.fail("2.3", "sick too")) == ["2.4"]
    assert leased(lab.fail("2.4", "sick too")) == []
    assert leased(lab.succeed("1.1", worker="healthy")) == ["2.5"]
