"""An `Optimiser` as a generator of gest-api, the standard by which libEnsemble and others share generators.

Source: the standard's `Generator` and `VOCS`, gest-api 0.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Unpack

from gest_api import Generator
from gest_api.vocs import VOCS

from orchestrator.elsewhere.search_options import SearchOptions, refuse_what_is_wrong
from orchestrator.elsewhere.vocs import VocsProblem
from orchestrator.elsewhere.vocs_results import ID, VocsResult
from orchestrator.errors import OrchestratorError
from orchestrator.parameters.space import Space
from orchestrator.parameters.space_equalities import space_without_equalities
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.table import read_each
from orchestrator.values.foreign import in_a_line


class GeneratorError(OrchestratorError, ValueError):
    """What the standard has a ValueError for."""


class OrchestratorGenerator(Generator):
    """Suggests points, and is given their results, in a framework that evaluates them.

    Objectives are minimised, maximised, or all of them explored. A result whose objective is missing or no
    finite number is one that failed: what fails is avoided. Results that were never suggested, which have no
    ``_id``, are learned from as well; and what was not evaluated where it was suggested, at where it was.
    Contextual variables, which need bounds, are held as the last result has them, and not suggested.
    Observables are not looked at. It can be pickled and copied as an `Optimiser`.

    Args:
        vocs: what is searched, and for what. Of a discrete variable, numbers are taken to be ordered.
        parameters: by the variables' names, what a spec can say of one and a VOCS cannot, as
            ``{"rate": {"scale": "log"}}``.
        constraints: between variables and constants, as an `Optimiser` takes them: ``["inner < outer"]``.
        search: see `SearchOptions`. How many points `suggest` has where nobody says it is the plan's
            ``parallel``.

    Raises ValueError for what is wrong in these.
    """

    returns_id = True

    def __init__(
        self,
        vocs: VOCS,
        *,
        parameters: Mapping[str, Mapping[str, object]] | None = None,
        constraints: Sequence[str] = (),
        **search: Unpack[SearchOptions],
    ) -> None:
        self._more = {} if parameters is None else parameters
        super().__init__(vocs)
        self.vocs = vocs
        with _as_value_errors():
            refuse_what_is_wrong(search)
            self._problem = problem = VocsProblem.of(vocs, self._more)
            if problem.explored:
                search.setdefault("algorithm", "explore")
            described = Space.from_description(problem.parameters)
            # What is observed is not computed.
            self._space, others = space_without_equalities(described, constraints, problem.contextual)
            self._optimiser = Optimiser(
                self._space,
                goal=problem.goal,
                constraints=[*others, *problem.constraints],
                outcomes=[name for name in problem.outcomes if name not in problem.objectives],
                objectives=problem.objectives,
                **search,
            )
        # The parameters that were chosen, and the context that was held, or thought of.
        self._suggested: dict[int, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
        self._context: Mapping[str, Any] = {}

    def _validate_vocs(self, vocs: VOCS) -> None:
        with _as_value_errors():
            VocsProblem.of(vocs, self._more)

    @property
    def optimiser(self) -> Optimiser:
        """What suggests, and can be asked what is `best`, or for `predict` and `sensitivity`."""
        return self._optimiser

    def suggest(self, num_points: int | None = None) -> list[dict[str, Any]]:
        """So many points, each with the ``_id`` that its result is to have. A refit that is due is computed
        first, which can take seconds.
        """
        wanted = self._optimiser.plan.parallel if num_points is None else num_points
        if wanted == 0:
            return []
        with _as_value_errors():
            asked = self._optimiser.ask(wanted, held=self._context or None)
        self._suggested |= {one.trial: self._problem.parted(one.parameters) for one in asked}
        return [{**self._suggested[one.trial][0], ID: one.trial} for one in asked]

    def ingest(self, results: Sequence[Mapping[str, Any]]) -> None:
        """What came of points. Raises ValueError for what is no list of mappings, an ``_id`` that was never
        suggested, and parameters that are missing or cannot be; none of the results is learned from then.
        """
        # What was attached to the optimiser by hand is told by hand.
        waiting = {trial for trial in self._optimiser.pending if trial in self._suggested}
        as_suggested: dict[int, VocsResult] = {}
        elsewhere: list[VocsResult] = []
        moved: list[int] = []
        with _as_value_errors():
            read = read_each(_mappings(results), self._read)
            for one in read:
                trial = self._trial_of(one, waiting)
                if trial is None:
                    elsewhere.append(one)
                    continue
                waiting.remove(trial)
                if self._can_be_told(trial, one):
                    as_suggested[trial] = one
                else:
                    elsewhere.append(one)
                    moved.append(trial)
            self._learn(elsewhere)
        for trial in moved:
            self._optimiser.abandon(trial)
        for trial, one in as_suggested.items():
            self._optimiser.tell(trial, one.value, outcomes=one.outcomes)
        for one in read:
            self._context = {**self._context, **one.context}

    def _read(self, row: Mapping[str, Any]) -> VocsResult:
        one = VocsResult.of(row, self._problem)
        if one.trial is not None and one.trial not in self._suggested:
            raise GeneratorError(
                f"expected the `{ID}` of a point that this generator suggested, got {one.trial}; leave it out"
                " of results from elsewhere"
            )
        if self._is_placed(one):
            self._space.encode(self._space.nearest(self._space.as_meant(self._parameters(one))))
        return one

    def _trial_of(self, one: VocsResult, waiting: Collection[int]) -> int | None:
        """The trial that a result is the first of; without an id, one at its parameters."""
        if one.trial is not None:
            return one.trial if one.trial in waiting else None
        return next((trial for trial in sorted(waiting) if one.is_at(self._suggested[trial][0])), None)

    def _can_be_told(self, trial: int, one: VocsResult) -> bool:
        parameters, context = self._suggested[trial]
        complete = one.value is None or len(one.outcomes) == len(self._problem.outcomes)
        return complete and one.is_at(parameters) and one.is_within(context)

    def _parameters(self, one: VocsResult) -> dict[str, Any]:
        """Where it is; a context that was not observed is as it was."""
        return {**self._context, **one.parameters, **one.context}

    def _is_placed(self, one: VocsResult) -> bool:
        """Or it should be: what failed need not have come to observe its context."""
        return one.value is not None or self._parameters(one).keys() >= set(self._problem.contextual)

    def _learn(self, elsewhere: Iterable[VocsResult]) -> None:
        value = self._problem.value
        placed = [one for one in elsewhere if self._is_placed(one)]
        rows = [{**self._parameters(one), **one.outcomes, value: one.value} for one in placed]
        self._optimiser.learn_all(rows, value=value)


def _mappings(results: object) -> list[Mapping[str, Any]]:
    if isinstance(results, Iterable) and not isinstance(results, Mapping):
        rows = list(results)
        if all(isinstance(row, Mapping) for row in rows):
            return rows
    expected = 'expected results as a list of mappings, as [{"span": 3.5, "drag": 1.2}]'
    raise GeneratorError(f"{expected}, got {in_a_line(results)}")


@contextmanager
def _as_value_errors() -> Iterator[None]:
    try:
        yield
    except OrchestratorError as error:
        raise GeneratorError(str(error)) from None
