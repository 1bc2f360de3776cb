"""How many results are known of related experiments."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.words.wording import counted


def related_words(counts: Sequence[int]) -> str:
    """``24 results of a related experiment``, by how many there are of each."""
    several = len(counts)
    experiments = "a related experiment" if several == 1 else f"{several} related experiments"
    return f"{counted(sum(counts), 'result')} of {experiments}"
