"""Who runs a job where evaluations may look less closely: ours, or another project's."""

from __future__ import annotations

from benchmarks.contenders import fidelity as fidelity_runs
from benchmarks.contenders.fidelity import Job, Run

PEERS = ("botorch-mf-kg", "botorch-mf-gibbon")
"""Of other projects, those that choose how closely to look."""


def run(job: Job) -> Run:
    """Until the budget is spent. Peers need the extra ``[compare]``."""
    if job.algorithm not in PEERS:
        return fidelity_runs.run(job)
    from benchmarks.contenders.fidelity_peers import run_peer

    return run_peer(job)
