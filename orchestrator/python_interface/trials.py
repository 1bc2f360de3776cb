"""The trials of an Optimiser: their numbers, and which of them are still to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orchestrator.algorithms.base import AskKey
from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.arrays import FloatArray
from orchestrator.errors import UsageError
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Place, Result, Telling
from orchestrator.values.named import Values
from orchestrator.values.plain import whole_number

SHOWN = 10
"""Of the trials that are pending, where one is not."""
OF_ANY_POINT = "`learn(parameters, value)` takes a result of any point, as after a restart"


@dataclass(frozen=True, slots=True)
class Left:
    """A trial that an earlier process asked for, while parameters were ``held``, and did not tell."""

    asked: Asked
    held: Values


@dataclass(slots=True)
class Trials:
    """``asks`` is how many asks were answered, ``following`` the number of the next trial. By their numbers:
    the (D,) points of those that are ``pending``, the parameters of those among them that were ``asked_for``
    and of those that the caller ``attached``, which of them were asked for while parameters were ``held``, or
    as they lead to others, the ``costs`` that they count for, the trials that they go on from
    (``continues``), and how others were ``settled``. The last one is at the parameters where a machine
    ``stands``; empty: none is. Beside a clock, ``time`` is what it showed when the last ones were asked for.
    ``left`` are to be handed out again; the ``machine`` is what evaluations took, where settings take time to
    change;
    ``told`` of all were, which counted for ``spent``.
    """

    asks: int = 0
    # As in a run, where the first ask and the first trial are number 1.
    following: int = 1
    pending: dict[int, FloatArray] = field(default_factory=dict)
    asked_for: dict[int, Values] = field(default_factory=dict)
    attached: dict[int, Values] = field(default_factory=dict)
    held: set[int] = field(default_factory=set)
    costs: dict[int, float] = field(default_factory=dict)
    continues: dict[int, int] = field(default_factory=dict)
    settled: dict[int, str] = field(default_factory=dict)
    stands: Values = field(default_factory=dict)
    time: float | None = None
    left: dict[int, Left] = field(default_factory=dict)
    machine: MachineTime = field(default_factory=lambda: MachineTime({}))
    told: int = 0
    spent: float = 0.0

    @property
    def key(self) -> AskKey:
        """Of the next ask."""
        return AskKey(self.asks + 1, self.following)

    def begin(self, point: FloatArray, attached: Values | None = None) -> int:
        """The number of a new trial at a (D,) point."""
        number = self.following
        self.pending[number] = point
        if attached is not None:
            self.attached[number] = self.stands = attached
        self.following += 1
        return number

    def answered(
        self, points: Sequence[FloatArray], parameters: Sequence[Values], held: Sequence[bool]
    ) -> None:
        """An ask was, with new trials at (D,) points of these parameters: each perhaps asked for while some
        were ``held``, or as it leads to another.
        """
        self.asks += 1
        for point, own, aside in zip(points, parameters, held, strict=True):
            number = self.begin(point)
            self.asked_for[number] = self.stands = own
            if aside:
                self.held.add(number)

    def priced(self, asked: Sequence[Asked]) -> None:
        """What trials count for, and what they go on from."""
        self.costs.update({one.trial: one.cost for one in asked})
        self.continues.update({one.trial: one.continues for one in asked if one.continues is not None})

    def leave(self, left: Left) -> None:
        """A pending trial is to be handed out again."""
        self.left[left.asked.trial] = left
        self.priced([left.asked])

    def fitting(self, n: int, held: Values) -> list[Asked]:
        """At most n of those that are left, which were asked for while the same was ``held``."""
        return [one.asked for one in self.left.values() if one.held == held][:n]

    def hand_out(self, asked: Sequence[Asked]) -> None:
        """These are left no longer."""
        for one in asked:
            del self.left[one.trial]

    def result(self, number: int, telling: Telling, reading: Reading) -> Result:
        """What is told of a pending trial. Raises as `Reading.of_trial`."""
        attached = self.attached.get(number)
        # What is held, or gone on from, need not lie on the grid that points are rounded to.
        place = Place(self.pending[number], attached or self.asked_for[number])
        telling = replace(telling, held=number in self.held, attached=attached is not None)
        return reading.of_trial(number, place, telling)

    def waiting(self, trial: object, otherwise: str = OF_ANY_POINT) -> int:
        """The number of a trial that is pending. Raises UsageError, with what may be done ``otherwise``."""
        number = whole_number(trial)
        if number is not None and number in self.pending:
            return number
        shown = ", ".join(map(str, list(self.pending)[:SHOWN])) or "none"
        more = f" and {len(self.pending) - SHOWN} more" if len(self.pending) > SHOWN else ""
        waiting = f"pending ({shown}{more})"
        if number is None:
            hint = ", as suggestion.trial is" if isinstance(trial, Asked) else ""
            advice = f"; {otherwise}" if isinstance(trial, Mapping) else ""
            raise UsageError(f"expected the number of a trial that is {waiting}{hint}, got {trial!r}{advice}")
        how = self.settled.get(number)
        state = "was never asked" if how is None else f"is {how} already"
        advice = "" if how == "told" else f"; {otherwise}"
        raise UsageError(f"expected a trial that is {waiting}, got {trial!r}, which {state}{advice}")

    def settle(self, number: int, how: str) -> None:
        """One that was pending is told, or abandoned."""
        del self.pending[number]
        self.asked_for.pop(number, None)
        self.attached.pop(number, None)
        self.held.discard(number)
        self.left.pop(number, None)
        self.continues.pop(number, None)
        cost = self.costs.get(number, 1.0)
        if how == "told":
            self.told += 1
            self.spent += cost
        self.settled[number] = how

    def copied(self) -> Trials:
        """The same, whatever becomes of this one."""
        return replace(
            self,
            pending=dict(self.pending),
            asked_for=dict(self.asked_for),
            attached=dict(self.attached),
            held=set(self.held),
            costs=dict(self.costs),
            continues=dict(self.continues),
            settled=dict(self.settled),
            left=dict(self.left),
            machine=self.machine.copied(),
        )
