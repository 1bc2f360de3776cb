"""Which trial is preferred by what was compared in a search from Python, as its program would say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from orchestrator.algorithms.base import Comparison, LearnsComparisons, Observation
from orchestrator.parameters.space import Space
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold
from orchestrator.scheduler.events import StockTaken
from orchestrator.spec.build import build_algorithm
from orchestrator.spec.model import Spec
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.named import Values


class PreferredSoFar:
    """Is told, in order, which trials there are and how they compare."""

    def __init__(self, spec: Spec, space: Space) -> None:
        self._spec = spec
        self._space = space
        self._parameters: dict[int, Values] = {}
        self._compared: list[ComparisonTold] = []
        self._begun_anew = 0

    def begun(self, trial: int, parameters: Values) -> None:
        """A trial, and where it is."""
        self._parameters[trial] = parameters

    def compared(self, told: ComparisonTold) -> None:
        """How two compare."""
        self._compared.append(told)

    def taken_back(self, told: ComparisonTakenBack) -> None:
        """How two compare is not known."""
        both = {told.trial, told.other}
        self._compared = [one for one in self._compared if {one.trial, one.other} != both]
        self._begun_anew += 1

    def stock(self, at: float) -> StockTaken:
        """What the optimiser believes by now."""
        told = sorted({number for one in self._compared for number in (one.trial, one.other)})
        insight = self._insight(told) if told else {}
        return StockTaken(at=at, observations=len(told), insight=insight, model=self._begun_anew)

    def _insight(self, told: Sequence[int]) -> Mapping[str, Any]:
        algorithm = build_algorithm(self._spec)
        assert isinstance(algorithm, LearnsComparisons)
        points = [self._space.encode(self._space.nearest(self._parameters[number])) for number in told]
        algorithm.tell([Observation(*one, None) for one in zip(told, points, strict=True)])
        algorithm.compare([Comparison(one.trial, one.other, one.alike) for one in self._compared])
        # As the program, whose sums are those of one thread.
        with one_thread():
            found = algorithm.insight()
        believed = {"hyperparameters": found.hyperparameters}
        return believed if found.preferred is None else {**believed, "preferred": asdict(found.preferred)}
