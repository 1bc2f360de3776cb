"""What a slot tells its worker: that a task has its outcome, how it stands, or that none can be evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Evaluate, Failure, FailureKind


@dataclass(frozen=True, slots=True)
class Finished:
    """A task has its outcome: the wire frame of its result or failure, and the seconds it took.

    ``asked_to_end``: its process was ended by a signal that asks for that, and not by its worker.
    """

    task: Evaluate
    frame: bytes
    elapsed_s: float
    asked_to_end: bool = False

    @classmethod
    def failed(
        cls, task: Evaluate, kind: FailureKind, message: str, elapsed_s: float, own: Mapping[str, str]
    ) -> Finished:
        """A task that has no value; ``own`` is what is told of what it had of its own."""
        failure = Failure(
            run=task.run,
            lease=task.lease,
            trial=task.trial,
            kind=kind,
            message=message,
            elapsed_s=elapsed_s,
            own=dict(own),
        )
        return cls(task, encode(failure), elapsed_s)


@dataclass(frozen=True, slots=True)
class Reported:
    """A progress frame to pass on to the run that it is of."""

    run: str
    frame: bytes


@dataclass(frozen=True, slots=True)
class Unloadable:
    """The evaluator cannot be used at all, and why."""

    reason: str


Event = Finished | Reported | Unloadable
