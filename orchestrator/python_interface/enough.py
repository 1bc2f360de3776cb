"""When a search in one call has found enough, or was long enough: what its `until` may be."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, SupportsFloat
from weakref import WeakKeyDictionary

from orchestrator.errors import UsageError
from orchestrator.python_interface.findings import Findings
from orchestrator.python_interface.found import target_of
from orchestrator.python_interface.unknown_arguments import OF_ENOUGH, is_made_of_what_is_meant
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.values.durations import duration_of
from orchestrator.values.foreign import single_number
from orchestrator.values.plain import whole_number


@is_made_of_what_is_meant(OF_ENOUGH)
@dataclass(frozen=True, slots=True)
class Enough:
    """What the budget of a spec says beside trials and cost; the first that is reached is enough. ``time`` is
    how long a search may take from when it begins: seconds, or a text such as ``"1 h"``; nothing is begun
    later. ``target`` is a value that is good enough, and ``patience`` (>= 1) how many trials may be told
    since the best one was, or since the newest trade-off.

    Called with an Optimiser it says whether that has come: in a loop of one's own the time counts from the
    first such call. Each search, and each Optimiser, has its own time, also of one that is sent to another
    process. Raises UsageError for what is none of these.
    """

    time: str | SupportsFloat | None = None
    target: SupportsFloat | None = None
    patience: int | None = None
    _begun: WeakKeyDictionary[Findings, float] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.time is None and self.target is None and self.patience is None:
            raise UsageError(
                'expected a time, a target or a patience, as Enough(time="1 h", target=0.1), got none'
            )
        if self.time is not None:
            told = self.time if isinstance(self.time, str) else single_number(self.time)
            try:
                object.__setattr__(self, "time", duration_of(told))
            except ValueError as error:
                raise UsageError(f"expected as `time` {error}, got {self.time!r}") from None
        if self.target is not None:
            object.__setattr__(self, "target", target_of(self.target))
        if self.patience is not None:
            patience = whole_number(self.patience)
            if patience is None or patience < 1:
                raise UsageError(f"expected as `patience` a whole number above 0, got {self.patience!r}")
            object.__setattr__(self, "patience", patience)

    def __call__(self, optimiser: Findings) -> bool:
        """Raises UsageError for a target, or a patience, where no result is the best."""
        # Each is looked at, so that what an Optimiser cannot say is refused at once.
        reached = self.target is not None and optimiser.reached(self.target)
        waited = self.patience is not None and optimiser.since_best >= self.patience - ROUNDING
        # As in a run: where closer looks, or the first success, are still to come, there is none to wait for.
        waited = waited and (bool(optimiser.front()) or optimiser.nothing_satisfies)
        return reached or waited or self._is_late(optimiser)

    def __reduce__(self) -> tuple[Any, ...]:
        # Elsewhere clocks show another time.
        return Enough, (self.time, self.target, self.patience)

    def of_search(self, optimiser: Findings) -> Enough:
        """The same for one search that begins now, so that its time does."""
        own = replace(self)
        own._begun[optimiser] = monotonic()
        return own

    def _is_late(self, optimiser: Findings) -> bool:
        if self.time is None:
            return False
        now = monotonic()
        return now - self._begun.setdefault(optimiser, now) >= float(self.time)
