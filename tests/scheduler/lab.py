"""A laboratory without a world: a scheduler, and short ways to say what happens to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from policies import policy_with

from orchestrator.scheduler.commands import Ask, Command, Evaluate
from orchestrator.scheduler.event_parts import Forecast, Suggested
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    ResultArrived,
    RunResumed,
    RunStarted,
    StopRequested,
    SuggestionsMade,
    TrialFoundUnlikely,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial

C = TypeVar("C")


@dataclass
class Lab:
    """Feeds events, one a second, checks every invariant after each, and keeps what came of them."""

    policy: Policy
    now: float = 0.0
    events: list[Event] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scheduler = Scheduler(self.policy)

    @property
    def state(self) -> State:
        return self.scheduler.state

    def happen(self, event: Event) -> list[Command]:
        """An event; the commands that follow from it."""
        self.events.append(event)
        commands = self.scheduler.handle(event)
        self.commands.extend(commands)
        broken = violations(self.state)
        assert not broken, f"after {event}: {broken}"
        return commands

    def tick(self) -> float:
        self.now += 1.0
        return self.now

    def start(self, **more: object) -> list[Command]:
        return self.happen(RunStarted(at=self.tick(), run="r", wall="noon", **more))  # type: ignore[arg-type]

    def resume(self, **more: object) -> list[Command]:
        return self.happen(RunResumed(at=self.tick(), wall="later", **more))  # type: ignore[arg-type]

    def join(
        self,
        worker: str,
        slots: int = 1,
        held: Iterable[str] = (),
        local: bool = False,
        draining: bool = False,
        foreign: Iterable[str] = (),
    ) -> list[Command]:
        return self.happen(
            WorkerJoined(
                at=self.tick(),
                worker=worker,
                slots=slots,
                held=tuple(held),
                foreign=tuple(foreign),
                local=local,
                draining=draining,
            )
        )

    def leave(self, worker: str, lost: bool = True) -> list[Command]:
        return self.happen(WorkerLeft(at=self.tick(), worker=worker, lost=lost, reason="gone"))

    def suggest(
        self,
        count: int | None = None,
        x: float | None = None,
        insight: Mapping[str, Any] | None = None,
        cost: float = 1.0,
        beside: Mapping[str, Any] | None = None,
    ) -> list[Command]:
        """Answer the ask that is under way, in full unless ``count`` says otherwise.

        Every point lies at ``x``; without it, at the numbers 0, 1, 2 and so on. Each costs ``cost`` and has
        what is ``beside``.
        """
        wanted = self.state.optimiser.asking if count is None else count
        assert wanted is not None, "nothing was asked"
        first = len(self.state.trials)
        made = tuple(
            Suggested(parameters={"x": first + k if x is None else x, **(beside or {})}, cost=cost)
            for k in range(wanted)
        )
        return self.answer(*made, seconds=float(wanted), insight=insight or {})

    def answer(self, *suggested: Suggested, **more: Any) -> list[Command]:
        """Answer the ask that is under way with these, and ``more`` as `SuggestionsMade` has it."""
        asked = self.state.optimiser.asks
        return self.happen(SuggestionsMade(at=self.tick(), ask=asked, suggestions=suggested, **more))

    def succeed(
        self,
        lease: str,
        value: float | None = 1.0,
        worker: str = "w1",
        elapsed: float = 1e9,
        broken: tuple[str, ...] = (),
        extras: Mapping[str, Any] | None = None,
    ) -> list[Command]:
        return self.happen(
            ResultArrived(
                at=self.tick(),
                worker=worker,
                lease=lease,
                value=value,
                elapsed=elapsed,
                broken=broken,
                extras=extras or {},
            )
        )

    def fail(self, lease: str, worker: str = "w1") -> list[Command]:
        return self.happen(
            FailureArrived(at=self.tick(), worker=worker, lease=lease, kind="error", message="broke")
        )

    def find_unlikely(self, lease: str, mean: float = 0.25, deviation: float = 0.5) -> list[Command]:
        """By its curve it would come to little."""
        forecast = Forecast(mean=mean, deviation=deviation, chance=0.01)
        curve = ((1, 9.0), (2, 8.0))
        reason = "stopped at step 2"
        return self.happen(
            TrialFoundUnlikely(at=self.tick(), lease=lease, reason=reason, forecast=forecast, curve=curve)
        )

    def stop(self, now: bool = False) -> list[Command]:
        return self.happen(StopRequested(at=self.tick(), now=now, reason="SIGINT"))

    def trial(self, number: int) -> Trial:
        return self.state.trials[number]

    def leases(self, worker: str) -> list[str]:
        return list(self.state.crew.workers[worker].running)


def running_lab(workers: int = 1, **rules: object) -> Lab:
    """A lab whose workers all evaluate."""
    lab = Lab(policy_with(**{"trials": 10, **rules}))  # type: ignore[arg-type]
    lab.start()
    lab.suggest()
    for number in range(1, workers + 1):
        lab.join(f"w{number}")
        if lab.state.optimiser.asking:
            lab.suggest()
    return lab


def only(kind: type[C], commands: Iterable[object]) -> list[C]:
    """The commands of one kind."""
    return [command for command in commands if isinstance(command, kind)]


def leased(commands: Iterable[object]) -> list[str]:
    """The leases that commands give out."""
    return [command.lease for command in only(Evaluate, commands)]


def asked(commands: Iterable[object]) -> list[int]:
    """How many points each ask among commands is for."""
    return [command.count for command in only(Ask, commands)]
