"""The seed that an evaluation is given."""

from __future__ import annotations

from typing import Final

from orchestrator.numerics.rng import derive_seed

_SEEDS: Final = 2**31
"""What a program takes is seldom more than 32 bits, with a sign."""


def evaluation_seed(seed: int, trial: int) -> int:
    """From 0 to 2^31 - 1, by the seed of the spec. The same for every attempt: a trial that is repeated sees
    the same noise.
    """
    return derive_seed(seed, "evaluation", trial) % _SEEDS
