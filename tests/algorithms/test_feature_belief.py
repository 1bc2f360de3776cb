"""However many results there are, asks, tells and adoptions cost the same; a replay ends at the same bits."""

import json

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem, Refit
from orchestrator.algorithms.gaussian_process import feature_belief
from orchestrator.algorithms.gaussian_process.feature_belief import Dictionary, FeatureBelief
from orchestrator.algorithms.gaussian_process.kernel_dictionary import templates
from orchestrator.algorithms.history import History
from orchestrator.surrogates.covariances.fourier_features import FourierFeatures
from orchestrator.surrogates.mixtures.feature_member import APPROXIMATION_VARIANCES
from orchestrator.unit_cube.domain import Domain

KERNELS = ("rbf", "matern-5/2")
DOMAIN = Domain.continuous(2)
LARGEST = 40


@pytest.fixture(autouse=True)
def few_are_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 1,000 results were 40, so that the tests are quick."""
    monkeypatch.setattr(feature_belief, "LARGEST", LARGEST)


def observations(n: int) -> list[Observation]:
    X = np.random.default_rng(0).random((n, 2))
    return [Observation(i, x, None if i % 9 == 4 else float(np.sin(4 * x.sum()))) for i, x in enumerate(X)]


class Told:
    """A belief and the history that it shares."""

    def __init__(self) -> None:
        self.history = History(DOMAIN)
        self.belief = FeatureBelief(
            Problem(DOMAIN), self.history, Dictionary(templates(KERNELS), 20, 1e-4), "t"
        )

    def tell(self, some: list[Observation]) -> None:
        for observation in some:
            self.history.tell(observation)
            self.belief.learn()

    def state(self) -> list[bytes]:
        ensemble = self.belief.current.ensemble
        return [ensemble.log_weights.tobytes(), *(member.to_bytes() for member in ensemble.members)]


def as_journalled(refit: Refit) -> Refit:
    return Refit(refit.number, refit.observations, json.loads(json.dumps(dict(refit.payload))))


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many points were made features of, one number for each call."""
    counts: list[int] = []
    original = FourierFeatures.values

    def counted(self: FourierFeatures, X: np.ndarray) -> np.ndarray:
        counts.append(len(X))
        return original(self, X)

    monkeypatch.setattr(FourierFeatures, "values", counted)
    return counts


@pytest.mark.parametrize("n", [50, 1500])
def test_adoption_works_through_what_was_told_since_and_nothing_else(n, rows):
    told = Told()
    told.tell(observations(n))
    refit = told.belief.compute_refit(1)
    told.tell(observations(n + 7)[n:])
    rows.clear()
    told.belief.adopt(refit)
    assert rows == [1] * 7 * len(KERNELS)
    rows.clear()
    told.tell(observations(n + 8)[n + 7 :])
    assert rows == [1] * len(KERNELS)


def test_a_refit_passes_once_over_all_results_and_looks_closely_at_some(rows, monkeypatch):
    seen = []
    original = feature_belief.fit
    monkeypatch.setattr(
        feature_belief, "fit", lambda *given, **more: seen.append(len(given[1].y)) or original(*given, **more)
    )
    told = Told()
    told.tell(observations(2500))
    told.belief.compute_refit(1)
    assert seen == [LARGEST] * len(KERNELS)
    assert sum(rows) == len(KERNELS) * (len(APPROXIMATION_VARIANCES) * LARGEST + 2500)


def test_members_are_weighed_by_the_evidence_of_all_results():
    told = Told()
    told.tell(observations(1500))
    refit = told.belief.compute_refit(1)
    told.belief.adopt(refit)
    for name, member in zip(KERNELS, told.belief.current.ensemble.members, strict=True):
        assert refit.payload["members"][name]["log_evidence"] == member.log_evidence


@pytest.mark.parametrize("between", [0, 5])
def test_what_a_refit_prepared_is_what_a_replay_works_out_to_the_bit(between):
    live, replayed = Told(), Told()
    for told in (live, replayed):
        told.tell(observations(30))
    first = live.belief.compute_refit(1)
    for told, refit in ((live, first), (replayed, as_journalled(first))):
        told.tell(observations(30 + between)[30:])
        told.belief.adopt(refit)
        told.tell(observations(1300)[30 + between :])
    second = live.belief.compute_refit(2)
    assert replayed.belief.compute_refit(2) == second
    for told, refit in ((live, second), (replayed, as_journalled(second))):
        told.tell(observations(1300 + between)[1300:])
        told.belief.adopt(refit)
        told.tell(observations(1320)[1300 + between :])
    assert live.state() == replayed.state()


def test_a_replay_conditions_on_the_last_refit_only_and_not_before_it_is_asked(rows):
    live = Told()
    refits = []
    for number, n in enumerate((40, 60, 90, 120), start=1):
        live.tell(observations(n)[len(live.history) :])
        refits.append(live.belief.compute_refit(number))
        live.belief.adopt(refits[-1])
    live.tell(observations(130)[120:])
    replayed = Told()
    rows.clear()
    for refit in refits:
        replayed.tell(observations(refit.observations)[len(replayed.history) :])
        replayed.belief.adopt(as_journalled(refit))
    replayed.tell(observations(130)[120:])
    assert rows == []
    assert replayed.state() == live.state()
    assert sum(rows) == len(KERNELS) * 130


def test_factors_of_other_features_are_refused():
    told = Told()
    told.tell(observations(20))
    refit = told.belief.compute_refit(1)
    cut = {name: learned[:-8] for name, learned in refit.prepared.items()}
    with pytest.raises(ValueError, match="expected the 13456 bytes of a model with 40 features, got 13448"):
        told.belief.adopt(Refit(1, 20, refit.payload, cut))


def test_all_refits_of_fifty_thousand_results_pass_over_each_some_twenty_times():
    algorithm = registry.build("egp-ts", Problem(DOMAIN), {"kernels": ["rbf"]})
    algorithm.tell(observations(10))
    payload = algorithm.compute_refit(1).payload
    passed, point = [], np.array([0.5, 0.5])
    for told in range(10, 50_000):
        if (number := algorithm.refit_due()) is not None:
            passed.append(told)
            algorithm.adopt(Refit(number, told, payload))
        algorithm.tell([Observation(told, point, float(told % 7))])
    assert len(passed) < 120
    assert sum(passed) < 22 * 50_000
    assert np.diff([n for n in passed if n < 1000])[-5:].tolist() == [50] * 5


def test_neither_a_prepared_refits_adoption_nor_an_ask_looks_at_the_values_told(monkeypatch):
    algorithm = registry.build("egp-ts", Problem(DOMAIN), {"kernels": ["rbf"], "acquisition": "ucb"})
    algorithm.tell(observations(60))
    refit = algorithm.compute_refit(1)

    def looked(self: History) -> np.ndarray:
        raise AssertionError("all values were gone through")

    monkeypatch.setattr(History, "values", property(looked))
    algorithm.adopt(refit)
    algorithm.ask(2, [np.array([0.2, 0.3])], AskKey(3, 61))
