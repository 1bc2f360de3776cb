"""What is believed of the reference together with a point, where constraints are relative to it: what was
measured of it may have been luck, and the reference is no worse than itself.

Notation: D parameters, k draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.expressions.references import reference_to
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.tolerated import OutcomeModels


@dataclass(frozen=True, eq=False, slots=True)
class BesideReference:
    """Where the reference lies, a (D,) point, and ``models`` of those outcomes, by name, whose values there
    constraints name; none, where none are.
    """

    there: FloatArray
    models: Mapping[str, ResultsModel]

    @classmethod
    def of(cls, outcomes: OutcomeModels, value: ResultsModel | None) -> BesideReference:
        """By the models of outcomes, and of the value, if it has one."""
        if outcomes.reference is None:
            return cls(np.empty(0), {})
        every = dict(outcomes.models) if value is None else {**outcomes.models, outcomes.own: value}
        return cls(outcomes.reference, {name: every[name] for name in outcomes.referred})

    def drawn(
        self, point: FloatArray, known: Mapping[str, FloatArray], luck: Mapping[str, FloatArray]
    ) -> dict[str, FloatArray]:
        """By its name in constraints, (k,) values of each at the reference, beside those ``known`` of a (D,)
        point, drawn by the (k,) ``luck`` of its own name; what these leave open, by that of the other.
        """
        found = {}
        for name, model in self.models.items():
            there = reference_to(name)
            if (point == self.there).all():
                # Of one value twice, rounding alone would say which is higher.
                found[there] = known[name]
            else:
                together = model.together(np.array([point, self.there]))
                found[there] = together.second_beside(luck[name], luck[there])
        return found
