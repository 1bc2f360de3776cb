"""What a step of reading a spec makes of its tree: every spelling becomes the one of the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node
from orchestrator.spec.named_tables import TableRead


@dataclass(slots=True)
class Rewritten:
    """A tree; what was wrong there, what is to be said of it, and the tables that were read."""

    tree: Node
    complaints: list[Complaint] = field(default_factory=list)
    remarks: list[Complaint] = field(default_factory=list)
    tables: list[TableRead] = field(default_factory=list)

    def further(self, step: Callable[[Node], Rewritten]) -> None:
        """Go on with what a step makes of the tree, and keep all that it says."""
        after = step(self.tree)
        self.tree = after.tree
        self.complaints += after.complaints
        self.remarks += after.remarks
        self.tables += after.tables
