"""Whether a run that keeps limits in every trial begins from something that is known to be safe."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import wholes_of

NO_BEGINNING = (
    "expected a beginning that is known to be safe, as nothing is asked for before a result has kept `{}`:"
    " put settings that are sure to keep it under `initial: {{points: ...}}`, or results that did under"
    " `initial: {{results: ...}}`; {}"
)


def check_safe_beginning(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Points, which whoever lists them takes for safe, or a result that is and may be the best."""
    wanted = build_wanted_outcomes(spec)
    if wanted is None or not wanted.kept or wholes_of(spec):
        return
    limits = tuple(constraint.text for constraint in wanted.kept)
    results = spec.initial.results
    for result in results:
        broken = wanted.judged(result.parameters, result.outcomes, result.value).broken
        if result.value is not None and not set(limits).intersection(broken):
            return
    came = f"got {len(results)} results, none of which keeps it" if results else "got neither"
    names = "`, `".join(constraint.limit for constraint in wanted.kept)
    yield Complaint(find_key(tree, ("constraints",)), NO_BEGINNING.format(names, came))
