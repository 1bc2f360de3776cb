"""How many slots of a worker an evaluation takes, by a spec; and how many run at a time by that."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.expressions.computed import in_their_order
from orchestrator.scheduler.rules.slots_needed import SlotsNeeded
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import slots_by
from orchestrator.spec.sections.parameters import FixedParameter, computed_of, conditions_of
from orchestrator.values.finite import is_number
from orchestrator.values.named import Values
from orchestrator.wire.messages import SLOTS_LIMIT

if TYPE_CHECKING:
    from orchestrator.parameters.computed_parameters import ComputedParameters
    from orchestrator.parameters.space import Space

POINTS = 256
"""At random, by which it is known how many slots an evaluation takes on average."""


class _Formula:
    """What a spec says of `slots`, at a point of its ``space``, which is built at the first: numpy is slow to
    load.
    """

    def __init__(self, spec: Spec, text: str, space: Callable[[], Space]) -> None:
        self._spec = spec
        self._space = space
        self._slots = slots_by(text)

    def __call__(self, parameters: Values) -> float:
        """NaN where it has no value."""
        return float(self._following.of(parameters).get(self._slots.name, math.nan))

    @property
    def is_constant(self) -> bool:
        """Whether it is of fixed parameters alone, or of none."""
        parameters = self._spec.parameters
        return all(isinstance(parameters[name], FixedParameter) for name in self._slots.parents)

    @cached_property
    def _following(self) -> ComputedParameters:
        from orchestrator.parameters.computed_parameters import ComputedParameters
        from orchestrator.parameters.nameable import constants_among

        space, parameters = self._space(), self._spec.parameters
        conditions = conditions_of(parameters)
        otherwise = {name: one.otherwise for name, one in conditions.items() if is_number(one.otherwise)}
        return ComputedParameters(
            space.parameters,
            constants_among(space.fixed),
            tuple((name, float(value)) for name, value in otherwise.items()),
            frozenset(conditions),
            in_their_order([*computed_of(parameters), self._slots]),
        )


def slots_needed(spec: Spec, space: Callable[[], Space]) -> SlotsNeeded | None:
    """None where each takes one, as where nothing is said of it. ``space`` builds that of the spec."""
    told, workers = spec.evaluation.slots, spec.workers
    if told is None:
        return None
    here = workers.only_local
    most, whose = (workers.local, "this machine") if here else (SLOTS_LIMIT, "the largest worker")
    if isinstance(told, int):
        return SlotsNeeded(lambda _: float(told), told, most, whose)
    formula = _Formula(spec, told, space)
    needed = SlotsNeeded(formula, None, most, whose)
    return SlotsNeeded(formula, needed.of({}), most, whose) if formula.is_constant else needed


def trials_at_a_time(spec: Spec, space: Space) -> int:
    """How many evaluations at a time are planned for: those that fit on this machine's slots, and on those of
    workers elsewhere, where each job has one at least. Where they take more at some points than at others, as
    many as they take on average of the space.
    """
    workers, needed = spec.workers, slots_needed(spec, lambda: space)
    if needed is None:
        return workers.at_a_time
    each = max(1.0, _on_average(needed, space))
    jobs = 0 if workers.jobs is None else workers.jobs.at_most
    return int(workers.local // each) + max(int(workers.remote // each), jobs)


def why_all_fail(spec: Spec, space: Space) -> str:
    """Why no worker can have an evaluation anywhere, or anywhere at full fidelity, without which there is no
    best one; nothing where some worker can.
    """
    needed, fidelity = slots_needed(spec, lambda: space), spec.fidelity
    if needed is None:
        return ""
    if needed.same is not None:
        return needed.why_not(needed.same)
    full = {} if fidelity is None else {fidelity.parameter: fidelity.full_of(spec.parameters)}
    taken = _at_points(needed, space, full)
    least = min(taken)
    if least == 0 or not all(map(needed.why_not, taken)):
        return needed.why_not(0) if max(taken) == 0 else ""
    where = " at full fidelity" if full else ""
    return f"it takes {least} slots or more{where}, and {needed.whose} has {needed.most}"


def why_some_fail(spec: Spec, space: Space) -> str:
    """What of the space no worker can ever have, in a sentence; nothing where there is no such part of it."""
    needed = slots_needed(spec, lambda: space)
    if needed is None or needed.same is not None:
        return ""
    taken = _at_points(needed, space)
    never = [slots for slots in taken if needed.why_not(slots)]
    if not never:
        return ""
    at = f"at {max(1, round(100 * len(never) / len(taken)))} % of all points"
    if 0 in never:
        return f"{at} `slots` comes to no number of 1 or more: evaluations will fail there"
    return (
        f"{at} an evaluation takes up to {max(never)} slots, and {needed.whose} has {needed.most}: it will"
        " fail there; a constraint spares that, or a larger `local`"
    )


def _on_average(needed: SlotsNeeded, space: Space) -> float:
    if needed.same is not None:
        return float(needed.same)
    usable = [slots for slots in _at_points(needed, space) if not needed.why_not(slots)]
    return sum(usable) / len(usable) if usable else 1.0


def _at_points(needed: SlotsNeeded, space: Space, places: Values = MappingProxyType({})) -> list[int]:
    """At random ones, which all have these ``places`` of some parameters."""
    import numpy as np

    points = space.domain.sample(POINTS, np.random.default_rng(0))
    return [needed.of({**space.decode(point), **places}) for point in points]
