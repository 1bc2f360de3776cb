"""A run at whose desk people ask for something, turn by turn."""

from __future__ import annotations

from pathlib import Path

from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.life import Clock, Life
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.front_desk import FrontDesk
from orchestrator.runtime.requests.kinds import Verdict
from orchestrator.scheduler.events import Event, RunStarted
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}}
algorithm: {name: random}
budget: {trials: 4, time: 1 h}
evaluation: {evaluator: "wings:drag", approval: true}
"""

PARAMETERS = "parameters: {span: {type: float, bounds: [1, 9]}}"


class Office:
    """A run of two points that wait for approval, its desk, and a clock that stands where it is put."""

    def __init__(self, path: Path, parameters: str = PARAMETERS) -> None:
        text = SPEC.replace(PARAMETERS, parameters)
        self.folder = RunFolder(path)
        self.folder.write_spec(text)
        spec = load_spec_text(text, "spec.yaml", None).spec
        self.seconds = 0.0
        self.scheduler = Scheduler(policy_of(spec))
        self.journal = JournalWriter.create(self.folder.journal, "test")
        clock = Clock(0.0, lambda: self.seconds)
        self.life = Life(self.folder, spec, self.scheduler, OptimiserHistory([]), self.journal, clock)
        self.desk = Desk(self.folder)
        self.inbox: Inbox[Event] = Inbox()
        self.noted: list[str] = []
        self.front_desk = FrontDesk(self.life, self.desk, self.inbox, note=self.noted.append)
        points = ({"span": 2.0}, {"span": 3.0})
        self.inbox.leave(RunStarted(at=0.0, run="r", wall="", points=points, approves_attempts=True))
        self.turn()

    def turn(self, *, answered: bool = True) -> list[Event]:
        """What was left becomes safe; without ``answered``, the life ends right then."""
        events = self.inbox.take()
        for event in events:
            self.scheduler.handle(event)
        self.journal.append(events)
        self.journal.commit()
        if answered:
            self.front_desk.committed(events)
        return events

    def next_life(self) -> None:
        self.front_desk = FrontDesk(self.life, self.desk, self.inbox, note=self.noted.append)

    def answer(self, path: Path) -> Verdict | None:
        return Desk.await_answer(path, 0.2)
