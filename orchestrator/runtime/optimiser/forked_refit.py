"""A refit, and what is left to gain by it, computed by forked copies of the optimiser, or by itself."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import partial
from typing import Self

import msgspec

from orchestrator.algorithms.base import Algorithm, ForeseesGain, Gain, Refit
from orchestrator.algorithms.faults import fault_words, refuse_what_is_no_refit
from orchestrator.runtime.optimiser.forked_copy import ForkedCopy
from orchestrator.runtime.optimiser.messages import as_json

BEHIND_OTHERS = 10
"""The niceness of what nobody waits for."""


@dataclass(slots=True, kw_only=True)
class ForkedRefit(ForkedCopy[Refit]):
    """A refit under way."""

    @classmethod
    def start(cls, algorithm: Algorithm, number: int) -> Self:
        """Fork; the copy computes the refit, answers and ends."""
        compute = partial(_computed, algorithm, number)
        return cls.fork(number, compute, Refit, partial(fault_words, algorithm=type(algorithm)))


def refit_without_copy(algorithm: Algorithm, number: int) -> tuple[Refit | None, str]:
    """What a copy would have answered, or None and the reason; everything else waits meanwhile."""
    try:
        return msgspec.json.decode(
            msgspec.json.encode(_computed(algorithm, number), enc_hook=as_json), type=Refit
        ), ""
    except Exception as error:
        traceback.print_exc()
        return None, fault_words(error, type(algorithm))


def _computed(algorithm: Algorithm, number: int) -> Refit:
    refit = algorithm.compute_refit(number)
    refuse_what_is_no_refit(refit, algorithm, number)
    return refit


@dataclass(slots=True, kw_only=True)
class ForkedGain(ForkedCopy[Gain]):
    """An estimate under way of what is left to gain by refit ``number``, which was adopted."""

    @classmethod
    def start(cls, algorithm: ForeseesGain, number: int) -> Self:
        """Fork; the copy estimates, where it is not too early for that, answers and ends."""
        words = partial(fault_words, algorithm=type(algorithm))
        return cls.fork(number, algorithm.remaining_gain, Gain, words, niceness=BEHIND_OTHERS)
