"""Runs for the tests of what people see: events that a real scheduler went through, in memory or on disk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from orchestrator.report.explained.explain import explain
from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.view import View
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Ask, Evaluate
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span:  {type: float, bounds: [1.0, 9.0], unit: m}
  sweep: {type: float, bounds: [0.0, 40.0], unit: deg}
  ribs:  {type: int, bounds: [2, 30]}
  skin:  {type: choice, values: [foam, carbon]}
budget: {trials: 20}
evaluation: {evaluator: "wings:drag", timeout: 60 s}
workers: {local: 2}
"""
INSIGHT = {
    "weights": {"rbf": 0.62, "matern-5/2": 0.38},
    "decomposition": [[0, 1], [2], [3]],
    "probability": 0.71,
    "hyperparameters": {"rbf": {"kernel": {"length_scales": [0.1, 0.5, 2.0, 3.0]}, "variance": 1.0}},
    "notes": ["refit 3, from 12 values"],
}
WHY = {"source": "model", "member": "rbf", "exploration": 0.25}


def parameters(number: int) -> dict[str, object]:
    return {"span": 1.0 + number / 10, "sweep": 20.0, "ribs": 7, "skin": "carbon"}


def suggested(number: int) -> ev.Suggested:
    return ev.Suggested(parameters=parameters(number), mean=5.0, deviation=0.5, why=WHY)


def always(value: float | None) -> Callable[[int], float | None]:
    """The same answer for every trial."""
    return lambda _: value


class RecordedRun:
    """A run made event by event; ``answers`` says what a trial gives: a value, or None for a failure."""

    def __init__(self, spec_text: str = SPEC) -> None:
        self.spec_text = spec_text
        self.spec = load_spec_text(spec_text, "spec.yaml", None).spec
        self.scheduler = Scheduler(policy_of(self.spec))
        self.chronicle = Chronicle(self.spec)
        self.events: list[ev.Event] = []
        self.asks: deque[Ask] = deque()
        self.evaluations: deque[Evaluate] = deque()
        self.at = 0.0

    def happen(self, event: ev.Event) -> RecordedRun:
        self.events.append(event)
        for command in self.scheduler.handle(event):
            if isinstance(command, Ask):
                self.asks.append(command)
            elif isinstance(command, Evaluate):
                self.evaluations.append(command)
        self.chronicle.take(event, self.scheduler.state)
        self.at = event.at
        return self

    def begin(self, workers: int = 2, slots: int = 1) -> RecordedRun:
        self.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00", approves_attempts=True))
        for number in range(1, workers + 1):
            self.happen(ev.WorkerJoined(at=0.5, worker=f"local-{number}", slots=slots, local=True))
        return self

    def answer_asks(self, seconds: float = 0.2) -> RecordedRun:
        """Answer every ask that waits."""
        while self.asks:
            ask = self.asks.popleft()
            made = range(ask.first_trial, ask.first_trial + ask.count)
            self.happen(
                ev.SuggestionsMade(
                    at=self.at + seconds,
                    ask=ask.ask,
                    suggestions=tuple(suggested(number) for number in made),
                    seconds=seconds,
                    insight=INSIGHT,
                )
            )
        return self

    def settle(
        self, trials: int, answers: Callable[[int], float | None], every_s: float = 1.0
    ) -> RecordedRun:
        """Have ``trials`` attempts end, one every so many seconds."""
        for _ in range(trials):
            self.answer_asks()
            command = self.evaluations.popleft()
            value = answers(command.trial)
            at = self.at + every_s
            if value is None:
                message = "RuntimeError: it broke\n  File 'wings.py'\n\x1b[31mdeep inside"
                self.happen(
                    ev.FailureArrived(
                        at=at, worker=command.worker, lease=command.lease, kind="error", message=message
                    )
                )
            else:
                self.happen(
                    ev.ResultArrived(
                        at=at, worker=command.worker, lease=command.lease, value=value, elapsed=every_s
                    )
                )
        return self.answer_asks()

    def give(
        self, value: float, extras: Mapping[str, object] | None = None, elapsed: float = 0.0
    ) -> RecordedRun:
        """Have the next evaluation end with a value, which is judged as one that came to a run."""
        command = self.evaluations.popleft()
        came = ev.ResultArrived(
            at=self.at + 1.0,
            worker=command.worker,
            lease=command.lease,
            value=value,
            extras=extras or {},
            elapsed=elapsed,
        )
        judged = WantedResults.of(self.spec).judged(came, command.parameters)
        assert isinstance(judged, ev.ResultArrived)
        return self.happen(judged)

    def view(self, after_s: float = 0.0) -> View:
        return self.chronicle.view(self.scheduler.state, self.at + after_s)

    def write(self, folder: Path) -> RunFolder:
        """The run as it would lie on disk."""
        return write_run(folder, self.spec_text, self.events)


def write_run(folder: Path, spec_text: str, events: Sequence[ev.Event]) -> RunFolder:
    folder.mkdir(parents=True)
    run = RunFolder(folder)
    run.spec.write_text(spec_text)
    journal = JournalWriter.create(run.journal, "test")
    journal.append(events)
    journal.commit()
    journal.close()
    return run


def explained(run: RecordedRun, trial: int) -> str:
    """What `explain` says of a trial."""
    return explain(run.spec, run.scheduler.state.policy, run.events, trial)
