"""Models of results, kept for the next question about the same ones: it is fits that take seconds."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.mixture.standing import Standing
from orchestrator.arrays import FloatArray
from orchestrator.sensitivity import held_out
from orchestrator.sensitivity.measured import Measured
from orchestrator.sensitivity.results_model import ResultsModel
from orchestrator.sensitivity.settings_for_each import SettingsForEach
from orchestrator.unit_cube.by_logarithm import Scales


@dataclass(frozen=True, eq=False, slots=True)
class KeptModels:
    """Of one experiment: what `problem_of_one` makes of its problem differs in noise, in factors, and in
    whether anything is related.
    """

    _fitted: dict[Hashable, ResultsModel] = field(default_factory=dict)
    _checked: dict[Hashable, ResultsModel] = field(default_factory=dict)
    _for_each: list[SettingsForEach] = field(default_factory=list)

    def fitted(self, problem: Problem, measured: Measured) -> ResultsModel:
        """As `ResultsModel.fitted`."""
        return _kept(self._fitted, problem, measured, ResultsModel.fitted)

    def checked(self, problem: Problem, measured: Measured) -> ResultsModel:
        """As `held_out.checked`."""
        return _kept(self._checked, problem, measured, self._check)

    def for_each(self, problem: Problem, measured: Measured, failed: FloatArray) -> SettingsForEach:
        """Of the value, by (f, D) points that failed, too."""
        if not self._for_each:
            self._for_each.append(SettingsForEach(problem, measured, failed))
        return self._for_each[0]

    def __getstate__(self) -> bytes:
        return pickle.dumps((self._fitted, self._checked))

    def __setstate__(self, kept: bytes) -> None:
        try:
            fitted, checked = pickle.loads(kept)
            of_ours = all(map(_is_of_ours, (*fitted.values(), *checked.values())))
        except (ImportError, AttributeError):
            of_ours = False
        if not of_ours:
            # Of a version that had other parts, or had them elsewhere: they are fitted anew.
            fitted, checked = {}, {}
        object.__setattr__(self, "_fitted", fitted)
        object.__setattr__(self, "_checked", checked)
        object.__setattr__(self, "_for_each", [])

    def _check(self, problem: Problem, measured: Measured) -> ResultsModel:
        return held_out.checked(problem, measured, self.fitted)


def _is_of_ours(model: ResultsModel) -> bool:
    """Raises AttributeError."""
    told = isinstance(model.standing, Standing), isinstance(model.scales, Scales)
    return all(told) and isinstance(model.own_scales, tuple)


def _kept(
    known: dict[Hashable, ResultsModel],
    problem: Problem,
    measured: Measured,
    fitted: Callable[[Problem, Measured], ResultsModel],
) -> ResultsModel:
    told = measured.points, measured.values, measured.variances, measured.held, measured.derivatives
    factors = None if problem.factors is None else tuple(map(tuple, problem.factors))
    arrays = tuple(None if array is None else array.tobytes() for array in told)
    same = (problem.noise, factors, len(problem.related), measured.sign, measured.blocks, arrays)
    if same not in known:
        known[same] = fitted(problem, measured)
    return known[same]
