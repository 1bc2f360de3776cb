"""Arithmetic that a person writes: what is read, what it says of many points, and what is refused where."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.expressions.arithmetic import ArithmeticMistake, Formula
from orchestrator.expressions.values import values_of

NAMES = ("a", "b", "rate")
OF_ONE = ("sqrt", "log", "exp", "sin", "cos", "tan")
FUNCTIONS = {"abs": abs, "min": min, "max": max, **{name: getattr(math, name) for name in OF_ONE}}

leaves = st.one_of(
    st.sampled_from(NAMES),
    st.integers(0, 50).map(str),
    st.floats(0, 1e3, allow_nan=False).map(repr),
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.integers(0, 3)).map(lambda t: f"({t[0]})**{t[1]}"),
        inner.map(lambda one: f"-({one})"),
        st.tuples(st.sampled_from(["abs", *OF_ONE]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    ),
    max_leaves=12,
)
numbers = st.floats(-100, 100, allow_nan=False)


def evaluated(text: str, **known: list[float]) -> list[float]:
    count = len(next(iter(known.values()), [0.0]))
    formula = Formula.of(text)
    arrays = {name: np.array(values, dtype=float) for name, values in known.items()}
    return values_of(formula.expression(formula.root), arrays, count).tolist()


def as_python_has_it(text: str, known: dict[str, float]) -> float:
    """NaN where Python raises, or leaves the real numbers."""
    try:
        value = eval(text, {"__builtins__": {}}, {**FUNCTIONS, **known})
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan
    return math.nan if isinstance(value, complex) else float(value)


@given(expressions, st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=5))
def test_it_says_of_each_point_what_python_says(text: str, points: list[tuple[float, float, float]]) -> None:
    columns = {name: [float(point[i]) for point in points] for i, name in enumerate(NAMES)}
    # Whole numbers of any size are floats here, as the parameters are.
    floats = "".join(part if not part.isdigit() else f"{part}.0" for part in _parts(text))
    for found, point in zip(evaluated(text, **columns), points, strict=True):
        expected = as_python_has_it(floats, dict(zip(NAMES, point, strict=True)))
        if math.isnan(expected):
            # Where min and max pick, Python leaves out what is no number, or not, by its place.
            assert math.isnan(found) or "m" in text
        elif not math.isnan(found):
            assert found == expected
        else:
            assert "inf" in repr(expected) or "m" in text


def _parts(text: str) -> list[str]:
    import re

    return re.split(r"((?<![\w.-])\d+(?![\w.]))", text)


def test_a_value_depends_on_its_own_point_alone_to_the_bit() -> None:
    rng = np.random.default_rng(0)
    x = rng.random(1001) * 40 - 20
    text = "exp(a) * 3 + log(abs(a)) - (abs(a) + 1)**1.7"
    together = evaluated(text, a=x.tolist())
    assert [evaluated(text, a=[one])[0] for one in x.tolist()] == together


@pytest.mark.parametrize(
    ("text", "known", "value"),
    [
        ("1 / a", {"a": [0.0]}, math.nan),
        ("sqrt(a)", {"a": [-1.0]}, math.nan),
        ("log(a)", {"a": [0.0]}, math.nan),
        ("a ** 0.5", {"a": [-8.0]}, math.nan),
        ("(a / a) ** 0", {"a": [0.0]}, math.nan),
        ("1 ** (a / a)", {"a": [0.0]}, math.nan),
        ("exp(a)", {"a": [1e4]}, math.nan),
        ("+a - -a", {"a": [2.0]}, 4.0),
        ("max(a, 1, 7)", {"a": [2.0]}, 7.0),
        ("-a ** 2", {"a": [3.0]}, -9.0),
        ("lambda * 2", {"lambda": [3.0]}, 6.0),
        ("`wing span` + `x.y` + a", {"wing span": [1.0], "x.y": [2.0], "a": [3.0]}, 6.0),
        ("größe * µ", {"größe": [2.0], "µ": [5.0]}, 10.0),
    ],
)
def test_what_is_no_number_and_what_is_a_name(text: str, known: dict[str, list[float]], value: float) -> None:
    (found,) = evaluated(text, **known)
    assert found == value or (math.isnan(found) and math.isnan(value))


def test_what_is_infinite_has_no_whole_number_beside_it() -> None:
    for function, python in {"ceil": math.ceil, "floor": math.floor, "round": round}.items():
        with pytest.raises(OverflowError):
            python(-1e10 * 1e308)
        found = evaluated(f"{function}(x * 1e308)", x=[1e10, -1e10, 1e-308])
        assert [math.isnan(one) for one in found] == [True, True, False]


def test_of_many_powers_those_that_are_no_numbers_spoil_no_others() -> None:
    bases, exponents = [-8.0, 1e300, 0.0, 3.0, -2.0], [0.5, 2.0, -1.0, 1.7, 3.0]
    found = evaluated("a ** b", a=bases, b=exponents)
    assert [math.isnan(one) for one in found] == [True, True, True, False, False]
    assert found[3:] == [3.0**1.7, -8.0] == evaluated("a ** b", a=bases[3:], b=exponents[3:])


@pytest.mark.parametrize(
    ("text", "said", "offset"),
    [
        (
            "a + sine(b)",
            "one of the functions abs, ceil, cos, count, exp, floor, log, max, min, round, sin, sqrt, tan,"
            " got `sine`",
            4,
        ),
        ("2 * a.b", "got `a.b`; a name with other characters than letters, digits and _", 4),
        ("a ^ 2", "got `a ^ 2`; a power is written `**`", 0),
        ("a if b else c", "got `a if b else c`", 0),
        ("[a][0]", "got `[a][0]`", 0),
        ("'text'", "got `'text'`", 0),
        ("True", "got `True`", 0),
        ("2j", "got `2j`", 0),
        ("1e999", "a number that fits double precision", 0),
        ("a + 1" + "0" * 400, "a number that fits double precision", 4),
        ("sqrt(a, b)", "1 argument of `sqrt`, got 2", 0),
        ("max(a)", "at least 2 arguments of `max`, got 1", 0),
        ("__import__('os').system('true')", "expected arithmetic", 0),
        ("(lambda: 1)()", "cannot be read", 7),
        ("a +", "cannot be read", 3),
        ("a = 1", "an equality is written `==`", 2),
        ("a => 1", "; `=>` is written `>=`", 2),
        ("a ≤ 1", "; `≤` is written `<=`", 2),
        ("a <> 1", "; `<>` is written `!=`", 2),
        ("a <> 'red'", "; `<>` is written `!=`", 2),
        ("1 ≠ a", "; `≠` is written `!=`", 2),
        ("a <> b", "that numbers differ is written `a < b or a > b`", 2),
        ("a <> 3 * b", "that numbers differ is written `a < b or a > b`", 2),
        ("`a≥b` <= 1 =", "an equality is written `==`", 11),
        ("a < 1 && b < 2", "write each condition as a constraint of its own", 7),
        ("a < 1 || b < 2", "one or the other holds is written by `or`", 7),
        ("a\n+ b", "expected one line", 0),
        ("1" * 2000, "at most 1000 characters, got 2000", 0),
        ("größe + sine(a)", "got `sine`", 8),
    ],
)
def test_anything_else_is_refused_where_it_stands(text: str, said: str, offset: int) -> None:
    with pytest.raises(ArithmeticMistake) as caught:
        evaluated(text, a=[1.0], b=[1.0])
    assert said in str(caught.value)
    assert caught.value.offset == offset


@pytest.mark.parametrize("deep", ["-" * 90 + "a", "a" + "+a" * 499, "(" * 90 + "a" + ")" * 90])
def test_a_long_expression_is_borne(deep: str) -> None:
    assert evaluated(deep, a=[1.0]) in ([1.0], [500.0])


def test_too_deep_a_one_is_refused() -> None:
    with pytest.raises(ArithmeticMistake, match="cannot be read"):
        evaluated("(" * 300 + "a" + ")" * 300, a=[1.0])


def test_an_expression_is_pickled() -> None:
    formula = Formula.of("a + 2 * b")
    expression = formula.expression(formula.root)
    assert pickle.loads(pickle.dumps(expression)) == expression
