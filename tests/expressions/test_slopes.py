"""The slopes of expressions: those that small steps show, and the values that arithmetic has."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.expressions.arithmetic import Formula
from orchestrator.expressions.slopes import differentiated
from orchestrator.expressions.values import values_of


def expression(text: str):
    formula = Formula.of(text)
    return formula.expression(formula.root)


@pytest.mark.parametrize(
    "text",
    [
        "((a - 3.2) / 0.1) ** 2 + ((b - 1) / 0.05) ** 2",
        "a / b - 0.1 * -a",
        "exp(a) * log(b) + sqrt(a * b)",
        "abs(a - 1) + max(a, b, 0.5) - min(a, 2 * b)",
        "a ** b + 2 ** a",
        "floor(a) + ceil(b) + round(a) + count(a, b) + a",
        "sin(a) * cos(2 * b) + tan(a / 3)",
        "7",
    ],
)
def test_they_are_what_small_steps_show(text: str) -> None:
    rng = np.random.default_rng(3)
    known = {"a": rng.uniform(0.2, 3.0, 40), "b": rng.uniform(0.2, 3.0, 40)}
    found = differentiated(expression(text), known, ("a", "b"))
    assert np.broadcast_to(found.value, 40) == pytest.approx(values_of(expression(text), known, 40))
    for name in known:
        step = 1e-6
        high, low = ({**known, name: known[name] + sign * step} for sign in (1.0, -1.0))
        rise = (differentiated(expression(text), one).value for one in (high, low))
        shown = (next(rise) - next(rise)) / (2.0 * step)
        assert np.broadcast_to(found.slopes.get(name, 0.0), 40) == pytest.approx(shown, rel=1e-4, abs=1e-6)


def test_what_is_no_real_number_is_nan_and_the_rest_is_not() -> None:
    known = {"a": np.array([-1.0, 0.0, 4.0])}
    assert np.isnan(differentiated(expression("log(a)"), known).value).tolist() == [True, True, False]
    assert np.isnan(differentiated(expression("1 / a"), known).value).tolist() == [False, True, False]
    assert np.isnan(differentiated(expression("a ** 0.5"), known).value).tolist() == [True, False, False]


def test_values_broadcast_over_draws_and_points() -> None:
    known = {"y": np.ones((5, 3)), "x": np.arange(3.0)}
    found = differentiated(expression("x * y ** 2"), known, ("y",))
    assert found.value.shape == (5, 3)
    assert (found.slopes["y"] == 2.0 * np.arange(3.0)).all()
