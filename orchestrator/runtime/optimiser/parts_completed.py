"""Points of which people say a part: the rest of each is chosen beside that, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from orchestrator.errors import SpecError
from orchestrator.runtime.optimiser.own_terms import OwnTerms
from orchestrator.scheduler.commands import Ask
from orchestrator.scheduler.event_parts import PartLeftOut, Suggested
from orchestrator.scheduler.rules.places import Places, away, place_words
from orchestrator.values.named import Values
from orchestrator.values.travel import too_far_words


@dataclass(frozen=True, slots=True)
class PartsCompleted:
    """What was ``suggested`` of the parts of an ask, which of them were ``left_out``, and the ``rest`` of the
    ask. One beside which nothing is sure enough to keep limits is neither, nor are those for which there is
    no room: they are asked for again.
    """

    suggested: list[Suggested]
    left_out: list[PartLeftOut]
    rest: Ask


def parts_completed(
    command: Ask, terms: OwnTerms, suggest: Callable[[Ask], Sequence[Suggested]]
) -> PartsCompleted:
    """The parts of an ask as ``suggest`` completes each where it is held, those before it pending."""
    made: list[Suggested] = []
    left_out: list[PartLeftOut] = []
    for part in command.parts:
        if len(made) == command.count:
            break
        beside = _alone(replace(_after(command, made), count=1, held={**command.held, **part}), terms)
        if why := _why_not(command, part, terms) or _why_nothing_beside(beside.held, terms):
            left_out.append(PartLeftOut(part=part, why=why))
        else:
            made += [replace(suggested, part=part) for suggested in suggest(beside)]
    return PartsCompleted(made, left_out, _alone(_after(command, made), terms))


def _alone(beside: Ask, terms: OwnTerms) -> Ask:
    """An ask, in a round of its own where it cannot share what those before it settled."""
    shares = {name: value for name, value in beside.settled.items() if name in beside.held}
    with_them = {**beside.held, **beside.settled}
    if not away(shares, beside.held) and not (beside.settled and _why_nothing_beside(with_them, terms)):
        return beside
    return replace(beside, settled={}, settled_by=0)


def _after(command: Ask, made: Sequence[Suggested]) -> Ask:
    """What is left of an ask once some points are made, without its parts; the first of them settled what all
    share.
    """
    settled = {name: made[0].parameters[name] for name in command.sharing} if made else {}
    return replace(
        command,
        settled=settled,
        settled_by=command.first_trial if settled else 0,
        count=command.count - len(made),
        first_trial=command.first_trial + len(made),
        pending=(*command.pending, *(suggested.parameters for suggested in made)),
        parts=(),
    )


def _why_not(command: Ask, part: Values, terms: OwnTerms) -> str:
    """That it is not where parameters are held by now, or the machine cannot go there at once."""
    held = {name: value for name, value in command.held.items() if name in part}
    if away(held, part):
        return f"parameters are held elsewhere by now: {place_words(held)}"
    return too_far_words(terms.space.travel, command.stands, part)


def _why_nothing_beside(held: Places, terms: OwnTerms) -> str:
    """That no point is where these are held, by the bounds and the constraints as they are by now."""
    try:
        terms.part(held)
    except SpecError as mistake:
        return str(mistake)
    return ""
