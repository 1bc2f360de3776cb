"""What is said to be promising and says less than one may think: remarks, of a spec that is right."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter, hunches_among
from orchestrator.values.finite import written
from orchestrator.values.prior import lies_outside


def of_promising(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Of a parameter that is held, and of a mean that lies where no evaluation will be."""
    for name, said in hunches_among(spec.parameters).items():
        told, place = spec.parameters[name], find_key(tree, ("parameters", name, "promising"))
        if name in spec.held:
            sentence = f"where `{name}` is promising has no effect: it is held at {spec.held[name]!r}"
            yield Complaint(place, sentence)
        elif isinstance(told, FloatParameter | IntParameter) and lies_outside(said, *told.bounds):
            low, high = (written(one) for one in told.bounds)
            sentence = (
                f"where `{name}` is promising lies mostly outside its bounds, from {low} to {high}, and is"
                " cut off there: are these meant?"
            )
            yield Complaint(place, sentence)
