"""What the optimiser said last of what it believes, and of the point that it chose last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from orchestrator.report.seen.view import Belief
from orchestrator.report.words.scales import scales_words
from orchestrator.report.words.wording import number, number_beside, searched_parameters, uncertain
from orchestrator.scheduler.gain import gain_words
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.values.block_name import BY_WORKER
from orchestrator.values.percent import percentage
from orchestrator.values.printable import printable

MOST_OFFSETS = 12
"""Blocks, the last that were told, of which the offsets are shown."""
NEWEST_LOOKED_AT = 64
"""Trials among which the last one that a model chose is looked for."""


def belief_of(spec: Spec, state: State) -> Belief:
    """What a view shows of it."""
    insight, threshold = state.optimiser.insight, state.policy.budget.expected_gain
    what = f"{spec.objective.name} = " if state.policy.sought.further else ""
    said_of_it = [*scales_words(spec, insight), *(str(note) for note in insight.get("notes") or ())]
    notes = [*_newest_choice(state, what), *said_of_it]
    offsets = offsets_of(insight)
    if said := offsets_words(spec.blocks or "", offsets):
        notes.append(f"offsets: {said}")
    if state.optimiser.gains and threshold is not None:
        what_left = "left to gain" if spec.objective.threshold is None else "share on the wrong side"
        notes.append(f"{what_left}: {gain_words(state.optimiser.gains[-1], threshold)}")
    return Belief(
        weights=tuple((str(name), float(weight)) for name, weight in (insight.get("weights") or {}).items()),
        factors=tuple(tuple(sorted(factor)) for factor in insight.get("decomposition") or ()),
        probability=insight.get("probability"),
        parameters=searched_parameters(spec, insight),
        notes=tuple(printable(note) for note in notes),
        offsets=offsets,
        offsets_words=printable(said),
    )


def offsets_of(insight: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """The mean and the deviation of what is believed of each block's offset, by its name."""
    told = insight.get("offsets") or {}
    return {str(name): (float(one["mean"]), float(one["deviation"])) for name, one in told.items()}


def offsets_words(blocks: str, offsets: Mapping[str, tuple[float, float]]) -> str:
    """Those of the blocks that were told last, as in ``plate 3: +0.21 ± 0.05``."""
    newest = list(offsets.items())[-MOST_OFFSETS:]
    said = ", ".join(f"{_block(blocks, name)}: {_offset(*offset)}" for name, offset in newest)
    before = len(offsets) - len(newest)
    return f"{said}; and {before:,} before" if before else said


def _block(blocks: str, name: str) -> str:
    if not name:
        return f"no {blocks} said"
    return name if blocks == BY_WORKER else f"{blocks} {name}"


def _offset(mean: float, deviation: float) -> str:
    words = uncertain(mean, deviation)
    return words if words.startswith("-") else f"+{words}"


def _newest_choice(state: State, what: str) -> Iterator[str]:
    """What the model said of the point that it chose last; ``what`` stands before the value."""
    latest = islice(reversed(state.trials.values()), NEWEST_LOOKED_AT)
    newest = next((trial for trial in latest if trial.suggested.mean is not None), None)
    if newest is None:
        return
    suggested = newest.suggested
    assert suggested.mean is not None
    spread = "" if suggested.deviation is None else f" ± {number(suggested.deviation, 2)}"
    share = suggested.why.get("exploration")
    explored = f", {percentage(share)} of its score exploration" if isinstance(share, float) else ""
    if suggested.why.get("drawn"):
        explored = ", top of a drawn function"
    best = None if state.found.best is None else state.found.best.value
    yield f"trial {newest.number}: predicted {what}{number_beside(suggested.mean, best)}{spread}{explored}"
