"""A conductor without a world: its wire, its screen, its optimiser and its clock are the test's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from run_lab import spec

from orchestrator.runtime.conductor import Conductor
from orchestrator.runtime.connections.broker import Received
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.optimiser.messages import Answer
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.turn import Turn
from orchestrator.scheduler.commands import OptimiserCommand
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import Event, RunStarted
from orchestrator.scheduler.liveness import Patience
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.wire.messages import (
    Evaluate,
    FromOrchestrator,
    FromWorker,
    Hello,
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
        self.drawn.append(state.tally.completed)

    def __getattr__(self, name: str) -> object:
        return lambda *_: None


@dataclass
class Stage:
    """A conductor without a world, of a spec that says ``more``."""

    tmp_path: Path
    now: float = 0.0
    mode: str = "sequential"
    more: dict[str, object] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        text = yaml.safe_dump(spec(mode=self.mode, budget={"trials": 3}, workers={"local": 0}, **self.more))
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
        plain = RunStarted(at=0.0, run=folder.name, wall="noon")
        self.begin(first_event(loaded, folder.name, "noon", {}) if self.more else plain)

    def begin(self, first: Event) -> None:
        """A life of the run begins."""
        self.conductor = Conductor(
            self.life,
            self.wire,
            Patience(),
            self.screen,  # type: ignore[arg-type]
            lambda _, sentence: self.notes.append(sentence),
            lambda _: False,
        )
        self.conductor.inbox.leave(first)
        self.turn()
        self.conductor.took_over()

    def receive(self, message: FromWorker) -> None:
        self.wire.incoming.append(Received(b"p", message))

    def turn(self, during_commit: Callable[[], None] = lambda: None) -> Turn:
        turn = self.conductor.gather()
        during_commit()
        self.journal.commit()
        self.conductor.perform(turn)
        self.optimiser.send(turn.for_optimiser)
        return turn

    def answer(self, points: int = 1) -> None:
        made = [Suggested(parameters={"x": 0.5, "y": 0.5})] * points
        self.conductor.optimiser_replied(Answer(self.scheduler.state.optimiser.asks, made, 0.01, {}))

    def hello(self, *leases: str, run: str = "", slots: int = 1) -> None:
        self.receive(
            Hello(
                protocol=1,
                worker="w",
                session="s",
                evaluators=["workloads_for_runs:quick"],
                slots=slots,
                leases=list(leases),
                run=run,
            )
        )

    def lease(self) -> Evaluate:
        return [message for message in self.wire.sent if isinstance(message, Evaluate)][-1]


def ticking(stage: Stage, ticks: int, every_s: float = 1.0) -> None:
    for _ in range(ticks):
        stage.now += every_s
        stage.conductor.tick()


def evaluated(stage: Stage) -> None:
    """Trial 1 has a value, which waits to be received."""
    stage.hello()
    stage.answer()
    stage.turn()
    lease = stage.lease()
    stage.receive(Result(run=lease.run, lease=lease.lease, trial=1, value=1.0))
