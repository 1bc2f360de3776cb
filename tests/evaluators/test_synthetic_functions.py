"""Every function of the registry against what it claims: its optimum, its factors, its shape."""

import numpy as np
import pytest
from scipy.optimize import minimize

from evaluators.synthetic import NAMES, SyntheticFunction, shifted_and_permuted, synthetic

ORIGINAL = [pytest.param(name, None, id=name) for name in NAMES]
SHIFTED = [pytest.param(name, 7, id=f"{name}-shifted") for name in NAMES]
every_function = pytest.mark.parametrize(("name", "shift_seed"), ORIGINAL)
every_function_and_shifted = pytest.mark.parametrize(("name", "shift_seed"), ORIGINAL + SHIFTED)


def make(name: str, shift_seed: int | None) -> SyntheticFunction:
    function = synthetic(name)
    return function if shift_seed is None else shifted_and_permuted(function, shift_seed)


def spread(function: SyntheticFunction) -> float:
    """The scale of the function's values over its box."""
    return float(np.ptp(function.evaluate(function.box.sample(500, np.random.default_rng(1)))))


def climbed(function: SyntheticFunction, start: np.ndarray) -> float:
    """The value at the top of the hill of a feasible start, moving its continuous parameters."""
    free = np.array([kind == "float" for kind in function.box.kinds])
    if not free.any():
        return float(function.evaluate(start[None, :])[0])
    lower, upper = function.bounds[free].T
    step = 1e-6 * (upper - lower)

    def negated(z: np.ndarray) -> tuple[float, np.ndarray]:
        rows = np.tile(start, (2 * len(z) + 1, 1))
        forward, backward = np.minimum(z + step, upper), np.maximum(z - step, lower)
        rows[:, free] = z
        rows[1 : len(z) + 1, free] = np.where(np.eye(len(z), dtype=bool), forward, z)
        rows[len(z) + 1 :, free] = np.where(np.eye(len(z), dtype=bool), backward, z)
        values = function.evaluate(rows)
        slopes = (values[1 : len(z) + 1] - values[len(z) + 1 :]) / (forward - backward)
        return -float(values[0]), -slopes

    options = {"maxiter": 60, "ftol": 1e-14, "gtol": 1e-10}
    box = list(zip(lower, upper, strict=True))
    return -float(
        minimize(negated, start[free], jac=True, method="L-BFGS-B", bounds=box, options=options).fun
    )


@every_function_and_shifted
def test_the_optimum_is_feasible_and_attained(name: str, shift_seed: int | None) -> None:
    function = make(name, shift_seed)

    assert len(function.optimum.points) >= 1
    assert function.box.contains(function.optimum.points)
    attained = function.evaluate(function.optimum.points)
    np.testing.assert_allclose(attained, function.optimum.value, rtol=1e-10, atol=1e-9)


@every_function_and_shifted
def test_no_point_beats_the_optimum(name: str, shift_seed: int | None) -> None:
    function = make(name, shift_seed)
    rng = np.random.default_rng(3)
    tolerance = 1e-9 * max(1.0, abs(function.optimum.value), spread(function))

    random = function.box.sample(3000, rng)
    values = function.evaluate(random)
    assert function.regret(values).min() >= -tolerance

    best_of_random = random[np.argsort(-values)[:3]]
    for start in [*best_of_random, function.optimum.points[0]]:
        assert function.regret(climbed(function, start)) >= -tolerance


@every_function_and_shifted
def test_close_to_the_optimum_nothing_is_better(name: str, shift_seed: int | None) -> None:
    function = make(name, shift_seed)
    rng = np.random.default_rng(4)
    free = np.array([kind == "float" for kind in function.box.kinds])
    near = np.tile(function.optimum.points[0], (600, 1))
    sizes = 10.0 ** rng.uniform(-6, -1, (600, 1)) * np.ptp(function.bounds, axis=1)
    near[:, free] += (sizes * rng.standard_normal(near.shape))[:, free]
    near = np.clip(near, *function.bounds.T)

    assert function.regret(function.evaluate(near)).min() >= -1e-9 * max(1.0, spread(function))


@every_function_and_shifted
def test_factors_sum_to_the_value_and_depend_on_their_parameters_alone(
    name: str, shift_seed: int | None
) -> None:
    function = make(name, shift_seed)
    points = function.box.sample(20, np.random.default_rng(5))
    if function.factors is None:
        with pytest.raises(ValueError, match="no additive decomposition"):
            function.factor_values(points)
        return
    values = function.factor_values(points)

    assert values.shape == (20, len(function.factors))
    np.testing.assert_allclose(values.sum(axis=1), function.evaluate(points), rtol=1e-12)
    assert set().union(*function.factors) == set(range(function.dimension))
    for number, factor in enumerate(function.factors):
        elsewhere = function.box.sample(20, np.random.default_rng(6))
        elsewhere[:, list(factor)] = points[:, list(factor)]
        np.testing.assert_allclose(
            function.factor_values(elsewhere)[:, number], values[:, number], rtol=1e-12
        )


@every_function_and_shifted
def test_many_points_at_once_give_what_single_points_give(name: str, shift_seed: int | None) -> None:
    function = make(name, shift_seed)
    points = function.box.sample(8, np.random.default_rng(7))

    one_by_one = [function.evaluate(point[np.newaxis])[0] for point in points]

    np.testing.assert_allclose(function.evaluate(points), one_by_one, rtol=1e-12)
    assert function.evaluate(points[:0]).shape == (0,)


@every_function
def test_it_has_the_name_that_it_was_asked_by(name: str, shift_seed: int | None) -> None:
    assert synthetic(name).name == name


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("camel", 1.0316),
        ("hartmann-3", 3.86278),
        ("hartmann-6", 3.32237),
        ("shekel", 10.5364),
        ("michalewicz-10", 9.66015),
        ("drop-wave", 1.0),
        ("eggholder", 959.6407),
        ("powell-24", 0.0),
        ("rastrigin-100", 0.0),
        ("zakharov-4", 0.0),
    ],
)
def test_the_optimum_is_the_published_one(name: str, published: float) -> None:
    assert synthetic(name).optimum.value == pytest.approx(published, abs=5e-5)


def test_the_ackley_of_the_unit_cube_has_a_better_optimum_than_its_paper_says() -> None:
    function = synthetic("ackley-unit")
    papers = np.array([[0.6231, 0.6231, 1.0, 0.6231, 0.6231]])

    assert function.evaluate(papers)[0] == pytest.approx(4.6926, abs=1e-4)
    assert function.optimum.value == pytest.approx(4.7110, abs=1e-4)


@pytest.mark.parametrize("sizes", [(10, 3, 3), (24, 6, 4), (40, 5, 8), (96, 5, 19)])
def test_a_group_of_a_trimodal_function_has_three_modes_and_the_heaviest_is_the_highest(
    sizes: tuple[int, int, int],
) -> None:
    _, group_size, groups = sizes
    function = synthetic("trimodal-{}-{}-{}".format(*sizes))
    active = [factor for factor in function.factors or () if len(factor) == group_size]
    assert len(active) == groups

    members = list(active[0])
    rng = np.random.default_rng(8)
    tops = set()
    for _ in range(60):
        start = function.optimum.points[0].copy()
        start[members] = rng.uniform(-1.0, 1.0, group_size)
        tops.add(round(climbed(function, start) - function.optimum.value, 2))
    assert max(tops) == 0.0
    # The other two modes have an eighth of the weight.
    assert min(tops) == pytest.approx(np.log(0.1 / 0.8), abs=0.02)


@pytest.mark.parametrize("name", ["dials-3-2", "dials-5-3", "dials-4-5"])
def test_of_all_ways_to_set_the_dials_none_is_better_than_the_one_said_to_be_best(name: str) -> None:
    function = synthetic(name)
    settings = [np.arange(low, high + 1) for low, high in function.bounds]
    ways = np.stack(np.meshgrid(*settings), axis=-1).reshape(-1, function.dimension)
    values = function.evaluate(ways)
    assert function.optimum.value == values.max()
    assert np.array_equal(ways[values.argmax()], function.optimum.points[0])


def test_a_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"camel: expected \(n, 2\) points, got shape \(3, 5\)"):
        synthetic("camel").evaluate(np.zeros((3, 5)))
