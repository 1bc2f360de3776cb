"""What factors are taken to know: a total says nothing of constants that they may trade among themselves."""

import numpy as np
import pytest
from additive_stories import built, told

from orchestrator.algorithms.additive import algorithm as additive_algorithm
from orchestrator.algorithms.base import AskKey, Noise, Observation

ALONE = ((0,), (1,), (2,), (3,))


def waves(point) -> np.ndarray:
    return np.sin((5.0, 9.0, 7.0, 11.0) * point)


def settled(name="dumbo", **problem):
    """Told forty random points and, over and over, close to the best of them."""
    rng = np.random.default_rng(4)
    random = rng.random((40, 4))
    best = random[np.argmax([waves(point).sum() for point in random])]
    close = np.clip(best + 1e-3 * rng.standard_normal((12, 4)), 0, 1)
    return told(built(name, 4, **problem), waves, np.vstack([random, close]))


def judged(algorithm, dimension=4):
    return algorithm._judged(algorithm._belief, np.empty((0, dimension)))


def test_at_the_best_point_told_no_factor_is_less_sure_than_their_sum():
    algorithm = settled(factors=ALONE)
    best = algorithm._results.history.best(1)
    _, variance = algorithm._belief.mean_and_variance(best)
    plain, anchored = algorithm._acquisition(algorithm._belief, 53), judged(algorithm)
    for before, after, own in zip(plain.factors, anchored.factors, plain.graph.indices, strict=True):
        least = max(variance[0], 1e-6 * before.kernel.variance)
        assert before.parts(best[:, own]).shared[0] > 10 * least
        assert after.parts(best[:, own]).shared[0] == pytest.approx(least, rel=0.01)
        assert after.parts(best[:, own]).plain == pytest.approx(before.parts(best[:, own]).plain)


def test_a_factor_that_is_alone_is_as_sure_as_the_total_already():
    algorithm = settled(factors=((0, 1, 2, 3),))
    X = np.random.default_rng(5).random((50, 4))
    plain = algorithm._acquisition(algorithm._belief, 53).objective.values(X)
    assert np.array_equal(judged(algorithm).objective.values(X), plain)


def test_a_factor_revealed_is_sure_where_its_own_coordinates_were_told_and_expects_the_same():
    algorithm = settled("dec-hbo", factors=ALONE)
    plain, revealed = algorithm._acquisition(algorithm._belief, 53), judged(algorithm)
    told_points = algorithm._results.history.points
    mixed = np.random.default_rng(7).permuted(told_points, axis=0)
    for before, after, own in zip(plain.factors, revealed.factors, plain.graph.indices, strict=True):
        variance = before.kernel.variance
        assert after.parts(mixed[:, own]).shared.max() < 1e-5 * variance
        assert before.parts(mixed[:, own]).shared.max() > 1e-2 * variance
        assert np.array_equal(after.parts(mixed[:, own]).plain, before.parts(mixed[:, own]).plain)


def test_a_factor_revealed_with_noise_is_no_surer_than_that_allows():
    algorithm = settled("dec-hbo", factors=ALONE, noise=Noise("known", 0.5))
    random = algorithm._results.history.points[:40]
    noise = algorithm._belief.standardisation.apply_variance([0.0], [0.25])[0]
    for factor, own in zip(judged(algorithm).factors, ALONE, strict=True):
        assert factor.parts(random[:, own]).shared.min() > noise / len(algorithm._results)


def reported(algorithm, variances):
    """Told random points, of whose values each says how noisy it is, and one refit."""
    points = np.random.default_rng(4).random((len(variances), 4))
    for trial, (point, variance) in enumerate(zip(points, variances, strict=True)):
        algorithm.tell([Observation(trial, point, float(waves(point).sum()), variance)])
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm


def test_one_value_that_says_nothing_leaves_a_factor_revealed_as_sure_of_the_others():
    algorithm = reported(built("dec-hbo", 4, factors=ALONE, noise=Noise("reported")), [1e-6] * 40 + [1e6])
    points, worthless = algorithm._results.history.points[:40], algorithm._results.history.points[40:]
    for factor, own in zip(judged(algorithm).factors, ALONE, strict=True):
        assert factor.parts(points[:, own]).shared.max() < 1e-4 * factor.kernel.variance
        assert factor.parts(worthless[:, own]).shared > 0.0


def test_points_that_run_are_revealed_with_the_noise_that_is_typical():
    algorithm = reported(built("dec-hbo", 4, factors=ALONE, noise=Noise("reported")), [1e-6] * 20 + [1e6])
    running = np.random.default_rng(8).random((2, 4))
    for factor, own in zip(algorithm._judged(algorithm._belief, running).factors, ALONE, strict=True):
        assert factor.parts(running[:, own]).shared.max() < 1e-4 * factor.kernel.variance


@pytest.mark.parametrize(
    ("gain", "count", "weights"),
    [
        (1.0, 51, [1.0]),
        (1e-5, 52, [1.0]),
        (1e-5, 51, [1.0, 2.0, 4.0]),
        (-0.1, 52, [1.0, 1.0, 1.0]),
    ],
)
def test_a_point_with_next_to_nothing_to_gain_is_taken_every_other_time_only(
    monkeypatch, gain, count, weights
):
    rng = np.random.default_rng(6)
    algorithm = told(built("dumbo", 4, factors=ALONE), waves, rng.random((count, 4)))
    monkeypatch.setattr(additive_algorithm, "_most_to_gain", lambda *_: gain)
    tried, maximise = [], algorithm._maximise

    def watched(acquisition, incumbents, rng):
        tried.append(acquisition.factors[0].weight)
        return maximise(acquisition, incumbents, rng)

    monkeypatch.setattr(algorithm, "_maximise", watched)
    algorithm.ask(1, [], AskKey(count, count))
    assert np.array(tried) / tried[0] == pytest.approx(weights)
