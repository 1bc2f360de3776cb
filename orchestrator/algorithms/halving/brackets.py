"""Brackets: at which rung settings begin, and how many of them do before the next bracket has its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bracket:
    """One of whose settings ``begin`` so many, at the ``first`` rung, before another has its turn."""

    first: int
    begin: int


def one_bracket(rungs: int, reduction: int) -> tuple[Bracket, ...]:
    """That of all ``rungs`` alone."""
    return (Bracket(0, reduction ** (rungs - 1)),)


def brackets_of(rungs: int, reduction: int) -> tuple[Bracket, ...]:
    """One for each of the ``rungs`` to begin at, the lowest first. All are to cost about the same.

    Source: Li et al. 2018, Table 1, where s stands for how many rungs follow the first.
    """
    most = rungs - 1
    return tuple(Bracket(most - s, (most + 1) // (s + 1) * reduction**s) for s in range(most, -1, -1))


def whose_turn(brackets: Sequence[Bracket], begun: Sequence[int]) -> int:
    """The number of the first bracket of which fewer have ``begun`` than are to in this round."""
    shares = [have / one.begin for have, one in zip(begun, brackets, strict=True)]
    ended = int(min(shares))
    return next(number for number, share in enumerate(shares) if share < ended + 1)
