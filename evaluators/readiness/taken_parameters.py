"""Which parameters our evaluators take, said without importing what they compute with.

Of those that take whatever names a spec has, or names that only they can work out, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from evaluators.wlan.layout import PARAMETERS as POWERS
from orchestrator.errors import UsageError

if TYPE_CHECKING:
    from evaluators.synthetic.definition import SyntheticFunction


@dataclass(frozen=True, slots=True)
class Taken:
    """The names without which an evaluation fails, and those that there may ``perhaps`` be; no others."""

    needed: tuple[str, ...]
    perhaps: tuple[str, ...] = ()


TEST_FUNCTION: Final = "evaluators.synthetic:function"
CONSTANTS: Final = ("omega_m", "h0", "omega_b", "n_s", "A_s", "omega_k", "w", "mnu", "bias")
TAKEN: Final[Mapping[str, Taken]] = {
    "evaluators.wlan:network": Taken(tuple(POWERS)),
    "evaluators.rover:rover": Taken(tuple(f"x{i + 1}" for i in range(60))),
    "evaluators.robots:push": Taken(("x", "y", "duration"), ("angle",)),
    "evaluators.vision:faces": Taken(tuple(f"stage_{i + 1}" for i in range(22))),
    "evaluators.learning:network": Taken(
        ("neurons_1", "neurons_2", "learning_rate", "batch_size"), ("activation",)
    ),
    "evaluators.learning:elastic_net": Taken(("l1_ratio", "alpha")),
    "evaluators.learning:mlp": Taken(("learning_rate", "l2_1", "l2_2")),
    "evaluators.learning:boosting": Taken(("learning_rate", "max_depth", "subsample", "colsample", "gamma")),
    "evaluators.learning:cnn": Taken(
        ("learning_rate", "dropout_1", "dropout_2", "dropout_3", "batch_size", "epochs")
    ),
}
"""Whatever their options are."""


def taken_by(evaluator: str, options: Mapping[str, Any]) -> Taken | None:
    """What an evaluator takes with these options; None where nobody can say, or the options are wrong."""
    if evaluator == "evaluators.cosmology:likelihood":
        dummies = options.get("dummies", 0)
        if not isinstance(dummies, int) or dummies < 0:
            return None
        return Taken((*CONSTANTS, *(f"dummy_{i + 1}" for i in range(dummies))))
    if evaluator == TEST_FUNCTION:
        try:
            dimension = _test_function(options.get("name")).dimension
        except UsageError:
            return None
        return Taken(tuple(f"x{i + 1}" for i in range(dimension)))
    return TAKEN.get(evaluator)


def function_amiss(evaluator: str, options: Mapping[str, Any]) -> str:
    """Why the synthetic function that options name is none, with what may be meant; else empty."""
    if evaluator == TEST_FUNCTION:
        try:
            _test_function(options.get("name"))
        except UsageError as error:
            return str(error)
    return ""


def _test_function(name: object) -> SyntheticFunction:
    # Imported here because it is numpy, which no other evaluator is asked for so.
    from evaluators.synthetic.registry import synthetic

    return synthetic(str(name))
