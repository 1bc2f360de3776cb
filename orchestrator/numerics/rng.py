"""The only seeds: randomness derived from identity, never from history.

A stream is named by the run's seed, a purpose in words and some numbers (an ask, a trial, a member). The
same name gives the same draws in any process, on any platform and in any order; two names give
independent ones. Python's own `hash` is salted per process and takes no part.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def stream(seed: int, purpose: str, *numbers: int) -> np.random.Generator:
    """The generator for one purpose: ``SeedSequence(seed, spawn_key=hash of the rest)``, PCG64.

    ``seed`` is non-negative. Raises ValueError if it is not.
    """
    import numpy as np  # workers derive seeds and must not pay for numpy

    digest = _digest(purpose, numbers, size=16)
    words = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=words)))


def derive_seed(seed: int, purpose: str, *numbers: int) -> int:
    """A seed in [0, 2^63) to hand to something with a generator of its own, such as an evaluator."""
    return int.from_bytes(_digest(purpose, (seed, *numbers), size=8), "little") >> 1


def _digest(purpose: str, numbers: tuple[int, ...], size: int) -> bytes:
    # Lengths first, so that no two names are spelled with the same bytes.
    text = purpose.encode()
    name = b"%d:%b|" % (len(text), text) + b",".join(b"%d" % int(number) for number in numbers)
    return hashlib.blake2b(name, digest_size=size, person=b"orchestrator").digest()
