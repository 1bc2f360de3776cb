"""What people changed of a run since it began, beside its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED, AmendedConstraints
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues


@dataclass(slots=True)
class Amended:
    """``bounds`` and ``constraints`` are those that were amended; ``broken_before`` has beside each of these
    on outcomes, and of those relative to the reference, the trials that did not satisfy it by then.
    ``candidates`` are the rows that were added to the listed ones, and ``values`` is how values come of
    results, as far as that was amended. ``lost`` are the amendments of a mended journal that nobody has
    resumed yet.
    """

    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    constraints: AmendedConstraints = NOTHING_AMENDED
    broken_before: Mapping[str, frozenset[int]] = field(default_factory=dict)
    candidates: Columns = field(default_factory=dict)
    values: AmendedValues = AS_GIVEN
    lost: tuple[str, ...] = ()
