"""What became of limits that every trial is to keep, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from orchestrator.expressions.constraints import Constraint
from orchestrator.expressions.counts import in_words
from orchestrator.report.words.wording import finite_number
from orchestrator.scheduler.kept_limits import broke
from orchestrator.scheduler.rules.places import place_words
from orchestrator.scheduler.state import State
from orchestrator.spelling import listed
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

NAMED = 6
"""Trials that are named; the others are counted."""


def limit_of(text: str) -> str:
    """What is to hold, of what a spec says of a limit that is kept: ``heat <= 80``."""
    return Constraint.of(text).limit


def limits_words(texts: Iterable[str]) -> str:
    """Several of them, in backquotes."""
    return listed([printable(in_words(limit_of(text))) for text in texts], "and")


def broken_limits(state: State) -> str:
    """Which trials broke what every trial is to keep, or that none did, and which parts of points wait to be
    sure of that; nothing where there are no such limits, and before there is a result.
    """
    if not state.policy.sought.kept:
        return ""
    tried = [trial for trial in state.observed if trial.number > 0 and trial.value is not None]
    if not tried:
        return ""
    numbers = [trial.number for trial in tried if broke(state.policy, trial)]
    if not numbers:
        return f"every trial so far has kept {limits_words(state.policy.sought.kept)}{_waiting(state)}"
    broken = {text for trial in tried for text in broke(state.policy, trial)}
    limits = limits_words(text for text in state.policy.sought.kept if text in broken)
    named = ", ".join(map(str, numbers[:NAMED]))
    more = f" and {len(numbers) - NAMED:,} more" if len(numbers) > NAMED else ""
    some = "trial" if len(numbers) == 1 else "trials"
    return f"{some} {named}{more} broke {limits}, which every trial is to keep{_waiting(state)}"


def _waiting(state: State) -> str:
    """Which parts of points others have passed, as nothing beside them is sure enough."""
    if not state.waiting.parts or all(
        trial.ask is None or trial.suggested.part for trial in state.trials.values()
    ):
        return ""
    parts = "; ".join(printable(place_words(part)) for part in state.waiting.parts[:NAMED])
    more = f"; and {len(state.waiting.parts) - NAMED:,} more" if len(state.waiting.parts) > NAMED else ""
    return f"; not sure enough to be tried: {parts}{more}"


def how_surely(texts: Sequence[str], why: Mapping[str, Any]) -> Iterator[str]:
    """How sure the model was, of a trial that it asked for, that each limit would be kept."""
    for text, told in zip(texts, why.get("kept") or (), strict=False):
        if (chance := finite_number(told)) is not None:
            kept = Constraint.of(text).kept
            least = "" if kept is None else f"; it has to be {_exactly(kept)} at least"
            limit = limits_words([text])
            yield f"That it would keep {limit} was held to be {_exactly(chance)} likely{least}."


def _exactly(chance: float) -> str:
    """Not rounded to certainty."""
    return percentage(chance) if chance < 0.985 else f"{min(99.99, 100.0 * chance):.2f} %"
