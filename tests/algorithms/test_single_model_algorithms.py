"""GP-EI, GP-UCB, GP-TS and fully Bayesian GP-TS: what they find, and what each does in its own way."""

import numpy as np
import pytest
from sequential_runs import EXACT, build, fitted, hill, optimise, two_hills

from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Problem
from orchestrator.errors import SpecError
from orchestrator.surrogates.draws.pathwise import PathwisePosterior
from orchestrator.unit_cube.domain import Domain

X = np.random.default_rng(0).random((25, 2))
HILL = np.array([hill(x) for x in X])


@pytest.mark.parametrize(
    ("name", "shortfall"), [("gp-ei", 1e-4), ("gp-ucb", 1e-3), ("gp-ts", 3e-3), ("gp-ts-bayes", 2e-2)]
)
def test_it_climbs_a_smooth_hill_in_thirty_evaluations(name, shortfall):
    options = {"noise_variance": [1e-6, 1e-3], "draws": 3} if name == "gp-ts-bayes" else {}
    _, best = optimise(build(name, 3, seed=1, refit_every=3, **options), hill, 30)
    assert best > -shortfall


def test_expected_improvement_leaves_a_top_it_has_found_and_finds_the_higher_one():
    _, best = optimise(build("gp-ei", seed=2, refit_every=4), two_hills, 40)
    assert best > 0.99


def test_its_suggestion_has_more_improvement_than_anything_else():
    algorithm = fitted(build("gp-ei"), X, HILL)
    (suggestion,) = algorithm.ask(1, [], AskKey(0, 25))
    belief = algorithm._belief
    best = float(belief.posterior.values.max())
    improvement = LogExpectedImprovement(belief.posterior, best)
    elsewhere = improvement.values(np.random.default_rng(1).random((4000, 2)))
    assert improvement.values(suggestion.point[None, :])[0] >= elsewhere.max() - 1e-3


def test_points_that_run_are_kept_away_from_and_leave_no_trace():
    for name in ("gp-ei", "gp-ucb"):
        algorithm = fitted(build(name), X, HILL)
        (alone,) = algorithm.ask(1, [], AskKey(0, 25))
        (beside,) = algorithm.ask(1, [alone.point], AskKey(0, 25))
        assert np.abs(beside.point - alone.point).max() > 1e-3
        (again,) = algorithm.ask(1, [], AskKey(0, 25))
        assert np.array_equal(alone.point, again.point)
        assert alone.predicted == again.predicted


def test_a_batch_of_thompson_draws_spreads_where_the_posterior_is_unsure():
    algorithm = fitted(build("gp-ts"), X[:6], np.array([two_hills(x) for x in X[:6]]))
    points = np.array([s.point for s in algorithm.ask(6, [], AskKey(0, 25))])
    assert np.ptp(points, axis=0).max() > 0.2


def test_the_theoretical_schedule_explores_more_than_the_practical_one():
    shares = {}
    for beta in ("practical", "theoretical"):
        algorithm = fitted(build("gp-ucb", beta=beta), X, HILL)
        (suggestion,) = algorithm.ask(1, [], AskKey(0, 25))
        shares[beta] = suggestion.predicted.deviation
    assert shares["theoretical"] > 2 * shares["practical"]


def test_hyperparameters_of_the_bayesian_one_stay_in_the_intervals_and_take_turns():
    algorithm = fitted(build("gp-ts-bayes", noise=Noise(), draws=4, length_scale=[0.2, 3.0]), X, HILL)
    for own in algorithm.insight().hyperparameters.values():
        assert 0.2 <= own["length_scales"][0] <= 3.0
        assert 1.0 <= own["variance"] <= 100.0
        assert 0.1 <= own["noise_variance"] <= 0.3
    members = {algorithm.ask(1, [], AskKey(i, i))[0].why["member"] for i in range(25, 45)}
    assert len(members) > 1


def test_noise_known_to_be_none_is_believed():
    algorithm = fitted(build("gp-ei", noise=EXACT), X, HILL)
    assert algorithm.insight().hyperparameters["matern-5/2-ard"]["noise_variance"] == 0.0
    mean, variance = algorithm._belief.posterior.mean_and_variance(X)
    np.testing.assert_allclose(mean, algorithm._belief.posterior.values, atol=1e-4)
    assert variance.max() < 1e-4


def test_a_draw_of_gp_ts_is_maximised_within_the_cube():
    algorithm = fitted(build("gp-ts"), X, HILL)
    (suggestion,) = algorithm.ask(1, [], AskKey(3, 25))
    rng_points = np.random.default_rng(2).random((3000, 2))
    opening_draw = PathwisePosterior(algorithm._belief.posterior)
    # Another draw of so sure a posterior is nearly the same function.
    other = opening_draw.draw(np.random.default_rng(5))
    assert other.values(suggestion.point[None, :])[0] > np.quantile(other.values(rng_points), 0.99)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("gp-ei", {"kernel": "matern-7/2"}, "option `kernel`"),
        ("gp-ei", {"kernal": "rbf"}, "did you mean `kernel`?"),
        ("gp-ucb", {"beta": "big"}, "option `beta`"),
        ("gp-ts", {"features": 0}, "option `features`"),
        ("gp-ts-bayes", {"noise_variance": [0.3, 0.1]}, r"0 < low < high"),
        ("rembo", {"embedding_dimension": 5}, "embedding_dimension of at most 2"),
        ("ms-ucb", {"subspace_dimension": 3}, "subspace_dimension of at most 2"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(name, options, sentence):
    with pytest.raises(SpecError) as refused:
        registry.build(name, Problem(Domain.continuous(2)), options)
    assert sentence in str(refused.value)
