"""Points that say some of the parameters, the rest of which is chosen when their turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from orchestrator.errors import SpecError
from orchestrator.spec.document.tree import Node
from orchestrator.spec.model import Spec
from orchestrator.spec.points.clock import at_the_beginning
from orchestrator.spec.sections.parameters import FixedParameter, condition_of, conditions_of, varies
from orchestrator.values.named import Values


def parts_among(spec: Spec) -> frozenset[int]:
    """Which of a spec's points, from 0, are parts of one; one that is wrong otherwise is none of them."""
    if spec.candidates is not None:
        # Rows are tried as they are listed.
        return frozenset()
    always = [name for name, told in spec.parameters.items() if varies(told) and condition_of(told) is None]
    first = 1 if spec.initial.reference is not None else 0
    points = list(enumerate(spec.initial.points))[first:]
    lacking = {number for number, point in points if any(name not in point for name in always)}
    if not conditions_of(spec.parameters):
        return frozenset(lacking)
    # Imported here because it is numpy, and in most specs all parameters count.
    from orchestrator.parameters.part_of_point import is_part
    from orchestrator.spec.build import build_space

    space = build_space(spec)
    for number, point in points:
        with suppress(SpecError):
            if number not in lacking and is_part(space, point):
                lacking.add(number)
    return frozenset(lacking)


def wholes_of(spec: Spec) -> Sequence[Values]:
    """The points that say all, in their order."""
    parts = parts_among(spec)
    return [point for number, point in enumerate(spec.initial.points) if number not in parts]


def wholes_at(spec: Spec, nodes: Sequence[Node]) -> Sequence[tuple[Node, dict[str, Any]]]:
    """Each of them with its node, of those of all points."""
    parts, points = parts_among(spec), enumerate(spec.initial.points)
    return [(nodes[number], point) for number, point in points if number not in parts]


def parts_of(spec: Spec) -> Sequence[Values]:
    """What the others say, in their order."""
    return [part_of(spec, spec.initial.points[number]) for number in sorted(parts_among(spec))]


def part_of(spec: Spec, point: Values) -> Values:
    """What a point says, without what is fixed, held, or the time: so much of it is nobody's to say."""
    return {
        name: value
        for name, value in point.items()
        if not isinstance(spec.parameters[name], FixedParameter)
        and name not in spec.held
        and name != spec.clock
    }


def as_always(spec: Spec) -> dict[str, object]:
    """What need not be told of a point, as it is so in every trial: full fidelity, what is held, and the
    time, which is that of the beginning until a run knows better.
    """
    told = spec.fidelity
    full = {} if told is None else {told.parameter: told.full_of(spec.parameters)}
    return {**full, **spec.held, **at_the_beginning(spec.clock)}
