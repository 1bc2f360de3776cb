"""How a child process ended, in words for people, and what kind of failure that is of its evaluation."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Final, Literal

from evaluators.worker_process.wake import ASKING
from orchestrator.wire.messages import FailureKind

LOAD_LIMIT_S: Final = 300.0
"""Seconds that importing an evaluator may take; an evaluation's own timeout starts after it.
Likewise that an evaluation may wait for the system to have a process for it."""

Ending = Literal["", "timeout", "cancel", "stop", "silent", "deaf"]
"""Why the worker had it end; empty if it ended by itself."""


@dataclass(frozen=True, slots=True)
class ChildEnding:
    """``code`` is its exit code, or a signal's number, negative; ``said`` are its last lines."""

    ending: Ending
    code: int
    said: str

    @property
    def asked_to_end(self) -> bool:
        """Whether somebody else than its worker had it end, by a signal that asks for it."""
        return self.ending in ("", "silent") and -self.code in ASKING

    def of_loading(self, evaluator: str) -> str:
        """Before it had imported what it was to evaluate."""
        if self.ending == "timeout":
            return f"evaluator `{evaluator}`: importing it took more than {LOAD_LIMIT_S:g} s"
        by_signal = f"was killed by {self._signal_name}"
        how = by_signal if self.code < 0 else f"ended with exit code {self.code}"
        return f"evaluator `{evaluator}`: the process that imported it {how}{self._said}"

    def before_evaluation(self) -> tuple[FailureKind, str]:
        """Importing again what others had imported, with an evaluation waiting for it."""
        if self.ending == "timeout":
            return "timeout", f"importing the evaluator took more than {LOAD_LIMIT_S:g} s"
        return self._by_itself("importing the evaluator")

    def of_evaluation(self, timeout_s: float | None, *, sets_up: bool) -> tuple[FailureKind, str]:
        """In the midst of one; ``sets_up``: this process's first, which may have set something up."""
        if self.ending == "timeout":
            killed = f"the evaluation was killed after its timeout of {timeout_s:g} s"
            counted = (
                ", the first in its process: what it set up counted towards that; what is set up at the top "
                "of its module does not"
            )
            return "timeout", killed + (counted if sets_up else "")
        return self._by_itself("the evaluation")

    def _by_itself(self, what: str) -> tuple[FailureKind, str]:
        if self.ending == "deaf":
            return "error", (
                "the evaluator closed the pipe to its worker and was killed; expected it to leave file "
                "descriptors alone that it did not open"
            )
        if self.code < 0:
            hint = " (often the kernel, when memory runs out)" if self.code == -signal.SIGKILL else ""
            return "killed", f"{what} was killed by {self._signal_name}{hint}{self._said}"
        return "error", f"{what} ended its process with exit code {self.code} and gave no result{self._said}"

    @property
    def _said(self) -> str:
        return f"\n{self.said}" if self.said else ""

    @property
    def _signal_name(self) -> str:
        try:
            return signal.Signals(-self.code).name
        except ValueError:
            return f"signal {-self.code}"
