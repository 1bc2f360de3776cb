"""What is known of parameters beforehand: where it lies beside the bounds."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import FloatParameter, IntParameter, priors_among
from orchestrator.values.finite import written
from orchestrator.values.prior import lies_outside


def of_priors(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Of means that lie where no evaluation will be."""
    for name, prior in priors_among(spec.parameters).items():
        told = spec.parameters[name]
        if isinstance(told, FloatParameter | IntParameter) and lies_outside(prior, *told.bounds):
            low, high = (written(one) for one in told.bounds)
            sentence = (
                f"what is known of `{name}` lies mostly outside its bounds, from {low} to {high}, and is cut"
                " off there: are these meant?"
            )
            yield Complaint(find_key(tree, ("parameters", name, "prior")), sentence)
