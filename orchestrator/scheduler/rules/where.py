"""Where a run may try points: what is held, what is listed, and how a machine gets there."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.scheduler.rules.clock import Clock
from orchestrator.scheduler.rules.places import Places
from orchestrator.values.change import Changes
from orchestrator.values.travel import Travels


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where points are tried.

    ``held`` are the values of parameters that are not to be chosen, but are as they are; the ``clock`` is
    another whose value is the time. ``travel`` says how far those may go from one trial to the next that may
    not go anywhere, and ``changes`` what it takes to change others. ``candidates``: only what is listed may
    be tried, of which there may be no more, and where points are ``tried_once`` a second value at one tells
    nothing.
    """

    held: Places = field(default_factory=dict)
    clock: Clock | None = None
    travel: Travels = field(default_factory=dict)
    changes: Changes = field(default_factory=dict)
    candidates: bool = False
    tried_once: bool = False

    @property
    def one_machine(self) -> bool:
        """Whether it matters where the machine stands: what it can be set to at once, or how soon."""
        return bool(self.travel) or bool(self.changes)
