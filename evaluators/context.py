"""What an evaluator may know about the evaluation it performs, and how it reports progress."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evaluators.errors import EvaluationError
from evaluators.utf8 import is_utf8
from orchestrator.wire.messages import STEP_LIMIT

Report = Callable[[int, dict[str, float]], None]


class Context:
    """One evaluation, seen from inside. Given to evaluators that have a parameter named ``context``.

    ``trial`` and ``attempt`` count from what the orchestrator says; ``seed`` is for every source of noise
    in the evaluation; ``options`` are those of the spec; ``objective`` is the name that may stand for
    ``value`` in what is returned, empty if none may; ``compared``: no value has to be, as people compare
    what trials come to; ``own`` are the environment variables that are this slot's alone, by name, or those
    of all its ``slots``, where it has several of its worker's.
    ``continued_from`` is the directory that an earlier trial of the same settings left, which looked less
    closely, to go on from; None: begin from nothing.

    Attributes:
        left_in: which directory in the trial's own others go on from; empty: the trial's.
    """

    __slots__ = (
        "_directory",
        "_report",
        "attempt",
        "compared",
        "continued_from",
        "left_in",
        "objective",
        "options",
        "own",
        "seed",
        "slots",
        "trial",
    )

    def __init__(
        self,
        *,
        trial: int,
        attempt: int,
        seed: int,
        options: dict[str, Any],
        directory: Path,
        report: Report | None = None,
        objective: str = "",
        compared: bool = False,
        own: Mapping[str, str] = MappingProxyType({}),
        continued_from: Path | None = None,
        slots: int = 1,
    ) -> None:
        self.trial = trial
        self.attempt = attempt
        self.seed = seed
        self.options = options
        self.objective = objective
        self.compared = compared
        self.own = own
        self.slots = slots
        self.continued_from = continued_from
        self.left_in = ""
        self._directory = directory
        self._report = report

    @property
    def directory(self) -> Path:
        """The trial's own directory, for files worth keeping; made when first asked for."""
        self._directory.mkdir(parents=True, exist_ok=True)
        return self._directory

    def report(self, /, step: int, **values: float) -> None:
        """Report partial quantities: ``step`` counts up from 0 or 1, ``values`` are numbers.

        Cheap to call often: when called more than some tens of times a second, the newest is sent when
        its turn comes. A number may be NaN or infinite, as a loss is on a bad day. Raises
        `EvaluationError` (invalid) for what is no step, no number or no name.
        """
        if isinstance(step, bool) or not hasattr(step, "__index__"):
            raise EvaluationError("invalid", f"report: expected a whole number as the step, got {step!r}")
        if abs(whole := int(step)) > STEP_LIMIT:
            raise EvaluationError(
                "invalid",
                f"report: expected a whole number of at most {STEP_LIMIT:,} as the step, got a larger",
            )
        numbers = {}
        for name, given in values.items():
            if not is_utf8(name):
                raise EvaluationError("invalid", f"report: expected a name in UTF-8, got {name!r}")
            try:
                numbers[name] = float(given)
            except OverflowError:
                numbers[name] = math.inf if given > 0 else -math.inf
            except (TypeError, ValueError):
                raise EvaluationError(
                    "invalid", f"report: expected a number as {name}, got {given!r}"
                ) from None
        if self._report is not None:
            self._report(whole, numbers)
