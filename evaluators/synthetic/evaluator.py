"""Synthetic functions as an evaluator of a spec: `evaluators.synthetic:function`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.synthetic.definition import FloatArray, SyntheticFunction
from evaluators.synthetic.noise import noisy
from evaluators.synthetic.registry import synthetic
from evaluators.synthetic.shifting import shifted_and_permuted
from orchestrator.errors import UsageError


def function(
    parameters: Mapping[str, Any],
    *,
    name: str,
    noise: float = 0.0,
    shift_seed: int | None = None,
    factors: bool = False,
    context: Context,
) -> dict[str, Any]:
    """One evaluation of a synthetic function.

    Args:
        parameters: x1 to xD.
        name: the function, `evaluators.synthetic.NAMES` or a family in other dimensions.
        noise: standard deviation of Gaussian noise on the value, drawn from the lease's seed.
        shift_seed: which `shifted_and_permuted` copy; None: the function as it is.
        factors: whether to report the value of each factor, in the order of the function's ``factors``.
        context: of the evaluation.

    Returns:
        ``value``; ``factors`` if asked for; and the extra ``regret``, without noise.

    Raises:
        EvaluationError: (invalid) the parameters are not the function's, or the options make no sense.
    """
    try:
        wanted = synthetic(str(name))
    except UsageError as error:
        raise _invalid(str(error)) from None
    if shift_seed is not None:
        if not isinstance(shift_seed, int) or shift_seed < 0:
            raise _invalid(
                f"expected a whole number of at least 0 as option `shift_seed`, got {shift_seed!r}"
            )
        wanted = shifted_and_permuted(wanted, shift_seed)
    if factors and wanted.factors is None:
        raise _invalid(f"{name} has no additive decomposition: leave the option `factors` out")
    if not isinstance(noise, int | float):
        raise _invalid(f"option `noise`: expected a standard deviation of at least 0, got {noise!r}")
    try:
        observed = noisy(wanted, noise)
    except ValueError as error:
        raise _invalid(f"option `noise`: {error}") from None
    point = _point(parameters, wanted)
    rng = np.random.default_rng(context.seed)
    regret = float(wanted.regret(wanted.evaluate(point))[0])
    if factors:
        parts = observed.factor_values(point, rng)[0]
        return {"value": float(parts.sum()), "factors": parts.tolist(), "regret": regret}
    return {"value": float(observed.evaluate(point, rng)[0]), "regret": regret}


def _point(parameters: Mapping[str, Any], wanted: SyntheticFunction) -> FloatArray:
    names = [f"x{i + 1}" for i in range(wanted.dimension)]
    if set(parameters) != set(names):
        raise _invalid(
            f"{wanted.name}: expected the parameters x1 to x{wanted.dimension}, got "
            f"{', '.join(sorted(parameters)) or 'none'}; `python -m evaluators.synthetic NAME` prints them"
        )
    try:
        point = np.array([[float(parameters[name]) for name in names]])
    except (TypeError, ValueError) as error:
        raise _invalid(f"{wanted.name}: expected numbers for its parameters: {error}") from None
    for number, (name, kind) in enumerate(zip(names, wanted.box.kinds, strict=True)):
        (lower, upper), given = wanted.bounds[number], point[0, number]
        whole = kind != "float"
        if not lower <= given <= upper or (whole and given != np.rint(given)):
            expected = "a whole number" if whole else "a number"
            raise _invalid(
                f"{wanted.name}: expected {expected} from {lower:g} to {upper:g} as {name}, got {given:g}; "
                "`python -m evaluators.synthetic NAME` prints its parameters"
            )
    return point


def _invalid(sentence: str) -> EvaluationError:
    return EvaluationError("invalid", sentence)
