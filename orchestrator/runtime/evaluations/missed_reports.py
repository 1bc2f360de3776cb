"""Whether evaluations report what the spec goes by while they run: where none does, nothing shows it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spelling import listed

ENDED = 2
"""Evaluations without a report of it, until that is said; one may have been too short for any."""


class MissedReports:
    """Hears what is reported, and which evaluations end, until it is clear whether anything is missed.

    ``inherited`` are leases of an earlier life, which may have reported to that.
    """

    def __init__(self, evaluation: Evaluation, inherited: Collection[str | None]) -> None:
        rule = evaluation.stop_when
        self._quantity = None if rule is None else rule.quantity
        self._progress = evaluation.options.get("progress")
        self._listens = rule is not None or self._progress is not None
        self._inherited = inherited
        self._heard: dict[str, None] = {}
        self._ended = 0

    def reported(self, values: Mapping[str, float]) -> None:
        """An evaluation says how it stands."""
        if self._quantity is None or self._quantity in values:
            self._listens = False
        elif self._listens:
            self._heard.update(dict.fromkeys(values))

    def ended(self, lease: str) -> str:
        """An evaluation has come to its end with a value. What is missed, in a sentence, once; or nothing."""
        if not self._listens or lease in self._inherited:
            return ""
        self._ended += 1
        if self._ended < ENDED:
            return ""
        self._listens = False
        heard, hint = "nothing", ""
        if self._heard:
            heard = f"{listed(self._heard, 'and')} alone"
        elif self._progress is not None:
            followed = self._progress.get("file") if isinstance(self._progress, dict) else None
            line = (
                "a line that they print" if followed is None else f"a line of `{followed}` in {{directory}}"
            )
            hint = f": does {line} match `progress`?"
        what = f"{ENDED} evaluations have ended and reported {heard}{hint}"
        return what if self._quantity is None else f"`stop_when` goes by `{self._quantity}`, but {what}"
