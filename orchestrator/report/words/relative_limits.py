"""How limits stand that are relative to a run's reference, in a sentence."""

from __future__ import annotations

from orchestrator.expressions.constraints import relative_among
from orchestrator.report.words.wording import listed, number
from orchestrator.scheduler.reference import came_to_nothing, measured_at_reference
from orchestrator.scheduler.state import State
from orchestrator.spec.model import Spec
from orchestrator.values.printable import printable

NOTHING_CAME = "the reference came to nothing, or is forgotten"


def relative_limits(spec: Spec, state: State) -> str:
    """By which values of the reference they are judged, or that these are not known; nothing where no limits
    are relative to it.
    """
    relative = relative_among(state.amended.constraints.among(spec.constraints))
    if not relative:
        return ""
    texts = printable(listed([f"`{text}`" for text in relative]))
    are = "is" if len(relative) == 1 else "are"
    levels = state.amended.constraints.known_levels
    named = dict.fromkeys(name for names in relative.values() for name in names)
    if lacking := [name for name in named if name not in levels]:
        what = printable(listed(lacking))
        if came_to_nothing(state):
            return f"{NOTHING_CAME}, and nothing is known to satisfy {texts}: try it again"
        is_known = "is" if len(lacking) == 1 else "are"
        return f"{what} of the reference {is_known} not known yet, which {texts} {are} relative to"
    has = printable(listed([f"{name} = {number(levels[name], 6)}" for name in named]))
    times = len(measured_at_reference(state))
    average = f", on average over {times}" if times > 1 else ""
    return f"the reference has {has}{average}, which {texts} {are} relative to"
