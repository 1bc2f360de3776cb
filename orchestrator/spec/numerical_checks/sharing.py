"""What of a spec's rounds can be told once its equalities are solved."""

from __future__ import annotations

from orchestrator.errors import SpecError
from orchestrator.parameters.sharing import require_that_they_can_be_shared
from orchestrator.spec.build import build_space
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec


def check_shared(tree: Node, spec: Spec) -> list[Complaint]:
    """That trials are to share what follows from others."""
    try:
        held = [*spec.held, *([] if spec.clock is None else [spec.clock])]
        require_that_they_can_be_shared(build_space(spec), spec.mode.sharing, held)
    except SpecError as mistake:
        return [Complaint(find_key(tree, ("mode", "sharing")), str(mistake))]
    return []
