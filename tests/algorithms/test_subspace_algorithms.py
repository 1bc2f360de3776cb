"""REMBO, LineBO and MS-UCB: each stays in its own part of the cube, and finds what is there."""

import numpy as np
import pytest
from sequential_runs import Workers, build, fitted, hill, observations, optimise

from orchestrator.acquisition.embedded import Embedded
from orchestrator.algorithms.base import AskKey, Observation
from orchestrator.algorithms.gaussian_process.subspace import Subspace, _Within
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain


class Wave:
    """A smooth function of embedded inputs."""

    def values(self, X):
        return np.sin(4 * X[:, 0]) * X[:, 1] + X[:, 2] ** 2

    def values_and_gradients(self, X):
        by = np.stack([4 * np.cos(4 * X[:, 0]) * X[:, 1], np.sin(4 * X[:, 0]), 2 * X[:, 2]], axis=1)
        return self.values(X), by


def slice_of(domain, seed=0):
    return Subspace(domain, np.full(3, 0.5), 0.3 * np.random.default_rng(seed).standard_normal((2, 3)))


def test_gradients_within_a_slice_are_those_of_its_values():
    domain = Domain((Coordinate(), Coordinate(), Coordinate("ordinal", (0.0, 0.3, 0.7, 1.0))))
    within = _Within(slice_of(domain), Embedded(domain, Wave()))
    Z = np.random.default_rng(1).uniform(0.2, 0.8, (6, 2))
    values, gradients = within.values_and_gradients(Z)
    np.testing.assert_allclose(values, within.values(Z))
    h = 1e-7
    for j in range(2):
        step = h * np.eye(2)[j]
        slope = (within.values(Z + step) - within.values(Z - step)) / (2 * h)
        np.testing.assert_allclose(gradients[:, j], slope, atol=1e-5)


def test_coordinates_undo_points_even_where_some_are_clipped():
    slice_ = Subspace(Domain.continuous(8), np.full(8, 0.5), np.random.default_rng(3).standard_normal((2, 8)))
    Z = np.random.default_rng(4).uniform(0.35, 0.65, (10, 2))
    X = slice_.points(Z)
    assert ((X == 0.0) | (X == 1.0)).any()
    np.testing.assert_allclose(slice_.coordinates(X), Z, atol=0.02)


def test_a_line_passes_through_its_point_and_bends_along_the_faces():
    corner = np.array([1.0, 1.0, 0.4])
    line = Subspace.line(Domain.continuous(3), corner, np.array([0.2, 0.1, -0.9]))
    points = line.points(np.linspace(0, 1, 51)[:, None])
    assert np.abs(points - corner).max(axis=1).min() < 1e-12
    assert np.ptp(points[:, 2]) == 1.0


def test_a_slice_in_which_everything_was_tried_has_no_maximum():
    domain = Domain((Coordinate("ordinal", (0.0, 1.0)),) * 3)

    def refuses(X):
        return np.zeros(len(X), dtype=bool)

    rng = np.random.default_rng(0)
    found = slice_of(domain).maximise(Embedded(domain, Wave()), np.zeros((0, 3)), refuses, rng)
    assert found is None


def test_rembo_suggests_points_of_its_embedding_only():
    algorithm = build("rembo", 12, seed=2, embedding_dimension=3, start_points=8)
    suggestions, _ = optimise(algorithm, hill, 18)
    (subspace,) = algorithm._subspaces
    X = np.array([s.point for s in suggestions])
    # Where nearly all is clipped little is left to tell the coordinates from.
    X = X[((X > 0) & (X < 1)).sum(axis=1) > 3]
    assert len(X) > 6
    np.testing.assert_allclose(subspace.points(subspace.coordinates(X)), X, atol=0.02)
    assert suggestions[-1].why["source"] == "model"


def test_the_box_of_an_embedding_has_the_papers_half_width():
    (subspace,) = build("rembo", 500, embedding_dimension=4)._subspaces
    # sqrt(d) times a standard normal matrix; the paper's cube has twice our sides.
    assert np.std(subspace.axes) == pytest.approx(0.5 * np.sqrt(4), rel=0.05)


def test_rembo_finds_the_optimum_when_few_directions_matter():
    def one_direction(point):
        return -float((point[3] - point[7] - 0.2) ** 2)

    _, best = optimise(build("rembo", 20, seed=0, embedding_dimension=4, start_points=6), one_direction, 30)
    assert best > -1e-3


def test_several_embeddings_take_turns():
    algorithm = build("rembo", 10, embeddings=2, embedding_dimension=2)
    points = [s.point for s in algorithm.ask(4, [], AskKey(0, 0))]
    for trial, point in enumerate(points):
        own, other = (algorithm._subspaces[(trial + k) % 2] for k in (0, 1))
        gaps = [np.abs(s.points(s.coordinates(point[None, :]))[0] - point).max() for s in (own, other)]
        assert gaps[0] < 0.02 < gaps[1]


@pytest.mark.parametrize("directions", ["random", "coordinate", "descent"])
def test_evaluations_of_one_line_lie_on_it(directions):
    X = np.random.default_rng(0).random((15, 4))
    X[0] = 0.45
    values = np.array([hill(x) for x in X])
    values[0] = 1.0
    algorithm = fitted(build("line-bo", 4, directions=directions), X, values)
    # Trials 16 to 19 share a line.
    points = np.array([s.point for s in algorithm.ask(4, [], AskKey(0, 16))])
    steps = points - X[0]
    inside = ((points > 0) & (points < 1)).all(axis=1)
    found = steps[inside] / np.linalg.norm(steps[inside], axis=1, keepdims=True)
    np.testing.assert_allclose(np.abs(found @ found[0]), 1.0, atol=1e-6)
    if directions == "coordinate":
        assert all(np.sum(np.abs(step) > 1e-9) == 1 for step in steps)


def test_descent_goes_up_the_gradient_of_the_mean():
    X = np.random.default_rng(0).random((40, 2))
    algorithm = fitted(build("line-bo", 2, directions="descent", on_each_line=1), X, X[:, 0])
    best = X[int(np.argmax(X[:, 0]))]
    (suggestion,) = algorithm.ask(1, [], AskKey(0, 40))
    moved = suggestion.point - best
    assert abs(moved[0]) > 3 * abs(moved[1])


# Whoever works alone has what runs in no other order: of directions that are drawn, four say it of one.
@pytest.mark.parametrize(
    ("directions", "workers"), [("random", 4), ("coordinate", 4), ("descent", 1), ("descent", 4)]
)
def test_a_line_goes_one_way_from_its_first_evaluation_to_its_last(directions, workers):
    algorithm = build("line-bo", 3, directions=directions, parallel=workers, start_points=4)
    crew = Workers(algorithm, workers, np.random.default_rng(0))
    ways = {}
    for _ in range(20):
        free = workers - len(crew.running)
        crew.ask()
        for trial in range(crew.asked - free, crew.asked):
            # The model is there from the third line on.
            if trial >= 8:
                running = np.array([x for t, x in crew.running.items() if t < trial]).reshape(-1, 3)
                ways.setdefault(trial // 4, []).append(algorithm._direction(trial, running))
        crew.tell(lambda point: hill(point) + 0.1 * float(np.sin(9 * point[0])))
    for line in ways.values():
        np.testing.assert_allclose(line, [line[0]] * len(line), atol=1e-9)
    assert max(map(len, ways.values())) == 4


def told_of_two_lines(refits=(), first=None):
    """After nine results on a wavy hill; the tenth begins the third line, up a gradient, and is ``first``.

    Before it the refits are adopted.
    """
    X = np.random.default_rng(3).random((9, 3))
    algorithm = build("line-bo", 3, directions="descent", on_each_line=3, start_points=4)
    algorithm.tell(observations(X[:6], [wavy_hill(x) for x in X[:6]]))
    algorithm.adopt(algorithm.compute_refit(1))
    algorithm.tell(observations(X, [wavy_hill(x) for x in X])[6:])
    algorithm.tell([Observation(t, X[t - 10] * 0.9, wavy_hill(X[t - 10] * 0.9)) for t in (9, 10, 11)])
    for refit in refits:
        algorithm.adopt(refit)
    if first is not None:
        algorithm.tell([Observation(12, first, wavy_hill(first))])
    return algorithm


def wavy_hill(point) -> float:
    return hill(point) + 0.1 * float(np.sin(9 * point[0]))


def way(algorithm, trial, running=()):
    """The direction that a trial's suggestion lies in."""
    return algorithm._direction(trial, np.array(running).reshape(-1, 3))


def test_a_refit_adopted_while_a_lines_first_point_runs_does_not_turn_it():
    begun = told_of_two_lines()
    refit = begun.compute_refit(2)
    before = way(begun, 12)
    (first,) = begun.ask(1, [], AskKey(12, 12))
    begun.adopt(refit)
    assert not np.allclose(way(begun, 12), before, atol=1e-4), "the refit changes the gradient"
    np.testing.assert_array_equal(way(begun, 13, [first.point]), before)
    begun.tell([Observation(12, first.point, wavy_hill(first.point))])
    np.testing.assert_array_equal(way(begun, 13), before)
    begun.adopt(begun.compute_refit(3))
    np.testing.assert_array_equal(way(begun, 14), before)


def test_what_is_known_beforehand_numbered_0_is_on_no_line():
    X = np.random.default_rng(3).random((12, 3))
    known = [Observation(-k, x, wavy_hill(x)) for k, x in enumerate(X)]
    begun = build("line-bo", 3, directions="descent", on_each_line=3, start_points=4)
    begun.tell(known[:6])
    begun.adopt(begun.compute_refit(1))
    begun.tell(known[6:])
    before = way(begun, 1)
    (first,) = begun.ask(1, [], AskKey(1, 1))
    begun.adopt(begun.compute_refit(2))
    assert not np.allclose(way(begun, 1), before, atol=1e-4), "the refit changes the gradient"
    np.testing.assert_array_equal(way(begun, 2, [first.point]), before)


def test_a_refit_adopted_before_a_lines_first_point_is_asked_for_counts():
    algorithm = told_of_two_lines()
    algorithm.adopt(algorithm.compute_refit(2))
    turned = way(algorithm, 12)
    (first,) = algorithm.ask(1, [], AskKey(12, 12))
    np.testing.assert_array_equal(way(algorithm, 13, [first.point]), turned)
    algorithm.tell([Observation(12, first.point, wavy_hill(first.point))])
    np.testing.assert_array_equal(way(algorithm, 13), turned)


@pytest.mark.parametrize("adopted_first", [False, True])
def test_a_resumed_line_goes_the_way_it_went(adopted_first):
    live = told_of_two_lines()
    refit = live.compute_refit(2)
    if adopted_first:
        live.adopt(refit)
    (first,) = live.ask(1, [], AskKey(12, 12))
    if not adopted_first:
        live.adopt(refit)
    live.tell([Observation(12, first.point, wavy_hill(first.point))])
    resumed = told_of_two_lines([refit], first.point)
    (a,), (b,) = (algorithm.ask(1, [], AskKey(13, 13)) for algorithm in (live, resumed))
    assert np.array_equal(a.point, b.point)


@pytest.mark.parametrize("name", ["line-bo", "ms-ucb"])
def test_one_slice_after_another_reaches_the_top_of_a_hill(name):
    _, best = optimise(build(name, 3, seed=1, start_points=6, refit_every=5), hill, 45)
    assert best > -5e-3


def test_more_subspaces_reach_a_higher_bound():
    X = np.random.default_rng(0).random((20, 6))
    values = np.array([hill(x) for x in X])

    def bounds(**options):
        algorithm = fitted(build("ms-ucb", 6, **options), X, values)
        points = np.array([algorithm.ask(1, [], AskKey(k, 20))[0].point for k in range(6)])
        mean, variance = algorithm._belief.posterior.mean_and_variance(points)
        return float(np.mean(mean + 2 * np.sqrt(variance)))

    assert bounds(subspaces=100) > bounds(subspaces=1)
    assert bounds(subspaces=2, alpha=1.5) > bounds(subspaces=1)


def test_gradients_within_a_slice_are_those_of_its_values_where_it_passes_the_ends_of_an_angle():
    domain = Domain((Coordinate(periodic=True), Coordinate()))
    line = Subspace.line(domain, np.array([0.9, 0.5]), np.array([1.0, 0.1]))
    within = _Within(line, Embedded(domain, Wave()))
    Z, h = np.array([[0.1], [0.48], [0.7], [0.9]]), 1e-7
    _, gradients = within.values_and_gradients(Z)
    slope = (within.values(Z + h) - within.values(Z - h)) / (2 * h)
    np.testing.assert_allclose(gradients[:, 0], slope, atol=1e-5)
