"""What some seeds draw beyond the others, from a stream of its own: all else is drawn as without it."""

from __future__ import annotations

from random import Random

SHARE = 0.2


def apart(purpose: str, seed: int) -> Random | None:
    """Of a seed in which something happens for this purpose; None of any other."""
    chance = Random(f"{purpose} {seed}")
    return chance if chance.random() < SHARE else None
