"""What a function that is searched may know about the evaluation it performs, and how it reports progress."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

from orchestrator.errors import UsageError
from orchestrator.python_interface.watch import Watch


class EvaluationStopped(BaseException):
    """Raised out of `Context.report`, so that the function ends: no mistake, which it might look after."""


class Context:
    """One evaluation, seen from inside: what an evaluator's `context` is in a run, as far as it is known
    here. ``trial`` is its number, and ``seed`` for its own randomness, as in a run; there is one
    ``attempt``, in one of ``slots``, which goes on from nothing; nothing is its ``own``, and there are no
    ``options``.
    """

    attempt: ClassVar[int] = 1
    own: ClassVar[Mapping[str, str]] = MappingProxyType({})
    options: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    objective: ClassVar[str] = ""
    compared: ClassVar[bool] = False
    slots: ClassVar[int] = 1
    continued_from: ClassVar[None] = None
    left_in: str = ""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    @property
    def trial(self) -> int:
        return self._watch.trial

    @property
    def seed(self) -> int:
        return self._watch.seed

    @property
    def directory(self) -> NoReturn:
        """Raises UsageError."""
        raise UsageError(
            "expected no use of `context.directory`, as a search has no folder: make one of your own, as by"
            " `context.trial`, or run a spec"
        )

    def report(self, /, step: int, **values: float) -> None:
        """How it stands, as ``report(3, loss=0.7)``. Raises EvaluationStopped where it is not worth its end,
        which the function lets pass: `with` and `finally` close what is open.
        """
        if self._watch.report(step, **values):
            raise EvaluationStopped(self._watch.stopped)
