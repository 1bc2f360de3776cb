"""What one peer can make an orchestrator keep, repeat or believe is bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from policies import policy_with

from orchestrator.runtime.connections.broker import Received
from orchestrator.runtime.connections.sessions import LEASE_LIMIT, Sessions
from orchestrator.scheduler.events import Event, RunStarted, WorkerJoined
from orchestrator.scheduler.liveness import Liveness
from orchestrator.scheduler.machine import Scheduler
from orchestrator.wire.messages import (
    PROTOCOL,
    SLOTS_LIMIT,
    Failure,
    FromOrchestrator,
    FromWorker,
    Hello,
    Progress,
    Reject,
    Result,
    Welcome,
)


class Peer:
    """A worker called mallory, with lease 1.1, before the sessions of a run."""

    def __init__(self) -> None:
        self.answers: list[FromOrchestrator] = []
        self.progress: list[Progress] = []
        self.scheduler = Scheduler(policy_with(trials=5))
        self.scheduler.handle(RunStarted(at=0.0, run="run", wall="", points=({"x": 1},)))
        self.scheduler.handle(WorkerJoined(at=0.0, worker="mallory", slots=1))
        self.sessions = Sessions(
            Welcome(protocol=PROTOCOL, run="run", experiment="wing", evaluator="a:b"),
            factors=None,
            liveness=Liveness(timeout_s=None),
            send=lambda _, message: self.answers.append(message) is None,
            note=lambda _: None,
            progressed=self.progress.append,
            local=lambda _: False,
            was_given=self.scheduler.was_given,
            holds=self.scheduler.holds,
            turned_away=lambda _: None,
        )

    def says(self, message: FromWorker) -> Event | None:
        return self.sessions.take(Received(b"peer", message), 1.0)

    def refusal(self) -> Reject:
        last = self.answers[-1]
        assert isinstance(last, Reject)
        return last


def hello(**changes: Any) -> Hello:
    given = {"protocol": PROTOCOL, "worker": "mallory", "session": "s", "evaluators": ["a:b"], **changes}
    return Hello(**given)


@pytest.fixture
def peer() -> Peer:
    peer = Peer()
    peer.says(hello())
    return peer


@pytest.mark.parametrize(
    "lease", ["2.1", "1.2", "1.01", "9" * 5_000 + ".1", "1." + "9" * 5_000, "", "no lease", "١.١"]
)
@pytest.mark.parametrize(
    "outcome",
    [
        lambda lease: Result(run="run", lease=lease, trial=1, value=1.0),
        lambda lease: Failure(run="run", lease=lease, trial=1, kind="error", message=""),
    ],
    ids=["result", "failure"],
)
def test_what_nobody_was_asked_for_is_not_recorded(
    peer: Peer, lease: str, outcome: Callable[[str], FromWorker]
) -> None:
    assert peer.says(outcome(lease)) is None
    assert peer.refusal().code == "malformed"
    assert len(peer.refusal().lease) <= LEASE_LIMIT
    assert len(peer.refusal().reason) < 200


def test_a_result_of_a_lease_that_was_given_is(peer: Peer) -> None:
    assert peer.says(Result(run="run", lease="1.1", trial=1, value=1.0)) is not None


def test_partial_quantities_are_taken_from_the_worker_that_has_the_lease(peer: Peer) -> None:
    peer.says(Progress(lease="2.1", step=1, values={"loss": 1.0}))
    peer.says(Progress(lease="1.1", step=1, values={str(k): 1.0 for k in range(10_000)}))
    peer.says(Progress(lease="1.1", step=1, values={"x" * 10_000: 1.0}))
    assert peer.progress == []
    peer.says(Progress(lease="1.1", step=1, values={"loss": 1.0}))
    assert len(peer.progress) == 1


@pytest.mark.parametrize(
    "strange",
    [
        hello(worker="\x1b[2Jroot"),
        hello(worker="a\nb"),
        hello(worker="w" * 201),
        hello(worker=""),
        hello(session="s" * 10_000),
        hello(slots=10**40),
        hello(evaluators=["z" * 100_000]),
    ],
)
def test_a_hello_that_is_out_of_bounds_is_refused_briefly(strange: Hello) -> None:
    peer = Peer()
    assert peer.says(strange) is None
    assert len(peer.refusal().reason) < 500
    assert peer.refusal().reason.isprintable()


def test_no_more_leases_are_believed_than_a_worker_can_have() -> None:
    peer = Peer()
    joined = peer.says(hello(leases=[f"{k}.1" for k in range(100_000)]))
    assert isinstance(joined, WorkerJoined)
    assert len(joined.held) == SLOTS_LIMIT
