"""Settings of scikit-learn's estimators are searched as by scikit-learn's own searches, and chosen by their
scores.
"""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from orchestrator import Enough, Optimiser
from orchestrator.elsewhere.estimator_search import OrchestratorSearchCV
from orchestrator.elsewhere.same_splits import SameSplits
from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface import enough

X, y = load_iris(return_X_y=True)
FREE = {"depth": (0.0, 1.0)}


class Scored(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # of a module without types
    """Scores what its settings say, and fails where they are high."""

    def __init__(self, depth: float = 0.0, kind: str = "flat", wet: float = -1.0, limit: float = 1.0) -> None:
        self.depth, self.kind, self.wet, self.limit = depth, kind, wet, limit

    def fit(self, X: Any, y: Any) -> Scored:
        if self.depth > self.limit:
            raise ArithmeticError("too deep")
        self.classes_ = np.unique(y)
        self.first_ = float(X[0, 0])
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: ARG002  # scikit-learn's
        return -((self.depth - 0.3) ** 2)


def search(estimator: Any = None, parameters: Any = None, **more: Any) -> OrchestratorSearchCV:
    told = {"algorithm": "sobol", "n_iter": 6, "cv": 2, "random_state": 1} | more
    return OrchestratorSearchCV(
        Scored() if estimator is None else estimator, FREE if parameters is None else parameters, **told
    )


def told(fitted: OrchestratorSearchCV) -> list[float | None]:
    return [one["value"] for one in fitted.optimiser_.results()]


@pytest.mark.filterwarnings("ignore")  # of what each check is about, and is left out for
def test_it_keeps_to_what_scikit_learn_asks_of_estimators() -> None:
    check_estimator(search(LogisticRegression(), {"C": (0.1, 1.0)}, n_iter=2))


def test_it_finds_the_settings_of_a_pipeline_and_is_the_estimator_that_has_them() -> None:
    rate = {"type": "float", "bounds": [1e-3, 1e3], "scale": "log"}
    parameters = {
        "logisticregression__C": rate,
        "standardscaler__with_mean": {"type": "choice", "values": [True, False]},
    }
    fitted = search(make_pipeline(StandardScaler(), LogisticRegression()), parameters, n_points=4).fit(X, y)
    results = fitted.cv_results_
    assert len(results["params"]) == 6
    assert fitted.best_score_ == max(results["mean_test_score"])
    assert (
        fitted.best_estimator_.get_params()["logisticregression__C"]
        == fitted.best_params_["logisticregression__C"]
    )
    assert fitted.score(X, y) > 0.8
    assert told(fitted) == list(results["mean_test_score"])
    assert fitted.optimiser_.best().parameters == fitted.best_params_


def test_it_asks_by_what_it_was_told() -> None:
    fitted = search(algorithm="gp-ei", n_iter=12, n_points=2, noise=0).fit(X, y)
    assert fitted.best_params_["depth"] == pytest.approx(0.3, abs=0.03)
    asked = Optimiser(FREE, algorithm="gp-ei", seed=1, noise=0, plan=fitted.optimiser_.plan).ask(2)
    assert [one.parameters for one in asked] == fitted.cv_results_["params"][:2]


def test_settings_that_do_not_count_are_as_in_the_estimator() -> None:
    kind = {"type": "choice", "values": ["flat", "curved"]}
    parameters = {
        **FREE,
        "kind": kind,
        "wet": {"type": "float", "bounds": [0, 1], "when": {"kind": "curved"}},
    }
    fitted = search(parameters=parameters, n_iter=4).fit(X, y)
    wet = fitted.cv_results_["param_wet"]
    assert list(wet.mask) == [kind == "flat" for kind in fitted.cv_results_["param_kind"]]
    assert 0 < wet.mask.sum() < 4


def test_settings_of_ones_own_come_first_and_constraints_hold() -> None:
    parameters = {**FREE, "wet": (0.0, 1.0)}
    own = [{"depth": 0.5, "wet": 0.25}, {"wet": 0.125}]
    fitted = search(parameters=parameters, points=own, constraints=["depth + wet <= 1"], n_points=3).fit(X, y)
    tried = fitted.cv_results_["params"]
    assert (tried[0], tried[1]["wet"], len(tried)) == (own[0], 0.125, 6)
    assert all(one["depth"] + one["wet"] <= 1 for one in tried)


def test_settings_of_ones_own_beyond_the_last_that_is_evaluated_do_not_stay_pending() -> None:
    fitted = search(points=[{"depth": 0.1}, {"depth": 0.2}, {"depth": 0.4}], n_iter=2).fit(X, y)
    assert [one["depth"] for one in fitted.cv_results_["params"]] == [0.1, 0.2]
    assert fitted.optimiser_.pending == ()


def test_all_are_judged_by_the_same_folds_whatever_splits_at_random() -> None:
    def seen(_estimator: Any, X: Any, _y: Any) -> float:
        return float(X.sum())

    fitted = search(scoring=seen, cv=ShuffleSplit(3), n_iter=3).fit(X, y)
    assert fitted.n_splits_ == 3
    assert len({*fitted.cv_results_["split0_test_score"]}) == 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_settings_that_fail_are_told_as_failures_and_are_no_end() -> None:
    with pytest.warns(UserWarning, match="non-finite"):
        fitted = search(Scored(limit=0.5), n_points=3).fit(X, y)
    failed = [one["depth"] for one in fitted.optimiser_.results() if one["state"] == "failed"]
    assert failed
    assert min(failed) > 0.5 >= fitted.best_params_["depth"]
    assert fitted.optimiser_.told == 6


def test_the_folds_are_not_sent_to_processes_with_each_evaluation() -> None:
    splits = SameSplits(KFold(3))
    sent = len(pickle.dumps(splits))
    assert len(list(splits.split(X))) == 3
    assert len(pickle.dumps(splits)) == sent


def test_splits_that_can_be_listed_once_are_taken_for_all() -> None:
    fitted = search(cv=KFold(3).split(X), n_iter=3).fit(X, y)
    assert (fitted.n_splits_, len(fitted.cv_results_["params"])) == (3, 3)


def test_settings_that_fail_alone_are_told_as_failures_too() -> None:
    fitted = search(Scored(limit=0.5)).fit(X, y)
    assert told(fitted).count(None) == 6 - len(fitted.cv_results_["params"]) > 0


def test_a_score_for_what_fails_is_told_as_its_score() -> None:
    assert told(search(Scored(limit=0.5), error_score=-5.0).fit(X, y)).count(-5.0) > 0


def test_where_everything_fails_what_scikit_learn_says_of_it_is_raised() -> None:
    with pytest.raises(ValueError, match="All the 2 fits failed"):
        search(Scored(limit=-1.0)).fit(X, y)
    with pytest.raises(ArithmeticError, match="too deep"):
        search(Scored(limit=-1.0), error_score="raise").fit(X, y)


def test_a_setting_that_the_estimator_has_not_is_said_at_once() -> None:
    with pytest.raises(ValueError, match="Invalid parameter 'dept'"):
        search(parameters={"dept": (0.0, 1.0)}).fit(X, y)


def test_of_several_metrics_the_one_that_refit_names_is_sought() -> None:
    parameters, metrics = {"C": (0.01, 1.0)}, ["neg_log_loss", "accuracy"]
    fitted = search(LogisticRegression(), parameters, scoring=metrics, refit="neg_log_loss").fit(X, y)
    assert told(fitted) == list(fitted.cv_results_["mean_test_neg_log_loss"])
    one = search(LogisticRegression(), parameters, scoring="accuracy", refit="accuracy", n_iter=2).fit(X, y)
    assert told(one) == list(one.cv_results_["mean_test_score"])


@pytest.mark.parametrize("scoring", [["accuracy", "f1_macro"], lambda *_: {"a": 1.0, "b": 2.0}])
def test_of_several_metrics_one_has_to_be_named(scoring: Any) -> None:
    with pytest.raises(UsageError, match="expected as `refit` the name of the metric"):
        search(scoring=scoring, refit=False).fit(X, y)


def test_the_search_ends_where_the_caller_says() -> None:
    fitted = search(until=lambda optimiser: optimiser.told >= 4, n_points=2).fit(X, y)
    assert len(fitted.cv_results_["params"]) == 4


def test_its_time_counts_from_where_each_fit_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 5000.0
    monkeypatch.setattr(enough, "monotonic", lambda: now)

    def timed(fitted: object, points: object, values: object) -> float:
        nonlocal now
        now += 900
        return 0.5

    hour = search(until=Enough(time="1 h"), scoring=timed, cv=2, refit=False)
    now += 7200
    assert told(hour.fit(X, y)) == told(clone(hour).fit(X, y))
    assert hour.optimiser_.told == 2


def test_what_was_told_before_a_search_was_interrupted_is_there() -> None:
    def end(optimiser: Optimiser) -> bool:
        if optimiser.told == 3:
            raise KeyboardInterrupt
        return False

    halted = search(until=end)
    with pytest.raises(KeyboardInterrupt):
        halted.fit(X, y)
    assert len(told(halted)) == 3
    assert halted.optimiser_.pending == ()
    assert not hasattr(halted, "best_params_")
    before = told(halted)
    assert told(halted.set_params(until=None).fit(X, y))[:3] == before
    assert halted.optimiser_.told == 6


def test_the_same_random_state_searches_the_same_and_none_another_each_time() -> None:
    def first(random_state: Any) -> Any:
        return search(n_iter=1, random_state=random_state).fit(X, y).cv_results_["params"]

    assert first(3) == first(np.int64(3))
    assert first(np.random.RandomState(3)) == first(np.random.RandomState(3)) != first(3)
    assert first(None) != first(None)


def test_it_is_cloned_sent_to_processes_and_fitted_anew() -> None:
    fitted = search(n_jobs=1).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.optimiser_.best() == fitted.optimiser_.best()
    assert not hasattr(clone(fitted), "optimiser_")
    assert again.set_params(estimator__kind="curved").fit(X, y).optimiser_.told == 6


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"algorithm": "gp-e"}, SpecError, "did you mean `gp-ei`"),
        ({"n_iter": 0}, UsageError, "expected `n_iter` as a whole number above 0, got 0"),
        ({"n_iter": None}, UsageError, "expected `n_iter` as a whole number above 0, got None"),
        ({"n_points": 1.5}, UsageError, "expected `n_points` as a whole number above 0, got 1.5"),
        ({"until": 5}, UsageError, "expected as `until` a function of the Optimiser, got 5"),
        ({"noise": "reported"}, UsageError, "nobody reports"),
        ({"parameters": {"depth": (1.0, 0.0)}}, SpecError, "depth"),
        ({"options": {"start_point": 3}}, SpecError, "start_point"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_evaluated(
    wrong: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        search(**wrong).fit(X, y)


def test_a_score_that_is_no_number_is_a_failure() -> None:
    def unsure(estimator: Any, _X: Any, _y: Any) -> float:
        return math.nan if estimator.depth > 0.5 else 1.0

    with pytest.warns(UserWarning, match="non-finite"):
        fitted = search(scoring=unsure).fit(X, y)
    assert None in told(fitted)
    assert len(fitted.cv_results_["params"]) == 6


def test_settings_that_are_all_tried_end_it_where_scores_are_said_to_be_exact() -> None:
    depths = {"depth": {"type": "float", "bounds": (0.0, 1.0), "step": 0.25}}
    exact = search(parameters=depths, n_iter=20, n_points=3, noise=0, points=[{"depth": 0.5}])
    with pytest.warns(RuntimeWarning, match="ended after 5 trials: every point was tried"):
        exact.fit(X, y)
    assert sorted(one["depth"] for one in exact.optimiser_.results()) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert exact.best_params_ == {"depth": 0.25}
