"""Points that run, and failures, are as noisy as what was told, wherever its noise is known or reported."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from sequential_runs import build, hill

from orchestrator.algorithms.base import AskKey, Noise, Observation
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

DEVIATION = 0.3
POINTS = np.random.default_rng(0).random((30, 2))
VALUES = np.array([hill(x) for x in POINTS]) + DEVIATION * np.random.default_rng(1).standard_normal(30)
SOMEWHERE = np.array([0.45, 0.6])

PLAIN = {"outputs": "plain"}
ALGORITHMS = {
    "gp-ucb": {},
    "gp-ei": {},
    "turbo": {"acquisition": "expected-improvement"},
    "bamsoo": {},
    "add-gp-ucb": PLAIN,
    "dec-hbo": PLAIN,
    "dumbo": PLAIN,
    "egp-ts": {"acquisition": "ucb", "kernels": ["rbf"]},
}
NOISES = {"known": Noise("known", DEVIATION), "reported": Noise("reported")}


def fitted(name: str, noise: Noise, failures: int = 0):
    """Told, fitted, and told of failures somewhere."""
    algorithm = build(name, noise=noise, **ALGORITHMS[name])
    variance = DEVIATION**2 if noise.kind == "reported" else None
    told = [
        Observation(i, x, float(y), variance) for i, (x, y) in enumerate(zip(POINTS, VALUES, strict=True))
    ]
    algorithm.tell(told)
    algorithm.adopt(algorithm.compute_refit(1))
    for trial in range(failures):
        algorithm.tell([Observation(50 + trial, SOMEWHERE, None)])
    return algorithm


def processes(algorithm) -> list:
    """What is believed, a process for each hypothesis."""
    belief = algorithm._belief
    if hasattr(belief, "fitted"):
        return list(belief.fitted.posteriors)
    if hasattr(belief, "current"):
        return list(belief.current.ensemble.members)
    return [hypothesis.posterior.total for hypothesis in belief.hypotheses]


def variances(algorithm) -> np.ndarray:
    """(M,) of the function at the place in question."""
    return np.array([p.mean_and_variance(SOMEWHERE[None, :])[1][0] for p in processes(algorithm)])


@pytest.fixture
def while_running(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Variances at points that run while they count as done, one for each process."""
    seen: list[float] = []
    exact, in_features = ExactGP.hallucinating, RandomFeatureModel.hallucinated

    @contextmanager
    def watched(self: ExactGP, X: np.ndarray, *given, **more) -> Iterator[None]:
        with exact(self, X, *given, **more):
            seen.extend(self.mean_and_variance(X)[1] if len(X) else ())
            yield

    def watched_in_features(self: RandomFeatureModel, X: np.ndarray, *given, **more) -> RandomFeatureModel:
        model = in_features(self, X, *given, **more)
        seen.extend(model.mean_and_variance(X)[1])
        return model

    monkeypatch.setattr(ExactGP, "hallucinating", watched)
    monkeypatch.setattr(RandomFeatureModel, "hallucinated", watched_in_features)
    return seen


@pytest.mark.parametrize("noise", NOISES.values(), ids=list(NOISES))
@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_point_that_runs_is_as_unsure_as_a_value_will_leave_it(name, noise, while_running):
    algorithm = fitted(name, noise)
    before = variances(algorithm)
    algorithm.ask(1, [SOMEWHERE], AskKey(1, 60))
    told = Observation(60, SOMEWHERE, hill(SOMEWHERE), DEVIATION**2)
    algorithm.tell([told])
    after = variances(algorithm)
    assert sorted(while_running)[-1] == pytest.approx(after.max(), rel=1e-3)
    assert (after > 0.3 * before).all()


@pytest.mark.parametrize("noise", NOISES.values(), ids=list(NOISES))
@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_failure_weighs_no_more_than_a_value_before_a_refit_and_after_one(name, noise):
    before, once = variances(fitted(name, noise)), fitted(name, noise, failures=1)
    assert (variances(once) > 0.3 * before).all()
    once.adopt(once.compute_refit(2))
    assert (variances(once) > 0.1 * before).all()
    for process in processes(once):
        if isinstance(process, ExactGP):
            np.testing.assert_allclose(process.noise_variances, process.noise_variances[0])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_where_there_is_no_noise_they_count_as_known(name, while_running):
    algorithm = build(name, noise=Noise("known", 0.0), **ALGORITHMS[name])
    algorithm.tell([Observation(i, x, hill(x)) for i, x in enumerate(POINTS[:12])])
    algorithm.adopt(algorithm.compute_refit(1))
    algorithm.ask(1, [SOMEWHERE], AskKey(1, 60))
    assert while_running
    assert max(while_running) < 1e-3
    algorithm.tell([Observation(60, SOMEWHERE, None)])
    assert (variances(algorithm) < 1e-3).all()
