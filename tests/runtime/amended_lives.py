"""Runs of one worker that are amended, and the optimiser's own code beside them, without a process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from served_here import ServedHere

from orchestrator.runtime.optimiser.messages import (
    Answer,
)
from orchestrator.runtime.recovery.recover import OptimiserHistory
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import AdoptRefit, Ask, OptimiserCommand, Rebuild, Tell
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.policy_of_spec import policy_of

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [1, 9]}
  ribs: {type: int, bounds: [2, 30]}
  rate: {type: float, bounds: [0.001, 1], scale: log}
  skin: {type: choice, values: [foam, carbon]}
  mach: 0.8
algorithm: {name: gp-ucb}
initial: {count: 4}
budget: {trials: 40}
evaluation: {evaluator: "wings:drag"}
mode: sequential
seed: 5
"""
SPEC_ = load_spec_text(SPEC, "spec.yaml", None).spec


def point(span: float) -> dict[str, Any]:
    return {"span": span, "ribs": 7, "rate": 0.1, "skin": "foam", "mach": 0.8}


class Run:
    """A run of one worker, its optimiser's history beside it, ``started`` with what is known beforehand."""

    def __init__(self, spec: Spec = SPEC_, started: ev.RunStarted | None = None) -> None:
        self.spec = spec
        self.scheduler = Scheduler(policy_of(spec))
        self.history = OptimiserHistory([])
        self._outgoing: list[OptimiserCommand] = []
        self.happen(started or ev.RunStarted(at=0.0, run="r", wall=""))
        self.happen(ev.WorkerJoined(at=0.5, worker="w", slots=1))

    @property
    def state(self) -> Any:
        return self.scheduler.state

    def happen(self, *events: ev.Event) -> None:
        for event in events:
            commands = self.scheduler.handle(event)
            if isinstance(event, ev.SuggestionsMade):
                self.history.answered(event.ask)
            self.history.note(commands)
            self._outgoing += [c for c in commands if isinstance(c, Ask | Tell | AdoptRefit | Rebuild)]

    def drained(self) -> list[OptimiserCommand]:
        """What the optimiser is to be sent since the last time."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def trial(self, parameters: dict[str, Any], value: float | None) -> None:
        """The next point is chosen; without a value, it stays with its worker."""
        at = self.state.at + 1.0
        made = (ev.Suggested(parameters=parameters),)
        self.happen(ev.SuggestionsMade(at=at, ask=self.state.optimiser.asks, suggestions=made))
        if value is not None:
            lease = f"{len(self.state.trials)}.1"
            self.happen(ev.ResultArrived(at=at + 0.5, worker="w", lease=lease, value=value))

    def amend(self, request: Amend, name: str = "a") -> str:
        decided = decide_amendment(request, self.spec, self.state, self.state.at + 1.0, name)
        self.happen(*decided.events)
        return decided.sentence


class Optimiser(ServedHere):
    """That of the run above, unless another spec is told."""

    def __init__(self, spec: Spec = SPEC_) -> None:
        super().__init__(spec)

    def take_all(self, commands: Sequence[OptimiserCommand]) -> None:
        for command in commands:
            self.take(command)

    def answer(self) -> Answer:
        answers = [reply for reply in self.replies if isinstance(reply, Answer)]
        return answers[-1]


def drag(parameters: Any) -> float:
    return (parameters["span"] - 3.0) ** 2 + 0.01 * parameters["ribs"]


def live_through(run: Run, optimiser: Optimiser, trials: int) -> None:
    """Some trials; the optimiser is told, and asked for refits, as the loop would."""
    for _ in range(trials):
        optimiser.take_all(run.drained())
        if (fitted := optimiser.refit()) is not None:
            run.happen(
                ev.RefitFinished(
                    at=run.state.at,
                    number=fitted.number,
                    observations=fitted.observations,
                    payload=fitted.payload,
                    model=fitted.model,
                )
            )
            optimiser.take_all(run.drained())
        answer = optimiser.answer()
        assert answer.ask == run.state.optimiser.asks
        parameters = dict(answer.suggestions[0].parameters)
        assert run.state.inside(parameters)
        assert run.state.where_held(parameters)
        run.trial(parameters, drag(parameters))
    optimiser.take_all(run.drained())
