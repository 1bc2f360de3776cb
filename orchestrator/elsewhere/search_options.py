"""What is said of a search where another framework says what is searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, SupportsFloat, TypedDict

from orchestrator.errors import UsageError
from orchestrator.python_interface.options import options_of
from orchestrator.python_interface.outcomes import noise_of, seed_of
from orchestrator.python_interface.plan import Plan
from orchestrator.spelling import did_you_mean, listed


class SearchOptions(TypedDict, total=False):
    """How to search, as arguments of `Optimiser` of these names have it."""

    algorithm: str
    options: Mapping[str, object]
    factors: Sequence[Sequence[str]]
    seed: int
    noise: SupportsFloat | Literal["unknown"]
    plan: Plan


def refuse_what_is_wrong(search: Mapping[str, object]) -> None:
    """Raises UsageError or SpecError for what is no such option, and for one that is wrong in any space, so
    that nobody hears of it after the first evaluation.
    """
    for name in search:
        if name not in SearchOptions.__annotations__:
            known = tuple(SearchOptions.__annotations__)
            raise UsageError(f"expected an option ({listed(known)}), got `{name}`{did_you_mean(name, known)}")
    options_of(search.get("algorithm", "auto"), search.get("options"))
    seed_of(search.get("seed", 0))
    if noise_of(search.get("noise", "unknown")).kind == "reported":
        raise UsageError("expected noise that is `unknown` or a standard deviation: nobody reports it there")
    Plan.of(search.get("plan"))
