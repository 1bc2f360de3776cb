"""What is optimised: goals, how many there may be, and when a result is as good as another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import ge
from typing import Literal, TypeAlias

Goal: TypeAlias = Literal["maximise", "minimise"]

SIGNS: Mapping[Goal, float] = {"maximise": 1.0, "minimise": -1.0}
"""What turns a value of a goal into one that is the better the more it is."""
MOST_OBJECTIVES = 4
"""What a trial adds to a front is summed over boxes, of which more objectives make too many."""
OF_THE_VALUE = ("value", "variance", "factors")
"""What an evaluation returns under these names is about its value, and no outcome."""


def as_good(theirs: Sequence[float], own: Sequence[float]) -> bool:
    """Whether a result is at least as good as another in every objective, each the more the better."""
    return all(map(ge, theirs, own))
