"""What a mended journal says anew of bounds and of what is held, where lines that amended them are lost.

The optimiser's process would end by a point outside its space, and something would be evaluated there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.runtime.recovery.salvage import Readable, Rule
from orchestrator.scheduler.amendment_events import BoundsAmended, HeldAmended, PointsAdded, ResultsAdded
from orchestrator.scheduler.events import SuggestionsMade
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.rules.bounds import Bounds, outside
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter
from orchestrator.values.named import Values


def rules_left(spec: Spec, state: State, behind: Sequence[Readable]) -> Iterator[Rule]:
    """The spec's bounds, where points ``behind`` the damage lie beyond them and nothing says why; and that
    what is held outside the bounds is chosen. ``state`` has all that is known of amendments.
    """
    given: Bounds = {
        name: parameter.bounds
        for name, parameter in spec.parameters.items()
        if isinstance(parameter, FloatParameter | IntParameter) and name not in state.bounds
    }
    held = state.policy.held
    beyond = {name for point in [held, *_points(behind)] for name in outside(given, point)}
    if beyond:
        yield BoundsAmended(
            at=state.at, bounds={name: given[name] for name in given if name in beyond}, by="fsck"
        )
    if freed := outside({**given, **state.bounds}, held):
        yield HeldAmended(at=state.at, freed=freed, by="fsck")


def _points(behind: Sequence[Readable]) -> Iterator[Values]:
    for readable in behind:
        match readable.event:
            case SuggestionsMade(suggestions=suggestions):
                yield from (suggested.parameters for suggested in suggestions)
            case PointsAdded(points=points):
                yield from points
            case ResultsAdded(results=results):
                yield from (known.parameters for known in results)
            case JournalMended(trials=trials):
                yield from (saved.suggested.parameters for saved in trials)
