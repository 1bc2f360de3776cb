"""From what came to what is sent: each thing once and in order, whatever is lost or begins anew meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from run_lab import HERE, spec

from orchestrator.errors import JournalError
from orchestrator.runtime.broker import Received
from orchestrator.runtime.conductor import Conductor
from orchestrator.runtime.journal import JournalWriter
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.optimiser_messages import Answer
from orchestrator.runtime.recover import OptimiserHistory, policy_of
from orchestrator.runtime.run_folder import RunFolder
from orchestrator.scheduler.commands import Ask, OptimiserCommand, Tell
from orchestrator.scheduler.events import (
    Event,
    LeaseExpired,
    RunResumed,
    RunStarted,
    Suggested,
    WorkerLeft,
)
from orchestrator.scheduler.liveness import Patience
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.spec.load import load_spec_text
from orchestrator.wire.messages import (
    Evaluate,
    FromOrchestrator,
    FromWorker,
    Heartbeat,
    Hello,
    Progress,
    Result,
)


@dataclass
class Wire:
    """Messages to be received, and messages sent; ``gone`` connections take none."""

    incoming: list[Received] = field(default_factory=list)
    sent: list[FromOrchestrator] = field(default_factory=list)
    gone: bool = False

    def receive(self) -> list[Received]:
        taken, self.incoming = self.incoming, []
        return taken

    def send(self, peer: bytes, message: FromOrchestrator) -> bool:
        del peer
        if not self.gone:
            self.sent.append(message)
        return not self.gone


@dataclass
class Restarting:
    """An optimiser whose process may be started anew, and is then told the history."""

    history: OptimiserHistory
    told: list[OptimiserCommand] = field(default_factory=list)

    def send(self, commands: Iterable[OptimiserCommand]) -> None:
        self.told.extend(commands)

    def restart(self) -> None:
        self.told = list(self.history.commands)


@dataclass
class Screen:
    """A monitor that draws whenever it may: how many values were to be seen each time."""

    drawn: list[int] = field(default_factory=list)

    def ticked(self, state: State, now: float) -> None:
        del now
        self.drawn.append(state.completed)

    def __getattr__(self, name: str) -> object:
        return lambda *_: None


@dataclass
class Stage:
    """A conductor without a world."""

    tmp_path: Path
    now: float = 0.0

    def __post_init__(self) -> None:
        text = yaml.safe_dump(spec(mode="sequential", budget={"trials": 3}, workers={"local": 0}))
        loaded = load_spec_text(text, "spec.yaml", None).spec
        history = OptimiserHistory([])
        self.wire = Wire()
        self.screen = Screen()
        self.optimiser = Restarting(history)
        folder = RunFolder(self.tmp_path)
        self.journal = JournalWriter.create(folder.journal, "test")
        self.scheduler = Scheduler(policy_of(loaded))
        clock = Clock(monotonic=lambda: self.now)
        self.life = Life(folder, loaded, self.scheduler, history, self.journal, clock)
        self.begin(RunStarted(at=0.0, run=folder.name, wall="noon"))

    def begin(self, first: Event) -> None:
        """A life of the run begins."""
        self.conductor = Conductor(
            self.life,
            self.wire,
            Patience(),
            self.screen,  # type: ignore[arg-type]
            lambda *_: None,
            lambda _: False,
        )
        self.conductor.inbox.leave(first)
        self.turn()
        self.conductor.took_over()

    def receive(self, message: FromWorker) -> None:
        self.wire.incoming.append(Received(b"p", message))

    def turn(self, during_commit: Callable[[], None] = lambda: None) -> None:
        turn = self.conductor.gather()
        during_commit()
        self.journal.commit()
        self.conductor.perform(turn)
        self.optimiser.send(turn.for_optimiser)

    def answer(self) -> None:
        ask = self.scheduler.state.asks
        self.conductor.optimiser_replied(Answer(ask, [Suggested(parameters={"x": 0.5, "y": 0.5})], 0.01, {}))

    def hello(self) -> None:
        evaluators = ["workloads_for_runs:quick"]
        self.receive(Hello(protocol=1, worker="w", session="s", evaluators=evaluators))

    def lease(self) -> Evaluate:
        return [message for message in self.wire.sent if isinstance(message, Evaluate)][-1]


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.syspath_prepend(str(HERE))
    return Stage(tmp_path)


def evaluated(stage: Stage) -> None:
    """Trial 1 has a value, which waits to be received."""
    stage.hello()
    stage.answer()
    stage.turn()
    lease = stage.lease()
    stage.receive(Result(run=lease.run, lease=lease.lease, trial=1, value=1.0))


@pytest.mark.parametrize("during_commit", [True, False])
def test_an_optimiser_started_anew_is_told_each_thing_once(stage: Stage, during_commit: bool) -> None:
    evaluated(stage)
    if during_commit:
        stage.turn(stage.optimiser.restart)
    else:
        stage.turn()
        stage.optimiser.restart()
    kinds = [(type(command), getattr(command, "trial", None)) for command in stage.optimiser.told]
    assert kinds == [(Tell, 1), (Ask, None)]


def test_an_answer_that_was_on_its_way_when_the_process_died_is_not_asked_for_again(stage: Stage) -> None:
    stage.answer()
    stage.turn(stage.optimiser.restart)
    assert [type(command) for command in stage.optimiser.told] == [Ask]
    stage.optimiser.restart()
    assert stage.optimiser.told == []


def test_a_value_is_not_shown_before_it_is_on_disk_and_then_at_once(stage: Stage) -> None:
    evaluated(stage)
    stage.conductor.tick()
    shown_during_commit: list[int] = []

    def ticking() -> None:
        stage.conductor.tick()
        shown_during_commit.extend(stage.screen.drawn)

    stage.turn(ticking)
    assert shown_during_commit == [0]
    assert stage.screen.drawn == [0, 1]


def test_a_value_that_the_disk_refused_is_never_shown(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated(stage)
    monkeypatch.setattr(stage.journal, "commit", _refused)
    with pytest.raises(JournalError):
        stage.turn()
    for _ in range(3):
        stage.conductor.tick()
    assert stage.screen.drawn == []


def _refused() -> None:
    raise JournalError("No space left on device")


def test_a_lease_that_never_reached_its_worker_costs_no_attempt(stage: Stage) -> None:
    stage.hello()
    stage.turn()
    stage.wire.gone = True
    stage.answer()
    stage.turn()
    stage.turn()
    trial = stage.scheduler.state.trials[1]
    assert (trial.lease, trial.failures) == (None, 0)
    assert stage.scheduler.state.workers == {}
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
    assert list(stage.scheduler.state.workers) == ["w"]
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


def test_a_lease_of_before_that_a_worker_comes_back_without_expires(stage: Stage) -> None:
    stage.answer()
    stage.turn()
    stage.hello()
    stage.turn()
    stage.receive(Heartbeat(leases=["1.1"]))
    stage.hello()
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
    assert stage.scheduler.state.trials[1].failures == 0


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
        stage.now += 61.0
    stage.conductor.tick()
    stage.turn()
    trial = stage.scheduler.state.trials[1]
    assert (trial.lease, trial.failures) in [(None, failures), ("1.2", failures)]


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
    assert stage.scheduler.state.trials[1].failures == 1


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
    assert (trial.state, trial.failures) == (TrialState.QUEUED, 0)
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
    assert stage.scheduler.state.trials[1].failures == 1
