"""What several results of the same settings say of each of some quantities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean

from orchestrator.values.finite import is_finite


def levels_of(names: Iterable[str], results: Sequence[Mapping[str, object]]) -> dict[str, float]:
    """The mean of each quantity over the results that have it as a finite number; without those that none
    has. Exact: of results that are alike it is what each of them says.
    """
    levels = {}
    for name in names:
        told = [one.get(name) for one in results]
        if numbers := [float(one) for one in told if isinstance(one, int | float) and is_finite(one)]:
            levels[name] = mean(numbers)
    return levels
