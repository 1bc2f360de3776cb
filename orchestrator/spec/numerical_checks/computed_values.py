"""The values of known results, where an objective is computed from their outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from orchestrator.errors import SpecError
from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_all
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.initial import KnownResult


def with_their_values(tree: Node, spec: Spec) -> tuple[Spec, list[Complaint]]:
    """The spec whose known results have their values, and those of which there is none."""
    nodes = find_all(tree, ("initial", "results"))
    results, complaints = valued(spec, spec.initial.results, nodes)
    return spec.model_copy(
        update={"initial": spec.initial.model_copy(update={"results": results})}
    ), complaints


def valued(
    spec: Spec, results: Sequence[KnownResult], nodes: Sequence[Node]
) -> tuple[list[KnownResult], list[Complaint]]:
    """Results with the values that follow from their outcomes, whatever was told as the value; and those that
    are no failures, and have none, each at its place.
    """
    try:
        wanted = build_wanted_outcomes(spec)
    except SpecError:
        # Said where it is wrong.
        return list(results), []
    if wanted is None or wanted.computed is None:
        return list(results), []
    found, complaints = [], []
    for result, node in zip(results, nodes, strict=True):
        value = None if result.value is None else wanted.value(result.parameters, result.outcomes)
        if result.value is not None and (value is None or not math.isfinite(value)):
            missing = wanted.missing(result.outcomes)
            sentence = missing or f"expected outcomes of which there is a value, got the value {value}"
            complaints.append(Complaint(node.place, sentence))
        found.append(result.model_copy(update={"value": value}))
    return found, complaints
