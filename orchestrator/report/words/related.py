"""How many results are known of related experiments."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.words.wording import counted


def related_words(counts: Sequence[int], left_out: int) -> str:
    """``24 results of a related experiment, 3 rows left out``, by how many there are of each."""
    several = len(counts)
    experiments = "a related experiment" if several == 1 else f"{several} related experiments"
    without = f", {counted(left_out, 'row')} left out" if left_out else ""
    return f"{counted(sum(counts), 'result')} of {experiments}{without}"
