"""What stands for the end of a journal that was damaged: an event as those of `events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.scheduler.event_parts import Forecast, Suggested
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True)
class OtherBearers:
    """The numbers of trials, from the ``first`` to the ``last``, that others had in a journal before it was
    mended: up to so many ``leases`` of each were given to these, perhaps. 0: there are none.
    """

    first: int = 0
    last: int = 0
    leases: int = 0

    def leases_of(self, number: int) -> int:
        """How many leases of that number may be of another trial."""
        return self.leases if self.first <= number <= self.last else 0

    def beside(self, other: OtherBearers) -> OtherBearers:
        """All that either has, and perhaps some between them."""
        if not (self.last and other.last):
            return self if self.last else other
        first, last = min(self.first, other.first), max(self.last, other.last)
        return OtherBearers(first, last, max(self.leases, other.leases))


NO_OTHERS = OtherBearers()


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTrial:
    """A trial as it stood at the end of a damaged journal, as far as its whole lines say.

    ``value`` is None where none was found; then ``forecast`` is that of one that was stopped, and else
    ``message`` says why it failed, or is empty where the trial is to be evaluated again. ``held`` is what was
    held when it was asked for, as far as its parameters are there; in older journals that is not told.
    ``carried_out``: it has no value, as people compare trials. ``block`` is the one that lay there when what
    came of it began, behind the damage; empty where it began before, or nobody had said. ``continued`` as in
    `ResultArrived`. ``evaluated_as`` is the number that it had when it was last evaluated, if it was, where
    that was another; 0: it was not.
    """

    number: int
    suggested: Suggested
    ask: int | None = None
    value: float | None = None
    variance: float | None = None
    factors: tuple[float, ...] | None = None
    extras: Mapping[str, object] = field(default_factory=dict)
    broken: tuple[str, ...] = ()
    elapsed: float = 0.0
    worker: str = ""
    message: str = ""
    forecast: Forecast | None = None
    curve: tuple[tuple[int, float], ...] = ()
    not_finite_at: int | None = None
    own: Mapping[str, str] = field(default_factory=dict)
    held: Values | None = None
    carried_out: bool = False
    by: str = ""
    block: str = ""
    continued: bool = False
    evaluated_as: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalMended:
    """Stands for the end of a journal that was damaged: all that could be saved from behind the damage.

    ``trials`` are numbered as they were; those beyond the ones known come in order, without a gap, and so
    may have the numbers of ``others``, whose leases are not theirs; in older journals that is not told.
    ``lost`` counts the lines that are not in the journal any more; ``asks`` is the last ask seen.
    ``requests`` are those of people, by name and kind of event, whose effect is among the trials.
    ``lost_amendments`` say, in words, what people seem to have amended in lines that are lost.
    ``within_bounds``: all bounds that were amended come before it, and nothing waits outside; in older
    journals some follow. ``last_given`` is the last of the trials behind the damage of which a worker was
    heard; 0: of none.
    """

    at: float
    wall: str
    lost: int
    asks: int
    trials: tuple[SavedTrial, ...] = ()
    requests: tuple[tuple[str, str], ...] = ()
    lost_amendments: tuple[str, ...] = ()
    within_bounds: bool = False
    last_given: int = 0
    others: OtherBearers = NO_OTHERS
