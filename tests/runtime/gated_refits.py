"""`egp-ts` as an algorithm of another package, whose refits a test lets through."""

from __future__ import annotations

import time
from pathlib import Path

from orchestrator.algorithms.base import Refit
from orchestrator.algorithms.egp_ts import EgpTs

GATE = "refits-may-end"


class GatedRefits(EgpTs):
    """Its refits end once there is a file called as `GATE` where the run was started."""

    name = "gated-refits"

    def compute_refit(self, number: int) -> Refit:
        while not Path(GATE).exists():
            time.sleep(0.005)
        return super().compute_refit(number)


def install(folder: Path) -> None:
    """Offer it to whom ``folder`` is a place of modules."""
    metadata = folder / "gated_refits-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: gated-refits\nVersion: 1.0\n")
    offered = f"[orchestrator.algorithms]\n{GatedRefits.name} = gated_refits:GatedRefits\n"
    (metadata / "entry_points.txt").write_text(offered)
