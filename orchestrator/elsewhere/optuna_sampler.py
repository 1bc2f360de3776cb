"""An `Optimiser` as a sampler of Optuna.

Source: `BaseSampler` of Optuna 4 and 5, and their `GPSampler` for what is sampled together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.samplers._base import _process_constraints_after_trial
from optuna.search_space import intersection_search_space
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from orchestrator.elsewhere.optuna_problem import StudyProblem
from orchestrator.elsewhere.optuna_trials import FollowedStudy
from orchestrator.elsewhere.search_options import SearchOptions, refuse_what_is_wrong
from orchestrator.python_interface.optimiser import Optimiser


class OrchestratorSampler(BaseSampler):
    """Chooses together the parameters that all complete trials have, from the second trial on; others, and
    those of the first, are drawn one by one.

    All that it goes by is in the study, so that it goes on where another process, or a sampler of another
    kind, left off; what it keeps is made anew whenever the space changes. Processes that share a study need
    seeds of their own.

    Args:
        independent_sampler: what draws one by one; None: a `RandomSampler`.
        constraints_func: as of Optuna's own samplers; or objectives call `set_constraint`.
        failures: whether trials that fail say that their points are to be avoided; False: nothing.
        search: see `SearchOptions`. Without a ``seed`` each sampler has another one.

    Raises UsageError or SpecError for what is wrong in ``search``, whatever the study.
    """

    def __init__(
        self,
        *,
        independent_sampler: BaseSampler | None = None,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
        failures: bool = True,
        **search: Unpack[SearchOptions],
    ) -> None:
        seed = search.get("seed")
        if seed is None:
            search["seed"] = int(np.random.SeedSequence().generate_state(1)[0])
        refuse_what_is_wrong(search)
        self._independent = RandomSampler(seed=seed) if independent_sampler is None else independent_sampler
        self._constraints_func = constraints_func
        self._failures = failures
        self._search = search
        self._forget()

    def _forget(self) -> None:
        self._turn = threading.Lock()
        self._study: tuple[object, int] | None = None
        self._followed: FollowedStudy | None = None

    def __getstate__(self) -> dict[str, Any]:
        kept_anew = ("_turn", "_study", "_followed")
        return {name: value for name, value in self.__dict__.items() if name not in kept_anew}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    @property
    def optimiser(self) -> Optimiser | None:
        """What chooses, to be asked for `predict` or `sensitivity`; None before it chose anything."""
        return None if self._followed is None else self._followed.optimiser

    def reseed_rng(self) -> None:
        """Of what is drawn one by one: threads share the rest."""
        self._independent.reseed_rng()

    def infer_relative_search_space(
        self,
        study: Study,
        trial: FrozenTrial,  # noqa: ARG002
    ) -> dict[str, BaseDistribution]:
        """What all complete trials have, but for what has one value alone."""
        space = intersection_search_space(study.get_trials(deepcopy=False))
        return {name: distribution for name, distribution in space.items() if not distribution.single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Mapping[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Raises SpecError and UsageError for a space, objectives or constraints that cannot be searched."""
        if not search_space:
            return {}
        with self._turn:
            others = [one for one in study.get_trials(deepcopy=False) if one.number != trial.number]
            followed = self._following(study, StudyProblem.of(study, search_space, others))
            followed.follow(others)
            return followed.suggest(trial.number)

    def _following(self, study: Study, problem: StudyProblem) -> FollowedStudy:
        own = (study._storage, study._study_id)
        if self._followed is None or self._study != own or self._followed.problem != problem:
            self._study = own
            self._followed = FollowedStudy(problem, self._search, failures=self._failures)
        return self._followed

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """By the independent sampler."""
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """The independent sampler's own."""
        self._independent.before_trial(study, trial)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        """Keeps what constraints come to, and the independent sampler's own."""
        if self._constraints_func is not None:
            _process_constraints_after_trial(self._constraints_func, study, trial, state)
        self._independent.after_trial(study, trial, state, values)
