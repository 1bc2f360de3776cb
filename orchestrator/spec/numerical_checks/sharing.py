"""What of a spec's rounds can be told once its equalities are solved."""

from __future__ import annotations

from orchestrator.errors import SpecError
from orchestrator.spec.build import require_rounds_that_differ
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec


def check_shared(tree: Node, spec: Spec) -> list[Complaint]:
    """That trials are to share what follows from others."""
    try:
        require_rounds_that_differ(spec)
    except SpecError as mistake:
        return [Complaint(find_key(tree, ("mode", "sharing")), str(mistake))]
    return []
