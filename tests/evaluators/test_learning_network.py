"""The network workload: what it learns, what it reports, and that it repeats."""

import warnings
from typing import Any

import numpy as np
import pytest
from evaluation_context import context

from evaluators.errors import EvaluationError
from evaluators.learning import network
from evaluators.learning.two_layer_network import variance_of_mean

GOOD = {"neurons_1": 40, "neurons_2": 40, "learning_rate": 0.01, "batch_size": 32}
BAD = {"neurons_1": 2, "neurons_2": 2, "learning_rate": 1e-6, "batch_size": 64}


@pytest.mark.parametrize("dataset", ["iris", "wine", "breast_cancer", "digits"])
def test_a_good_setting_beats_a_bad_one(dataset: str) -> None:
    good = network(GOOD, dataset=dataset, repeats=2, context=context())
    bad = network(BAD, dataset=dataset, repeats=2, context=context())

    assert good["value"] > 0.9 > bad["value"]
    assert good["loss"] < bad["loss"]


def test_the_same_seed_gives_the_same_value_and_another_seed_another_network() -> None:
    short = {"dataset": "digits", "epochs": 2, "repeats": 2}
    results = [network(GOOD, **short, context=context(seed)) for seed in (1, 1, 2)]

    assert results[0] == results[1]
    assert results[0]["loss"] != results[2]["loss"]


def test_each_run_is_reported_and_the_value_is_their_mean() -> None:
    heard: list[tuple[int, dict[str, float]]] = []
    result = network(GOOD, dataset="iris", repeats=4, context=context(0, heard))

    assert [step for step, _ in heard] == [1, 2, 3, 4]
    assert heard[-1][1]["accuracy"] == result["value"] == pytest.approx(np.mean(result["accuracies"]))
    assert heard[0][1]["accuracy"] == result["accuracies"][0]


def test_the_variance_is_that_of_the_mean_and_never_zero() -> None:
    accuracies = np.array([0.90, 0.92, 0.97])

    assert variance_of_mean(accuracies, 1000) == pytest.approx(accuracies.var(ddof=1) / 3, rel=1e-3)
    assert 0.0 < variance_of_mean(np.ones(3), 54) < 1e-4
    assert "variance" not in network(GOOD, dataset="iris", repeats=1, epochs=1, context=context())


def test_tanh_can_be_chosen_and_makes_a_difference() -> None:
    losses = {
        activation: network({**GOOD, "activation": activation}, dataset="iris", repeats=1, context=context())[
            "loss"
        ]
        for activation in ("relu", "tanh")
    }
    default = network(GOOD, dataset="iris", repeats=1, context=context())["loss"]

    assert losses["relu"] == default != losses["tanh"]


def test_training_that_has_not_converged_is_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network(BAD, dataset="iris", repeats=1, epochs=1, context=context())


@pytest.mark.parametrize(
    ("parameters", "options", "sentence"),
    [
        (GOOD, {"dataset": "irises"}, "did you mean `iris`"),
        (GOOD, {"dataset": "iris", "repeats": 0}, "at least 1 as option `repeats`, got 0"),
        (GOOD, {"dataset": "iris", "epochs": 2.5}, "at least 1 as option `epochs`, got 2.5"),
        ({"neurons_1": 3}, {"dataset": "iris"}, "expected the parameters neurons_1"),
        ({**GOOD, "layers": 3}, {"dataset": "iris"}, "expected the parameters neurons_1"),
        ({**GOOD, "neurons_2": 3.5}, {"dataset": "iris"}, "whole number of at least 1 as neurons_2, got 3.5"),
        ({**GOOD, "learning_rate": 0.0}, {"dataset": "iris"}, "positive number as learning_rate, got 0.0"),
        ({**GOOD, "activation": "selu"}, {"dataset": "iris"}, "relu or tanh as activation, got 'selu'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    parameters: dict[str, Any], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(EvaluationError, match=sentence) as refused:
        network(parameters, **options, context=context())
    assert refused.value.kind == "invalid"
