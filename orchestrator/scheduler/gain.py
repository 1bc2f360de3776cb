"""What is left to gain, by the model's account, and when that is little."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.scheduler.events import RemainingGainEstimated

ESTIMATES_KEPT = 2
"""And so many in a row must say that little is left: one fit by chance is not to end a run."""


def expected(estimate: RemainingGainEstimated) -> float:
    """The mean of its draws."""
    return sum(estimate.draws) / len(estimate.draws)


def probability_below(estimate: RemainingGainEstimated, threshold: float) -> float:
    """The share of its draws that are less than a threshold."""
    return sum(draw < threshold for draw in estimate.draws) / len(estimate.draws)


def little_left(estimates: Sequence[RemainingGainEstimated], threshold: float) -> bool:
    """Whether the last two, after one refit and after another, both expect less than a threshold."""
    last = estimates[-ESTIMATES_KEPT:]
    return len(last) == ESTIMATES_KEPT and all(expected(estimate) < threshold for estimate in last)


def expectation_words(amount: str, *, beside_threshold: bool) -> str:
    """``the model expects 0.004 to be left to gain``; beside a threshold it is a share of the domain that is
    left to classify.
    """
    what = "of the domain to be classified wrongly" if beside_threshold else "to be left to gain"
    return f"the model expects {amount} {what}"


def gain_words(estimate: RemainingGainEstimated, threshold: float) -> str:
    """``expected 0.004, with probability 0.93 less than 0.01 is left``."""
    surely = f"with probability {probability_below(estimate, threshold):.2g}"
    return f"expected {expected(estimate):.3g}, {surely} less than {threshold:g} is left"
