"""The best settings for a condition, where each has its own, for callers of Python."""

from __future__ import annotations

from orchestrator.parameters.held import suggested_as_held
from orchestrator.python_interface.answers import Recommended
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.plain import copied


def best_settings(reading: Reading, told: ToldResults, held: Values, within: Domain) -> Recommended:
    """Beside what is ``held``, the condition among it, in that part of the domain, by all that was ``told``:
    as `orchestrator best --at` says them of a run. Takes as long as two fits, unless it was asked before of
    the same results. Raises UsageError where results are too few.
    """
    space = reading.space
    models = told.models.for_each(reading.problem, told.measured(None), told.failed(len(space.names)))
    best = models.best_within(within)
    given = copied(space.given(suggested_as_held(space, best.point, held)))
    # As it was told, and not rounded on its way through the unit cube.
    given.update({name: value for name, value in held.items() if name in given})
    return Recommended(given, best.predicted)
