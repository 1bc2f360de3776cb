"""What is optimised: goals, and how many there may be. Light: the command line reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Goal: TypeAlias = Literal["maximise", "minimise"]

SIGNS: Mapping[Goal, float] = {"maximise": 1.0, "minimise": -1.0}
"""What turns a value of a goal into one that is the better the more it is."""
MOST_OBJECTIVES = 4
"""What a trial adds to a front is summed over boxes, of which more objectives make too many."""
