"""The one way an evaluator, or what runs it, says that an evaluation gave no value."""

from __future__ import annotations

from orchestrator.wire.messages import FailureKind


class EvaluationError(Exception):
    """No value, for a reason in words. ``kind`` is the wire's: error, timeout, invalid or killed.

    An evaluator may raise it to choose the kind itself; any other exception is an ``error``.
    """

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


class EvaluatorNotLoaded(Exception):
    """The evaluator cannot be imported or called with the options given; no evaluation can succeed."""
