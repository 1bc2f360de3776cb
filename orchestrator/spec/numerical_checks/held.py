"""What only algorithms and numpy's arithmetic can tell of parameters that a spec holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from orchestrator.algorithms import registry
from orchestrator.errors import SpecError
from orchestrator.scheduler.rules.places import away, place_words
from orchestrator.spec.build import require_points_where_held
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.initial import KnownResult

HOLDS = replace(
    registry.HOLDS_PARAMETERS,
    advice="choose one of those, or fix what is always so: `{type: fixed}`",
)
"""As there, with what can be done about it in a spec."""
HOLDS_FOR_PARTS = replace(
    registry.HOLDS_PARAMETERS,
    advice="choose one of those, or say all parameters of the point",
)
"""The same, of a point that says some parameters."""


def check_held_points(tree: Node, spec: Spec) -> list[Complaint]:
    """That there is no point to suggest where parameters are held."""
    try:
        require_points_where_held(spec)
    except SpecError as mistake:
        only = list(spec.held) if len(spec.held) == 1 else []
        return [Complaint(find_key(tree, ("held", *only)), str(mistake))]
    return []


def of_held(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Remarks: known results that are no best ones."""
    for sentence in of_known_elsewhere(spec, spec.initial.results):
        yield Complaint(find_key(tree, ("initial", "results")), sentence)


def of_known_elsewhere(spec: Spec, known: Sequence[KnownResult]) -> Iterator[str]:
    """That some known results are not where parameters are held: a sentence, if there are any."""
    if others := sum(bool(away(spec.held, one.parameters)) for one in known):
        some = "the known result is" if len(known) == 1 else f"{others} of {len(known)} known results are"
        held = f"`{place_words(spec.held)}`"
        yield f"{some} not where parameters are held, {held}: still learned from, and no best"
