"""The one way an evaluator, or what runs it, says that an evaluation gave no value."""

from __future__ import annotations

import errno

from orchestrator.wire.messages import FailureKind


class EvaluationError(Exception):
    """No value, for a reason in words. ``kind`` is the wire's: error, timeout, invalid or killed.

    An evaluator may raise it to choose the kind itself; any other exception is an ``error``.
    """

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind


class NoRoom(EvaluationError):
    """It could not begin because the disk is full: that is not the point's fault, and may be over soon."""

    def __init__(self, message: str) -> None:
        super().__init__("error", message)


class NothingFound(EvaluationError):
    """What was looked for is not in what a program said, which may say nothing of it where there is none."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid", message)


class LibraryMissing(EvaluationError):
    """What a program wrote cannot be read here, where a library is not installed; elsewhere it may be."""

    def __init__(self, message: str) -> None:
        super().__init__("error", message)


def not_written(what: str, error: OSError) -> EvaluationError:
    """What kept an evaluation from beginning: ``what`` could not be written."""
    message = f"cannot {what}"
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return NoRoom(message) if full else EvaluationError("error", message)


class EvaluatorNotLoaded(Exception):
    """The evaluator cannot be imported or called with the options given; no evaluation can succeed."""
