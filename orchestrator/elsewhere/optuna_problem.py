"""What a study of Optuna seeks, and in which space, as an `Optimiser` is told it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from orchestrator.elsewhere.names import nameable
from orchestrator.elsewhere.search_options import SearchOptions
from orchestrator.errors import SpecError
from orchestrator.objectives import OF_THE_VALUE, Goal
from orchestrator.python_interface.optimiser import Optimiser


@dataclass(frozen=True)
class StudyProblem:
    """``space`` has what is chosen together, ``directions`` the goals, the first that of the value, and
    ``constraints`` the names of what is to be 0 at most.
    """

    space: Mapping[str, BaseDistribution]
    directions: tuple[StudyDirection, ...]
    constraints: tuple[str, ...]

    @classmethod
    def of(
        cls, study: Study, space: Mapping[str, BaseDistribution], trials: Sequence[FrozenTrial]
    ) -> StudyProblem:
        """Constraints are those that any of the trials that are complete has."""
        complete = [trial for trial in trials if trial.state == TrialState.COMPLETE]
        constraints = dict.fromkeys(name for trial in complete for name in _constraints(trial))
        return cls(space, tuple(study.directions), tuple(sorted(constraints)))

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Of the value, and of the further objectives."""
        return tuple("maximise" if one == StudyDirection.MAXIMIZE else "minimise" for one in self.directions)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the outcomes: the further objectives, and then the constraints."""
        taken = {*self.space, *OF_THE_VALUE}
        further = [f"objective_{i}" for i in range(1, len(self.directions))]
        return tuple(nameable(name, taken) for name in (*further, *self.constraints))

    def outcomes(self, trial: FrozenTrial) -> dict[str, float]:
        """Those that a trial has, by their names here."""
        further = dict(zip(self.names, trial.values[1:] if trial.values else (), strict=False))
        constrained = zip(self.names[len(self.directions) - 1 :], self.constraints, strict=True)
        told = _constraints(trial)
        return further | {name: told[theirs] for name, theirs in constrained if theirs in told}

    def optimiser(self, search: SearchOptions) -> Optimiser:
        """Raises SpecError and UsageError as `Optimiser`."""
        goal, *goals = self.goals
        constrained = self.names[len(goals) :]
        return Optimiser(
            {name: _described(name, distribution) for name, distribution in self.space.items()},
            goal=goal,
            objectives=dict(zip(self.names, goals, strict=False)),
            outcomes=constrained,
            constraints=[f"{name} <= 0" for name in constrained],
            **search,
        )


def _constraints(trial: FrozenTrial) -> Mapping[str, float]:
    """What a trial's constraints came to, by their names, or as Optuna 4 has them, by their numbers."""
    if hasattr(trial, "constraints"):
        return trial.constraints  # type: ignore[no-any-return]  # of a module without types
    return {str(i): one for i, one in enumerate(trial.system_attrs.get("constraints") or ())}


def _described(name: str, distribution: BaseDistribution) -> dict[str, object]:
    if isinstance(distribution, CategoricalDistribution):
        return {"type": "choice", "values": list(distribution.choices)}
    if not isinstance(distribution, FloatDistribution | IntDistribution):
        came = type(distribution).__name__
        raise SpecError(f"parameter `{name}`: expected a float, an int or a category, got a {came}")
    bounds = [distribution.low, distribution.high]
    told: dict[str, object] = {
        "type": "float" if isinstance(distribution, FloatDistribution) else "int",
        "bounds": bounds,
    }
    if distribution.log:
        return {**told, "scale": "log"}
    # All whole numbers are steps of 1, of which long bounds have more than are listed.
    is_stepped = distribution.step is not None and (told["type"] == "float" or distribution.step > 1)
    return {**told, "step": distribution.step} if is_stepped else told
