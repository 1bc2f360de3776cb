"""What moving a function does to it, and what it leaves alone."""

import numpy as np
import pytest

from evaluators.synthetic import NAMES, shifted_and_permuted, synthetic


@pytest.mark.parametrize("name", NAMES)
def test_the_optimum_comes_to_lie_inside_the_box(name: str) -> None:
    for seed in range(5):
        function = shifted_and_permuted(synthetic(name), seed)
        lower, upper = function.bounds.T
        share = (function.optimum.points[0] - lower) / (upper - lower)
        free = np.array([kind == "float" for kind in function.box.kinds])
        assert ((share[free] >= 0.2) & (share[free] <= 0.8)).all()


def test_the_centre_no_longer_solves_rastrigin() -> None:
    function = shifted_and_permuted(synthetic("rastrigin-100"), 0)

    assert function.regret(function.evaluate(function.bounds.mean(axis=1)[np.newaxis]))[0] > 500


def test_bounds_and_kinds_move_with_their_parameters() -> None:
    camel, machines = synthetic("camel"), synthetic("machines")
    camels = [shifted_and_permuted(camel, seed) for seed in range(10)]
    moved = shifted_and_permuted(machines, 0)

    assert {tuple(function.bounds[0]) for function in camels} == {(-3.0, 3.0), (-2.0, 2.0)}
    assert sorted(moved.box.kinds) == sorted(machines.box.kinds)
    assert moved.box.kinds != machines.box.kinds


def test_a_function_that_holds_everywhere_is_only_translated() -> None:
    # The order of its parameters makes no difference to Rastrigin.
    function = synthetic("rastrigin-7")
    moved = shifted_and_permuted(function, 3)
    points = moved.box.sample(50, np.random.default_rng(0))

    translated = function.evaluate(points - moved.optimum.points[0])

    np.testing.assert_allclose(moved.evaluate(points), translated, rtol=1e-12)


def test_a_function_that_is_higher_beyond_its_border_is_mirrored_there_without_a_jump() -> None:
    moved = shifted_and_permuted(synthetic("ackley-unit"), 1)
    top = moved.optimum.points[0]
    for coordinate in range(5):
        line = np.tile(top, (4001, 1))
        line[:, coordinate] = np.linspace(0.0, 1.0, 4001)
        values = moved.evaluate(line)
        assert values.max() <= moved.optimum.value + 1e-12
        assert np.ptp(values) > 0.1
        assert np.abs(np.diff(values)).max() < 0.005


def test_integers_stay_whole_and_choices_only_change_their_names() -> None:
    function, moved = synthetic("machines"), shifted_and_permuted(synthetic("machines"), 5)
    assert moved.box.contains(moved.optimum.points)

    first, second = (place for place, kind in enumerate(moved.box.kinds) if kind == "choice")
    rng = np.random.default_rng(0)
    tops = []
    for a in range(int(moved.bounds[first, 1]) + 1):
        for b in range(int(moved.bounds[second, 1]) + 1):
            points = moved.box.sample(20_000, rng)
            points[:, [first, second]] = (a, b)
            tops.append(moved.evaluate(points).max())
    assert len(tops) == 12
    assert max(tops) > 0.98 * function.optimum.value
    assert len({round(float(top), 2) for top in tops}) >= 10


def test_the_same_seed_gives_the_same_function_and_another_seed_another() -> None:
    points = synthetic("levy-10").box.sample(5, np.random.default_rng(0))
    values = [shifted_and_permuted(synthetic("levy-10"), seed).evaluate(points) for seed in (1, 1, 2)]

    np.testing.assert_array_equal(values[0], values[1])
    assert not np.allclose(values[0], values[2])
