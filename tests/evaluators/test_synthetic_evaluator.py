"""The synthetic functions as an evaluator of a spec, and the names and blocks that lead to it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.synthetic import NAMES, function, noisy, shifted_and_permuted, synthetic
from evaluators.synthetic.__main__ import main
from orchestrator.errors import UsageError


def context(seed: int = 0) -> Context:
    return Context(trial=0, attempt=1, seed=seed, options={}, directory=Path("nowhere"))


def at_optimum(name: str, shift_seed: int | None = None) -> dict[str, Any]:
    wanted = synthetic(name) if shift_seed is None else shifted_and_permuted(synthetic(name), shift_seed)
    return {f"x{i + 1}": float(x) for i, x in enumerate(wanted.optimum.points[0])}


def test_it_returns_the_value_and_the_regret() -> None:
    result = function(at_optimum("hartmann-6"), name="hartmann-6", context=context())

    assert result["value"] == pytest.approx(3.32237, abs=1e-5)
    assert result["regret"] == pytest.approx(0.0, abs=1e-9)
    assert "factors" not in result


def test_asked_for_factors_it_returns_one_value_a_factor() -> None:
    result = function(at_optimum("camel"), name="camel", factors=True, context=context())

    assert len(result["factors"]) == 3
    assert sum(result["factors"]) == pytest.approx(result["value"])


def test_a_shifted_copy_attains_the_same_optimum_at_its_own_point() -> None:
    result = function(at_optimum("powell-24", 4), name="powell-24", shift_seed=4, context=context())

    assert result["value"] == pytest.approx(0.0, abs=1e-9)


def test_every_functions_own_points_are_evaluated_its_borders_among_them() -> None:
    for name in NAMES:
        wanted = synthetic(name)
        for point in (*wanted.box.sample(3, np.random.default_rng(0)), *wanted.bounds.T):
            parameters = {f"x{i + 1}": float(x) for i, x in enumerate(point)}
            assert function(parameters, name=name, context=context())["regret"] >= -1e-9


@pytest.mark.parametrize(
    ("name", "wrong", "sentence"),
    [
        ("eggholder", {"x1": 527.65}, "expected a number from -512 to 512 as x1, got 527.65"),
        ("dials-8-5", {"x3": 1.9}, "expected a whole number from 0 to 4 as x3, got 1.9"),
        ("dials-8-5", {"x5": -1}, "expected a whole number from 0 to 4 as x5, got -1"),
        ("camel", {"x2": float("nan")}, "expected a number from -2 to 2 as x2, got nan"),
    ],
)
def test_beyond_its_box_a_function_is_not_the_one_whose_optimum_is_known_and_refuses(
    name: str, wrong: dict[str, float], sentence: str
) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        function(at_optimum(name) | wrong, name=name, context=context())

    assert refused.value.kind == "invalid"


def test_noise_comes_from_the_seed_of_the_lease() -> None:
    values = [
        function(at_optimum("camel"), name="camel", noise=0.5, context=context(seed))["value"]
        for seed in (1, 1, 2)
    ]

    assert values[0] == values[1] != values[2]


def test_noise_is_the_same_with_and_without_factors_and_leaves_the_regret_alone() -> None:
    plain = function(at_optimum("camel"), name="camel", noise=0.5, context=context(3))
    parted = function(at_optimum("camel"), name="camel", noise=0.5, factors=True, context=context(3))

    assert plain["value"] == pytest.approx(parted["value"])
    assert sum(parted["factors"]) == pytest.approx(parted["value"])
    assert plain["regret"] == pytest.approx(0.0, abs=1e-9)


def test_noise_has_the_standard_deviation_asked_for() -> None:
    points = np.tile(synthetic("rastrigin-100").optimum.points, (20_000, 1))
    values = noisy(synthetic("rastrigin-100"), 0.1).evaluate(points, np.random.default_rng(0))

    assert values.std() == pytest.approx(0.1, rel=0.03)
    assert values.mean() == pytest.approx(0.0, abs=0.005)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"parameters": {"x1": 0.0}}, "expected the parameters x1 to x2, got x1"),
        ({"parameters": {"x1": 0.0, "x2": "far"}}, "expected numbers for its parameters"),
        ({"noise": -1.0}, "expected a standard deviation of at least 0, got -1.0"),
        ({"name": "shekel", "factors": True}, "shekel has no additive decomposition"),
        ({"shift_seed": -3}, "expected a whole number of at least 0 as option `shift_seed`, got -3"),
        ({"shift_seed": 1.5}, "expected a whole number of at least 0 as option `shift_seed`, got 1.5"),
        ({"name": "hartman-6"}, "did you mean `hartmann-6`"),
        ({"noise": "some"}, "option `noise`: expected a standard deviation of at least 0, got 'some'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(arguments: dict[str, Any], sentence: str) -> None:
    asked = {"parameters": {"x1": 0.0, "x2": 0.0}, "name": "camel", "context": context()} | arguments
    parameters = asked.pop("parameters")

    with pytest.raises(EvaluationError, match=sentence) as refused:
        function(parameters, **asked)
    assert refused.value.kind == "invalid"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hartman-6", "did you mean `hartmann-6`"),
        ("", "expected one of camel"),
        ("no such thing", "expected one of camel"),
        ("rastrigin", r"expected its numbers \(dimension\) at the end, got 0"),
        ("powell-6", "expected powell in a multiple of 4 dimensions, got 6"),
        ("trimodal-10-4-3", "D >= d' M'"),
        ("hartmann-4", "expected hartmann in 3 or 6 dimensions"),
        ("rastrigin-0", "expected at least one parameter, got 0"),
        ("shekel-4", "expected no numbers, got 1"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_in_words(name: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        synthetic(name)


def test_families_exist_in_other_dimensions() -> None:
    assert synthetic("rastrigin-7").dimension == 7
    assert synthetic("hartmann-6-in-20").dimension == 20


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_block_is_the_functions_own_box(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--factors"]) == 0
    printed = yaml.safe_load(capsys.readouterr().out)

    wanted = synthetic(name)
    assert list(printed["parameters"]) == [f"x{i + 1}" for i in range(wanted.dimension)]
    for entry, bounds, kind in zip(
        printed["parameters"].values(), wanted.bounds, wanted.box.kinds, strict=True
    ):
        assert entry["type"] == kind
        ends = entry["values"] if kind == "choice" else entry["bounds"]
        assert (ends[0], ends[-1]) == tuple(bounds)
        assert isinstance(ends[0], float if kind == "float" else int)
    factors = printed.get("factors")
    if wanted.factors is None:
        assert factors is None
    else:
        assert [[f"x{i + 1}" for i in factor] for factor in wanted.factors] == factors


def test_without_a_name_all_are_listed_and_a_wrong_one_ends_with_code_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out.split() == list(NAMES)
    assert main(["hartman-6"]) == 2
    assert "did you mean `hartmann-6`?" in capsys.readouterr().err


def test_a_shift_below_zero_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["camel", "--shift-seed", "-1"])
    assert ended.value.code == 2
    assert "--shift-seed: expected a whole number of at least 0, got -1" in capsys.readouterr().err
