"""What is believed of designs over conditions, and what the search makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.acquisition.over_conditions import over_conditions
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.best_in_use import BestInUse, BestInUseOptions
from orchestrator.algorithms.gaussian_process.kernel_dictionary import FAMILIES
from orchestrator.algorithms.in_use.moments import OverConditions, antithetic_draws
from orchestrator.parameters.in_use import conditions_in_use
from orchestrator.parameters.space import Space
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.posteriors.exact import ExactGP
from orchestrator.unit_cube.conditions_in_use import ConditionsInUse
from orchestrator.values.over import Over

SPACE = Space.from_description(
    {"x": (0.0, 1.0), "c": {"type": "float", "bounds": [0, 1], "in_use": {"mean": 0.5, "deviation": 0.2}}}
)
TENTH, AVERAGE = Over(0.1), Over()


def conditions(over: Over) -> ConditionsInUse:
    found = conditions_in_use(SPACE, over)
    assert found is not None
    return found


def posterior() -> ExactGP:
    kernel = Hyperparameters((0.4, 0.5), 1.0, 1e-4).kernel(
        FAMILIES["matern-5/2"], SPACE.domain.embedded_aspect
    )
    found, rng = ExactGP(kernel, 1e-4), np.random.default_rng(3)
    X = rng.random((9, 2))
    found.append(X, np.sin(5.0 * X[:, 0]) * X[:, 1])
    return found


def joint(model: ExactGP, over: Over, design: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The means and covariances of a design's values in all conditions, as of any points."""
    X = conditions(over).at(design)
    half = model.half_solve(model.covariance.matrix(model.inputs, X))
    return model.mean_at(X), model.covariance.matrix(X) - half.T @ half


def believed(over: Over, draws: int = 4000) -> OverConditions:
    rng = np.random.default_rng(1)
    return OverConditions(SPACE.domain, conditions(over), antithetic_draws(draws, 32, rng))


def test_an_average_is_that_of_the_joint_belief() -> None:
    model, over, w = posterior(), believed(AVERAGE), conditions(AVERAGE).weights
    designs = np.array([[0.1, 0.5], [0.7, 0.5]])
    means, variances = over.moments(model, designs)
    for i in range(2):
        mean, covariance = joint(model, AVERAGE, designs[i : i + 1])
        assert means[i] == pytest.approx(w @ mean)
        assert variances[i] == pytest.approx(w @ covariance @ w)


def test_the_worst_tenth_is_that_of_draws_of_the_joint_belief() -> None:
    model, design = posterior(), np.array([[0.7, 0.5]])
    mean, covariance = joint(model, TENTH, design)
    rng = np.random.default_rng(2)
    drawn = rng.multivariate_normal(mean, covariance, 40_000, method="eigh")
    worth = over_conditions(drawn, conditions(TENTH).weights, TENTH)
    means, variances = believed(TENTH).moments(model, design)
    assert means[0] == pytest.approx(worth.mean(), abs=4.0 * worth.std() / np.sqrt(4000))
    assert variances[0] == pytest.approx(worth.var(), rel=0.1)


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("over", [AVERAGE, TENTH])
def test_what_a_condition_tells_is_what_an_evaluation_there_takes_away(over: Over, noise: float) -> None:
    """Of an average to the digit; of the worst tenth as far as it is normal."""
    model, design, own = posterior(), np.array([[0.9, 0.5]]), believed(over)
    told = own.told(model, design, noise)
    before = own.moments(model, design)[1][0]
    for j in (0, 7, 20, 31):
        at = conditions(over).at(design)[j : j + 1]
        with model.hallucinating(at, extra_noise=noise):
            after = own.moments(model, design)[1][0]
        assert told[j] == pytest.approx(1.0 - after / before, abs=1e-6 if over is AVERAGE else 0.12)


def search(over: Over = AVERAGE, seed: int = 0) -> BestInUse:
    return BestInUse(
        Problem(SPACE.domain, seed=seed, noise=Noise("known", 0.0), in_use=conditions(over)),
        BestInUseOptions(),
    )


def misleading(point: np.ndarray) -> float:
    """In the usual condition 0.2 is best, on average 0.8 is."""
    x, c = point
    narrow = 1.5 * np.exp(-0.5 * ((x - 0.2 - 1.5 * (c - 0.5)) / 0.06) ** 2)
    return float(narrow + np.exp(-0.5 * ((x - 0.8) / 0.12) ** 2))


@pytest.fixture(scope="module")
def searched() -> BestInUse:
    found = search()
    for trial in range(1, 19):
        (suggestion,) = found.ask(1, [], AskKey(trial, trial))
        found.tell([Observation(trial, suggestion.point, misleading(suggestion.point))])
    return found


def test_the_design_that_is_best_on_average_is_found_and_not_the_luckiest_value(searched: BestInUse) -> None:
    recommended = searched.recommend(None)
    assert recommended is not None
    assert abs(recommended.point[0] - 0.8) < 0.06
    assert recommended.predicted is not None
    truth = float(
        conditions(AVERAGE).weights
        @ [misleading(one) for one in conditions(AVERAGE).at(recommended.point[None])]
    )
    assert abs(recommended.predicted.mean - truth) < 4.0 * recommended.predicted.deviation + 0.02
    best = searched.insight().believed_best
    assert best is not None
    assert abs(best.predicted.mean - truth) < 0.1


def test_it_says_why_a_design_and_why_its_condition(searched: BestInUse) -> None:
    (suggestion,) = searched.ask(1, [], AskKey(19, 19))
    why = suggestion.why["in_use"]
    assert 0.0 <= why["told"] <= 1.0
    assert 0.0 <= why["better"] <= 1.0
    assert why["over"] == "on average over what varies in use"
    assert suggestion.point[1] in conditions(AVERAGE).points


def test_what_runs_is_heeded_and_an_ask_changes_nothing(searched: BestInUse) -> None:
    (first,) = searched.ask(1, [], AskKey(20, 20))
    second, third = searched.ask(2, [], AskKey(20, 20))
    assert (first.point == second.point).all()
    (beside,) = searched.ask(1, [first.point], AskKey(20, 21))
    assert not (beside.point == first.point).all()
    assert not (third.point == first.point).all()


def test_of_noise_that_is_known_an_evaluation_takes_less_away() -> None:
    told = list[float]()
    for deviation in (0.0, 1.0):
        noise = Noise("known", deviation)
        found = BestInUse(
            Problem(SPACE.domain, seed=0, noise=noise, in_use=conditions(AVERAGE)), BestInUseOptions()
        )
        points = SPACE.domain.sample(8, np.random.default_rng(4))
        found.tell([Observation(i, point, misleading(point)) for i, point in enumerate(points)])
        told.append(found.ask(1, [], AskKey(9, 9))[0].why["in_use"]["told"])
    assert told[1] < 0.3 < told[0]


def test_told_one_by_one_or_together_it_is_the_same_to_the_bit() -> None:
    one_by_one, together = search(TENTH), search(TENTH)
    points = SPACE.domain.sample(8, np.random.default_rng(4))
    observations = [Observation(i, point, misleading(point)) for i, point in enumerate(points)]
    for observation in observations:
        one_by_one.tell([observation])
    together.tell(observations)
    ours, theirs = (one.ask(1, [], AskKey(9, 9))[0] for one in (one_by_one, together))
    assert (ours.point == theirs.point).all()
    assert ours.why == theirs.why


def test_before_there_is_a_value_it_designs_and_recommends_nothing() -> None:
    found = search()
    found.tell([Observation(1, np.array([0.5, 0.5]), None)])
    assert found.recommend(None) is None
    assert all(one.why["source"] == "start design" for one in found.ask(4, [], AskKey(2, 2)))
    assert "no result" in str(found.insight())
