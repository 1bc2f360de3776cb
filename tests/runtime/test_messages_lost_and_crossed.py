"""What is sent again, lost, or crosses another message on its way costs no attempt, and is not done twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from conductor_stage import Stage, ticking

from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    LeaseExpired,
    ResultArrived,
    RunResumed,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.transitions import TrialState
from orchestrator.wire.messages import (
    Acknowledge,
    Evaluate,
    Failure,
    Goodbye,
    Heartbeat,
    Progress,
    Result,
    Welcome,
)


def test_a_lease_that_never_reached_its_worker_costs_no_attempt(stage: Stage) -> None:
    stage.hello()
    stage.turn()
    stage.wire.gone = True
    stage.answer()
    stage.turn()
    stage.turn()
    trial = stage.scheduler.state.trials[1]
    assert (trial.lease, trial.attempts.failed) == (None, 0)
    assert stage.scheduler.state.crew.workers == {}
    stage.wire.gone = False
    stage.hello()
    stage.turn()
    assert stage.lease().lease == "1.2"


def test_a_worker_that_is_lost_and_back_in_the_same_turn_is_there(stage: Stage) -> None:
    stage.hello()
    stage.turn()
    stage.now = 30.0
    stage.conductor.tick()
    stage.hello()
    stage.answer()
    stage.turn()
    assert list(stage.scheduler.state.crew.workers) == ["w"]
    stage.turn()
    assert stage.lease().lease == "1.1"
    assert not any(isinstance(event, WorkerLeft) for event in stage.conductor.inbox.take())


def test_a_heartbeat_that_crosses_the_first_lease_on_its_way_costs_no_attempt(stage: Stage) -> None:
    stage.answer()
    stage.turn()
    stage.hello()
    stage.turn()
    assert stage.lease().lease == "1.1"
    stage.receive(Heartbeat(leases=[]))
    stage.turn()
    stage.conductor.tick()
    assert stage.conductor.inbox.take() == []


def test_hellos_that_were_repeated_while_nobody_listened_cost_no_attempt(stage: Stage) -> None:
    stage.answer()
    stage.turn()
    for _ in range(3):
        stage.hello()
    stage.turn()
    assert stage.lease().lease == "1.1"
    stage.receive(Heartbeat(leases=[]))
    stage.turn()
    stage.conductor.tick()
    assert stage.conductor.inbox.take() == []


def test_of_hellos_that_were_repeated_while_nobody_listened_the_last_is_answered(stage: Stage) -> None:
    for leases in ((), ("1.1",), ("1.1", "2.1")):
        stage.hello(*leases)
    turn = stage.turn()
    assert [event.held for event in turn.events if isinstance(event, WorkerJoined)] == [("1.1", "2.1")]
    assert sum(isinstance(message, Welcome) for message in stage.wire.sent) == 1


def test_a_hello_that_somebody_else_says_over_a_connection_is_answered_too(stage: Stage) -> None:
    stage.hello()
    stage.receive(Goodbye(reason="drained"))
    stage.hello()
    turn = stage.turn()
    assert [type(event) for event in turn.events] == [WorkerJoined, WorkerLeft, WorkerJoined]


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("value", [None, 1.0])
def test_an_outcome_that_is_sent_again_is_recorded_once_and_acknowledged_each_time(
    stage: Stage, at_once: bool, value: float | None
) -> None:
    stage.hello()
    stage.answer()
    stage.turn()
    lease = stage.lease()
    came: list[Event] = []
    for _ in range(3):
        if value is None:
            said = Failure(run=lease.run, lease=lease.lease, trial=1, kind="error", message="it broke")
            stage.receive(said)
        else:
            stage.receive(Result(run=lease.run, lease=lease.lease, trial=1, value=value))
        if not at_once:
            came += stage.turn().events
    came += stage.turn().events
    assert [type(event) for event in came] == [FailureArrived if value is None else ResultArrived]
    acknowledged = [message.counted for message in stage.wire.sent if isinstance(message, Acknowledge)]
    assert acknowledged.count(True) == 1
    assert acknowledged.count(False) == 2
    trial = stage.scheduler.state.trials[1]
    assert (trial.value, trial.attempts.failed) == (value, value is None)


def test_a_value_of_an_attempt_that_was_said_to_have_failed_counts_all_the_same(stage: Stage) -> None:
    stage.hello()
    stage.answer()
    stage.turn()
    lease = stage.lease()
    stage.receive(Failure(run=lease.run, lease=lease.lease, trial=1, kind="error", message="it broke"))
    stage.turn()
    stage.receive(Result(run=lease.run, lease=lease.lease, trial=1, value=2.0))
    stage.turn()
    assert stage.scheduler.state.trials[1].value == 2.0


@pytest.mark.parametrize("of_another_run", [(), ("1.1",)])
def test_a_lease_of_before_that_a_worker_comes_back_without_expires(
    stage: Stage, of_another_run: tuple[str, ...]
) -> None:
    stage.answer()
    stage.turn()
    stage.hello()
    stage.turn()
    stage.receive(Heartbeat(leases=["1.1"]))
    stage.hello(*of_another_run, run="another")
    stage.turn()
    stage.receive(Heartbeat(leases=[]))
    stage.turn()
    stage.conductor.tick()
    assert [type(event) for event in stage.conductor.inbox.take()] == [LeaseExpired]


def test_a_hello_that_crosses_the_first_lease_on_its_way_costs_no_attempt(stage: Stage) -> None:
    stage.answer()
    stage.turn()
    for _ in range(2):
        stage.hello()
        stage.turn()
    stage.receive(Heartbeat(leases=[]))
    stage.turn()
    stage.conductor.tick()
    assert stage.conductor.inbox.take() == []


def test_a_lease_whose_frame_was_lost_costs_no_attempt_and_is_sent_again(stage: Stage) -> None:
    stage.answer()
    stage.hello()
    stage.turn()
    for _ in range(5):
        stage.now += 2.0
        stage.receive(Heartbeat(leases=[]))
        stage.turn()
        stage.conductor.tick()
    stage.turn()
    assert stage.lease().lease == "1.2"
    assert stage.scheduler.state.trials[1].attempts.failed == 0


@pytest.mark.parametrize("comes_back", [True, False])
@pytest.mark.parametrize(
    ("seconds_later", "failures"),
    [(0.0, 0), (5.0, 1)],
    ids=["given in the journal's last moment", "given long before its end"],
)
def test_a_lease_that_the_last_life_may_have_died_before_sending_costs_no_attempt(
    stage: Stage, comes_back: bool, seconds_later: float, failures: int
) -> None:
    stage.answer()
    stage.hello()
    stage.turn()
    stage.now += seconds_later
    if seconds_later:
        stage.receive(Heartbeat(leases=["1.1"], draining=True))
        stage.turn()
    stage.begin(RunResumed(at=stage.now, wall="later"))
    if comes_back:
        stage.hello()
        stage.turn()
        stage.receive(Heartbeat(leases=[]))
        stage.turn()
    else:
        ticking(stage, 61)
    stage.conductor.tick()
    stage.turn()
    trial = stage.scheduler.state.trials[1]
    assert (trial.lease, trial.attempts.failed) in [(None, failures), ("1.2", failures)]


def test_a_lease_of_the_last_moment_that_its_worker_had_all_the_same_costs_an_attempt(stage: Stage) -> None:
    stage.answer()
    stage.hello()
    stage.turn()
    stage.begin(RunResumed(at=stage.now, wall="later"))
    for held in (["1.1"], []):
        stage.hello()
        stage.turn()
        stage.receive(Heartbeat(leases=held))
        stage.turn()
    stage.conductor.tick()
    stage.turn()
    assert stage.scheduler.state.trials[1].attempts.failed == 1


def test_a_worker_that_drains_is_sent_nothing_and_its_trial_costs_no_attempt(stage: Stage) -> None:
    stage.hello()
    stage.turn()
    stage.answer()
    # Its word crosses the lease, which it ignores.
    stage.turn()
    for _ in range(10):
        stage.receive(Heartbeat(leases=[], draining=True))
        stage.turn()
        stage.now += 2.0
        stage.conductor.tick()
    trial = stage.scheduler.state.trials[1]
    assert stage.lease().lease == "1.1"
    assert (trial.state, trial.attempts.failed) == (TrialState.QUEUED, 0)
    stage.hello()
    stage.turn()
    assert stage.lease().lease == "1.2"


def test_partial_quantities_show_that_a_lease_was_begun(stage: Stage) -> None:
    stage.answer()
    stage.hello()
    stage.turn()
    stage.receive(Progress(lease="1.1", step=1, values={}))
    for _ in range(5):
        stage.now += 2.0
        stage.receive(Heartbeat(leases=[]))
        stage.turn()
        stage.conductor.tick()
    stage.turn()
    assert stage.scheduler.state.trials[1].attempts.failed == 1


@pytest.mark.parametrize("in_the_same_turn", [True, False])
def test_a_lease_of_a_worker_that_says_goodbye_in_the_same_turn_is_neither_sent_nor_waited_for(
    stage: Stage, in_the_same_turn: bool
) -> None:
    stage.hello()
    stage.turn()
    stage.answer()
    stage.receive(Goodbye(reason="drained"))
    if not in_the_same_turn:
        stage.turn()
    stage.hello()
    stage.turn()
    assert [sent.lease for sent in stage.wire.sent if isinstance(sent, Evaluate)] == ["1.2"]
    for _ in range(10):
        stage.now += 2.0
        stage.receive(Heartbeat(leases=["1.2"]))
        stage.turn()
        stage.conductor.tick()
        assert stage.conductor.inbox.take() == []


def test_a_worker_whose_connection_is_gone_has_left_once_however_much_it_was_given(tmp_path: Path) -> None:
    stage = Stage(tmp_path, mode="asynchronous")
    stage.hello(slots=3)
    stage.answer()
    stage.turn()
    stage.wire.gone = True
    stage.answer(2)
    stage.turn()
    assert [type(event) for event in stage.conductor.inbox.take()] == [WorkerLeft]
