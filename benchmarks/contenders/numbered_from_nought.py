"""The Python interface as it numbered its trials when these benchmarks were first measured."""

from __future__ import annotations

from orchestrator.python_interface.optimiser import Optimiser


def numbered_from_nought(optimiser: Optimiser) -> Optimiser:
    """The optimiser, which was not asked yet, with its asks and trials counted from 0: what is drawn for a
    trial follows from its number, and the runs that the documentation quotes can be made again.
    """
    optimiser._trials.asks, optimiser._trials.following = -1, 0
    return optimiser
