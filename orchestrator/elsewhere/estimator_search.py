"""A search for settings of scikit-learn's estimators, which an `Optimiser` chooses by their scores.

Source: `BaseSearchCV` of scikit-learn 1.4 to 1.9, whose `_run_search` is made to be written anew.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, Self, SupportsFloat, TypeAlias

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import check_random_state

from orchestrator.elsewhere.same_splits import SameSplits
from orchestrator.elsewhere.search_options import SearchOptions, refuse_what_is_wrong
from orchestrator.errors import UsageError
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.enough import Enough
from orchestrator.python_interface.first_points import FirstPoints, asked_at_most
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.search_loop import EVERY_POINT
from orchestrator.python_interface.table import Points, points_of
from orchestrator.values.plain import whole_number

EvaluateCandidates: TypeAlias = Callable[..., Mapping[str, Any]]
ALL_FAILED = "fits failed"
"""What scikit-learn says where all fits of what it is to evaluate at once failed, which it raises."""
SEVERAL_METRICS = (list, tuple, set, dict)


class OrchestratorSearchCV(BaseSearchCV):
    """Searches for the settings of an estimator whose mean score over the folds is highest.

    Used as scikit-learn's own searches: once it is fitted there are ``best_params_``, ``best_score_``,
    ``best_estimator_``, ``cv_results_`` and the rest, and ``optimiser_``, the `Optimiser`, which can be asked
    for `sensitivity`, `predict`, `recommend` or a `report`.

    All settings are judged by the same folds, of whatever splits at random too. Scores are told without
    a variance: how much they differ from fold to fold is mostly how hard the folds are, for all settings
    alike, and folds share what is learned from. Settings whose score is NaN in any fold, as it is where that
    fails, have failed, and are avoided. Where all that is evaluated at once fails it is missing in
    ``cv_results_``, and in ``optimiser_`` alone; where nothing ever succeeds that is raised, as by
    scikit-learn's own. With another ``error_score`` than NaN, that is their score.

    Args:
        estimator: as of scikit-learn's own searches, perhaps a pipeline.
        parameters: those of the estimator that are searched, as an `Optimiser` takes them:
            ``{"svc__C": {"type": "float", "bounds": [1e-3, 1e3], "scale": "log"}}``. What is not said has its
            value in the estimator, and so has what does not count ``when`` others are so.
        n_iter: how many settings are evaluated; with ``noise=0`` no more than there are, which is warned of.
        n_points: how many are asked for and evaluated at a time, for ``n_jobs`` that exceed the folds.
        algorithm, options, factors, constraints, noise: as `Optimiser` has them.
        points: settings that are evaluated first, as by `minimise`; they are among the ``n_iter``.
        until: called with the `Optimiser` after what is evaluated at a time; the search ends before its
            settings are spent where what that returns is true.
        random_state: an int is the `Optimiser`'s seed; None: another one at each fit.
        scoring, n_jobs, refit, cv, verbose, pre_dispatch, error_score, return_train_score: as of
            scikit-learn's own. Of several metrics the one that ``refit`` names is sought.

    `fit` raises UsageError or SpecError for what is wrong in these.
    """

    optimiser_: Optimiser

    def __init__(
        self,
        estimator: Any,
        parameters: Mapping[str, object],
        *,
        n_iter: int = 50,
        n_points: int = 1,
        algorithm: str = "auto",
        options: Mapping[str, object] | None = None,
        factors: Sequence[Sequence[str]] | None = None,
        constraints: Sequence[str] | None = None,
        noise: SupportsFloat | Literal["unknown"] = "unknown",
        points: Points | None = None,
        until: Callable[[Optimiser], object] | None = None,
        random_state: Any = None,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        error_score: float | Literal["raise"] = math.nan,
        return_train_score: bool = False,
    ) -> None:
        super().__init__(
            estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.parameters = parameters
        self.n_iter = n_iter
        self.n_points = n_points
        self.algorithm = algorithm
        self.options = options
        self.factors = factors
        self.constraints = constraints
        self.noise = noise
        self.points = points
        self.until = until
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Search, and fit the estimator that has the best settings, as by scikit-learn's own."""
        # Splits that are listed are the same each time, and may be there to be read once.
        listed = isinstance(self.cv, Iterator)
        self._splits = (
            None if listed else SameSplits(check_cv(self.cv, y, classifier=is_classifier(self.estimator)))
        )
        try:
            super().fit(X, y, **params)
        finally:
            del self._splits
        return self

    def _run_search(self, evaluate_candidates: EvaluateCandidates) -> None:
        score = self._sought()
        optimiser = self._new_optimiser()
        points = () if self.points is None else points_of(self.points)
        first = FirstPoints.of(optimiser, points, again=True)
        # Meanwhile this is sent to processes, which need not know of it.
        if hasattr(self, "optimiser_"):
            del self.optimiser_
        until = self.until.of_search(optimiser) if isinstance(self.until, Enough) else self.until
        failure: ValueError | None = None
        results: Mapping[str, Any] | None = None
        try:
            while optimiser.told < self.n_iter:
                asked = _following(first, optimiser, min(self.n_points, self.n_iter - optimiser.told))
                if not asked:
                    warnings.warn(EVERY_POINT.format(optimiser.told), RuntimeWarning, stacklevel=2)
                    break
                scores: Sequence[float]
                try:
                    results = evaluate_candidates([dict(one.parameters) for one in asked], cv=self._splits)
                except ValueError as error:
                    if ALL_FAILED not in str(error) or self.error_score == "raise":
                        raise
                    failure = error
                    scores = [float(self.error_score)] * len(asked)
                else:
                    scores = _scores(results, score, len(asked))
                for one, value in zip(asked, scores, strict=True):
                    optimiser.tell(one.trial, value if math.isfinite(value) else None)
                if until is not None and until(optimiser):
                    break
        finally:
            # Nobody goes on with what was interrupted, nor with points beyond the last that was to be tried.
            for trial in optimiser.pending:
                optimiser.abandon(trial)
            self.optimiser_ = optimiser
        if results is None and failure is not None:
            raise failure

    def _new_optimiser(self) -> Optimiser:
        seed = self.random_state
        if seed is None or not isinstance(seed, int | np.integer):
            seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
        for name, told in (("n_iter", self.n_iter), ("n_points", self.n_points)):
            if (number := whole_number(told)) is None or number < 1:
                raise UsageError(f"expected `{name}` as a whole number above 0, got {told!r}")
        if self.until is not None and not callable(self.until):
            raise UsageError(f"expected as `until` a function of the Optimiser, got {self.until!r}")
        plan = Plan(self.n_iter, self.n_points)
        search = SearchOptions(algorithm=self.algorithm, seed=int(seed), noise=self.noise, plan=plan)
        if self.options is not None:
            search["options"] = self.options
        if self.factors is not None:
            search["factors"] = self.factors
        refuse_what_is_wrong(search)
        return Optimiser(self.parameters, goal="maximise", constraints=self.constraints, **search)

    def _sought(self) -> str:
        """The name of the score that is to be highest, in what `cv_results_` has."""
        if isinstance(self.refit, str):
            return f"mean_test_{self.refit}"
        if isinstance(self.scoring, SEVERAL_METRICS):
            raise _which_metric(self.refit)
        return "mean_test_score"


def _following(first: FirstPoints, optimiser: Optimiser, wanted: int) -> Sequence[Asked]:
    """So many; of the caller's own, those that are parts of points one at a time."""
    own = first.attached_next(wanted)
    own += [first.part_completed(optimiser) for _ in islice(first.parts.copy(), wanted - len(own))]
    return own + asked_at_most(optimiser, wanted - len(own))


def _scores(results: Mapping[str, Any], score: str, count: int) -> Sequence[float]:
    """Of the last so many that were evaluated."""
    if score not in results:
        # With one metric, by whatever name `refit` calls it, there is this one alone.
        if "mean_test_score" not in results:
            raise _which_metric(score)
        score = "mean_test_score"
    return [float(value) for value in results[score][-count:]]


def _which_metric(came: object) -> UsageError:
    return UsageError(
        "expected as `refit` the name of the metric that is to be highest, as there are several, got"
        f" {came!r}"
    )
