"""The refits of an algorithm, one after the other, where nothing goes on beside them."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.algorithms.base import Algorithm, Refit
from orchestrator.algorithms.faults import refuse_what_is_no_refit


def due_refits(algorithm: Algorithm) -> Iterator[Refit]:
    """Those that are due, each to be adopted before the next is asked for; each can take seconds. Raises
    OptimiserError for what is no refit.
    """
    while (number := algorithm.refit_due()) is not None:
        refit = algorithm.compute_refit(number)
        refuse_what_is_no_refit(refit, algorithm, number)
        yield refit


def bring_up_to_date(algorithm: Algorithm) -> None:
    """Compute and adopt the refits that are due."""
    for refit in due_refits(algorithm):
        algorithm.adopt(refit)
