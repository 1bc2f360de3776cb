"""What events are made of: points that were chosen, results that were known, and what was foreseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.values.named import Values

OF_SPEC = "spec"
"""The source of a trial that the spec lists among the points to start from."""
OF_REFERENCE = "reference"
"""The source of the first of these, where the best is measured against it."""
ADDED = "person"
"""The source of a trial that a person added."""
ON_THE_WAY = "on the way"
"""The source of one that leads to where the optimiser would look, as far as a machine may travel at once."""
ROUND = "round"
"""Among a trial's reasons, what its round settled before it was chosen: as the trial ``of``, what it
``shares``."""

CHANGE = "change"
"""Among a trial's reasons, what changing settings ``takes``, in seconds by their names, what was ``spared``
by leaving others as they stood, why it ``stays``, and what an evaluation takes besides, as far as that is
known."""
PROMISED, PAID_FOR, LATELY, AT_THE_END = "promised", "paid for", "lately", "at the end"
"""Why what was spared stays: that promised more for its time; nothing is compared, and it stays until
evaluations took as long; it promised less, but was changed too lately, or no time would be left.
"""


def is_beside_what_stays(why: Mapping[str, Any]) -> bool:
    """Whether settings stayed for the time that changing them takes, by a trial's reasons: it was not chosen
    freely then.
    """
    told = why.get(CHANGE)
    return isinstance(told, Mapping) and "spared" in told


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownResult:
    """A value that was known before the run, None of what failed: part of the data, not of the budget.
    ``broken`` are the constraints that it, or its ``outcomes``, do not satisfy: it is true, but no best. In
    older journals full fidelity is one of them, here and below. ``seconds`` are what its evaluation took, and
    ``block`` is what it is of, where there are blocks.
    """

    parameters: Values
    value: float | None
    variance: float | None = None
    factors: tuple[float, ...] | None = None
    broken: tuple[str, ...] = ()
    outcomes: Mapping[str, object] = field(default_factory=dict)
    seconds: float | None = None
    block: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnew:
    """What else a result brings that is read, or judged, anew; as in `ResultArrived`, but that all that its
    point breaks is among what is ``broken``.
    """

    variance: float | None = None
    factors: tuple[float, ...] | None = None
    extras: Mapping[str, object] = field(default_factory=dict)
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuedAnew:
    """The value of a ``trial``, or known result, as it is from now on, None where it has failed, as
    ``message`` says, or where people compare trials. ``read`` is None where all else stays as it was.
    """

    trial: int
    value: float | None
    message: str = ""
    read: ReadAnew | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """A point that the optimiser chose. ``mean`` and ``deviation`` are what it predicted, in the objective's
    own sense; ``cost`` is that of its evaluation, above 0 and at most 1, as `parameters.fidelity` has it.
    ``continues`` is the trial that it goes on from, which looked less closely; 0: none.
    ``part`` is what a person said of it, where the rest was chosen beside that.
    """

    parameters: Values
    mean: float | None = None
    deviation: float | None = None
    why: Mapping[str, Any] = field(default_factory=dict)
    cost: float = 1.0
    continues: int = 0
    part: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLeftOut:
    """A part of a point that a person wants tried, of which nothing is, and why: there may be nothing that
    could be beside it any more, as bounds or constraints were amended.
    """

    part: Values
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What an evaluation would probably have come to; ``chance``: that it ends among the best before it."""

    mean: float
    deviation: float
    chance: float
