"""What the optimiser said last of what it believes, and of the point that it chose last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from orchestrator.report.seen.view import Belief
from orchestrator.report.words.wording import (
    number,
    number_beside,
    percentage,
    printable,
    searched_parameters,
)
from orchestrator.scheduler.gain import gain_words
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec

NEWEST_LOOKED_AT = 64
"""Trials among which the last one that a model chose is looked for."""


def belief_of(spec: Spec, state: State) -> Belief:
    """What a view shows of it."""
    insight, threshold = state.insight, state.policy.expected_gain
    what = f"{spec.objective.name} = " if state.policy.further else ""
    notes = [*_newest_choice(state, what), *(str(note) for note in insight.get("notes") or ())]
    if state.gains and threshold is not None:
        notes.append(f"left to gain: {gain_words(state.gains[-1], threshold)}")
    return Belief(
        weights=tuple((str(name), float(weight)) for name, weight in (insight.get("weights") or {}).items()),
        factors=tuple(tuple(sorted(factor)) for factor in insight.get("decomposition") or ()),
        probability=insight.get("probability"),
        parameters=searched_parameters(spec, insight),
        notes=tuple(printable(note) for note in notes),
    )


def _newest_choice(state: State, what: str) -> Iterator[str]:
    """What the model said of the point that it chose last; ``what`` stands before the value."""
    latest = islice(reversed(state.trials.values()), NEWEST_LOOKED_AT)
    newest = next((trial for trial in latest if trial.mean is not None), None)
    if newest is None or newest.mean is None:
        return
    spread = "" if newest.deviation is None else f" ± {number(newest.deviation, 2)}"
    share = newest.why.get("exploration")
    explored = f", {percentage(share)} of its score exploration" if isinstance(share, float) else ""
    if newest.why.get("drawn"):
        explored = ", top of a drawn function"
    best = None if state.best is None else state.best.value
    yield f"trial {newest.number}: predicted {what}{number_beside(newest.mean, best)}{spread}{explored}"
