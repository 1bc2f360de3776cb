"""What a mended journal says anew of bounds, candidates and what is held, where lines that amended them are
lost.

The optimiser's process would end by a point outside its space, and something would be evaluated there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.runtime.recovery.salvage import Rule
from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    CandidatesAdded,
    HeldAmended,
    PointsAdded,
    ResultsAdded,
)
from orchestrator.scheduler.events import Event, SuggestionsMade
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.bounds import Bounds, outside
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.added_candidates import with_candidates
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter
from orchestrator.values.candidates import Candidates
from orchestrator.values.named import Values


def rules_left(spec: Spec, state: State, behind: Sequence[Event]) -> Iterator[Rule]:
    """The spec's bounds, where points ``behind`` the damage lie beyond them and nothing says why; that what
    is held outside the bounds is chosen; and the candidates that trials are of and nothing lists. ``state``
    has all that is known of amendments.
    """
    listed = with_candidates(spec, state.amended.candidates).candidates
    if listed is not None and (rows := _unlisted(listed.candidates, behind)):
        yield CandidatesAdded(at=state.at, columns=rows, by="fsck")
    given: Bounds = {
        name: parameter.bounds
        for name, parameter in spec.parameters.items()
        if isinstance(parameter, FloatParameter | IntParameter)
        and name not in state.amended.bounds
        and (listed is None or name not in listed.columns)
    }
    held = state.policy.where.held
    beyond = {name for point in [held, *_points(behind)] for name in outside(given, point)}
    if beyond:
        yield BoundsAmended(
            at=state.at, bounds={name: given[name] for name in given if name in beyond}, by="fsck"
        )
    if freed := outside({**given, **state.amended.bounds}, held):
        yield HeldAmended(at=state.at, freed=freed, by="fsck")


def _unlisted(candidates: Candidates, behind: Sequence[Event]) -> Columns:
    """The rows that points behind the damage are of, and the ``candidates`` do not have."""
    names = [name for name, _ in candidates.columns]
    known = set(zip(*(values for _, values in candidates.columns), strict=True))
    # What is known from elsewhere may be of no row, and lacks what goes with one.
    rows = [
        tuple(point[name] for name in names) for point in _points(behind) if set(names).issubset(point.keys())
    ]
    new = [row for row in dict.fromkeys(rows) if row not in known]
    return dict(zip(names, zip(*new, strict=True), strict=True)) if new else {}


def _points(behind: Sequence[Event]) -> Iterator[Values]:
    for event in behind:
        match event:
            case SuggestionsMade(suggestions=suggestions):
                yield from (suggested.parameters for suggested in suggestions)
            case PointsAdded(points=points):
                yield from points
            case ResultsAdded(results=results):
                yield from (known.parameters for known in results)
            case JournalMended(trials=trials):
                yield from (saved.suggested.parameters for saved in trials)
