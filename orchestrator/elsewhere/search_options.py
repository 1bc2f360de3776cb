"""What is said of a search where another framework says what is searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, SupportsFloat, TypedDict

from orchestrator.python_interface.plan import Plan


class SearchOptions(TypedDict, total=False):
    """How to search, as arguments of `Optimiser` of these names have it."""

    algorithm: str
    options: Mapping[str, object]
    factors: Sequence[Sequence[str]]
    seed: int
    noise: SupportsFloat | Literal["unknown"]
    plan: Plan
