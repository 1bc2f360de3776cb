"""Points and results that a run starts from, without parameters that do not count where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import wholes_of
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.values.named import Values


def what_counts(spec: Spec) -> Callable[[Values], dict[str, object]]:
    """What leaves of a point's parameters those that count. Raises SpecError where one of them is missing."""
    if not conditions_of(spec.parameters) and spec.candidates is None:
        return dict
    # Imported here because it is numpy, and in most runs all parameters count, and nothing goes with them.
    from orchestrator.spec.build import build_space

    return build_space(spec).counted


def first_points(spec: Spec) -> tuple[dict[str, object], ...]:
    """The points to try first that say all parameters."""
    return tuple(map(what_counts(spec), wholes_of(spec)))


def first_costs(spec: Spec) -> tuple[float, ...]:
    """What each of them costs; none where they all cost the same."""
    return costs_of(spec, first_points(spec))


def costs_of(
    spec: Spec, points: Sequence[Values], insight: Mapping[str, Any] | None = None
) -> tuple[float, ...]:
    """What evaluations of points cost, where that is learned by what the optimiser said last of what it
    believes; none where they all cost the same.
    """
    if spec.fidelity is None or not points:
        return ()
    # Imported here because it is numpy, and most evaluations all look equally closely.
    from orchestrator.spec.build import build_fidelity

    fidelity = build_fidelity(spec)
    if fidelity is None:
        return ()
    looks = (insight or {}).get("looks")
    known = fidelity if looks is None else fidelity.costing(looks["costs"])
    return tuple(map(known.cost, points))
