"""Known results that do not say how noisy they are, where evaluators report it: they are taken for exact."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.spec.model import Spec
from orchestrator.spec.sections.initial import KnownResult


def taken_for_exact(spec: Spec, results: Sequence[KnownResult]) -> str:
    """A sentence on how many they are; empty if there are none."""
    exact = sum(result.value is not None and result.variance is None for result in results)
    if spec.objective.noise != "reported" or not exact:
        return ""
    if len(results) == 1:
        return "the known result has no `variance`, and counts as exact: `noise` is `reported`"
    which = f"{exact} of {len(results)} known results"
    return f"{which} have no `variance`, and count as exact: `noise` is `reported`"
