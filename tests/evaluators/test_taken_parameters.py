"""What evaluators are said to take is what they take, as they say themselves."""

from __future__ import annotations

from importlib import import_module

import pytest

from evaluators.quantities import Quantity
from evaluators.readiness.taken_parameters import CONSTANTS, TAKEN, taken_by

DECLARED_IN = {
    "evaluators.wlan:network": "evaluators.wlan.network",
    "evaluators.rover:rover": "evaluators.rover",
    "evaluators.robots:push": "evaluators.robots.pushing",
    "evaluators.vision:faces": "evaluators.vision.face_detection",
    "evaluators.learning:elastic_net": "evaluators.learning.mnist_elastic_net",
    "evaluators.learning:mlp": "evaluators.learning.mnist_perceptron",
    "evaluators.learning:boosting": "evaluators.learning.skin_boosting",
    "evaluators.learning:cnn": "evaluators.learning.cifar_network",
}


@pytest.mark.parametrize("evaluator", sorted(DECLARED_IN))
def test_what_is_declared_is_what_is_read(evaluator: str) -> None:
    quantities: dict[str, Quantity] = import_module(DECLARED_IN[evaluator]).QUANTITIES
    assert (*TAKEN[evaluator].needed, *TAKEN[evaluator].perhaps) == tuple(quantities)


def test_and_so_it_is_of_those_that_declare_it_otherwise() -> None:
    setting = import_module("evaluators.learning.two_layer_network").Setting
    taken = TAKEN["evaluators.learning:network"]
    assert (*taken.needed, *taken.perhaps) == tuple(setting.__dataclass_fields__)
    assert tuple(import_module("evaluators.cosmology.constants").CONSTANTS) == CONSTANTS
    assert not TAKEN.keys() - DECLARED_IN.keys() - {"evaluators.learning:network"}


@pytest.mark.parametrize(
    ("evaluator", "options", "last"),
    [
        ("evaluators.cosmology:likelihood", {}, "bias"),
        ("evaluators.cosmology:likelihood", {"dummies": 3}, "dummy_3"),
        ("evaluators.synthetic:function", {"name": "hartmann-6"}, "x6"),
        ("evaluators.synthetic:function", {"name": "trimodal-24-11-2"}, "x24"),
    ],
)
def test_what_depends_on_options_is_said_by_them(
    evaluator: str, options: dict[str, object], last: str
) -> None:
    taken = taken_by(evaluator, options)
    assert taken is not None
    assert taken.needed[-1] == last


@pytest.mark.parametrize(
    ("evaluator", "options"),
    [
        ("wings:drag", {}),
        ("evaluators.rod:misfit", {}),
        ("evaluators.synthetic:function", {"name": "nothing-of-that-kind"}),
        ("evaluators.cosmology:likelihood", {"dummies": "three"}),
    ],
)
def test_of_what_nobody_can_know_nothing_is_said(evaluator: str, options: dict[str, object]) -> None:
    assert taken_by(evaluator, options) is None
