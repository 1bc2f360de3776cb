"""What of a point was settled before the rest of it was chosen beside that, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from orchestrator.report.explained.case import Case
from orchestrator.report.words.wording import parameter_words
from orchestrator.scheduler.event_parts import ROUND
from orchestrator.values.named import Values


def settled_beforehand(case: Case) -> Iterator[str]:
    """What was held, what a person had said of it, and what its whole round has in common with it."""
    trial = case.trial
    if trial.held:
        yield f"Held then: {_said(case, trial.held)}; the others were chosen beside that."
    if trial.suggested.part:
        yield f"Said of it beforehand: {_said(case, trial.suggested.part)}; the rest was chosen beside that."
    told = trial.suggested.why.get(ROUND)
    if isinstance(told, Mapping) and isinstance(shares := told.get("shares"), Mapping):
        # The line of the trial that settled it may have been lost.
        first = f", as trial {told['of']}" if told.get("of") else ""
        yield f"All of its round have {_said(case, shares)}{first}; the rest was chosen beside that."


def _said(case: Case, parameters: Values) -> str:
    return ", ".join(f"{name} = {text}" for name, text in parameter_words(case.spec, parameters))
