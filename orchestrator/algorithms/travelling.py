"""Points that an algorithm suggests, approached as far as a machine's settings may travel at once.

What is best next is chosen in the whole domain, and each trial leads there: whoever chooses from what is
within reach alone may stay on the hill that they are on.
"""

from __future__ import annotations

import numpy as np

from orchestrator.algorithms.base import Suggestion
from orchestrator.errors import OptimiserError
from orchestrator.numerics.rng import stream
from orchestrator.parameters.reach import Reach
from orchestrator.parameters.space import Space
from orchestrator.scheduler.event_parts import ON_THE_WAY
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.travel import too_far_words


def within_reach(
    suggestion: Suggestion, space: Space, stands: Values, part: Domain, seed: int, trial: int
) -> Suggestion:
    """The suggestion itself, or what is on the way there from where the machine stands: of that nothing is
    predicted, and its reason names where it leads. ``part`` is where it is to lie. Raises SpecError where
    constraints or bounds leave nothing within reach.
    """
    reach = Reach.of(space, stands)
    target = np.asarray(suggestion.point, dtype=float)
    if reach.holds(target):
        return suggestion
    point = reach.towards(target, part, stream(seed, "within reach", trial))
    if words := too_far_words(space.travel, stands, space.decode(point)):
        raise OptimiserError(f"expected a point within reach of where the machine stands: {words}")
    if space.decode(point) == space.decode(target):
        # It was out of reach by what makes no other value of any parameter.
        return suggestion
    why = {"source": ON_THE_WAY, "towards": space.decode(target), "for": suggestion.why.get("source", "")}
    return Suggestion(point, why=why)


def is_on_the_way(suggestion: Suggestion) -> bool:
    """Whether a point is one that another was asked for."""
    return suggestion.why.get("source") == ON_THE_WAY
