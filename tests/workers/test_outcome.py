"""Numbers in every disguise that evaluators return them in, and what is none."""

from __future__ import annotations

from collections import OrderedDict, deque
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from types import MappingProxyType

import numpy as np
import pytest

from evaluators.child_process.outcome import read_compared, read_outcome
from evaluators.errors import EvaluationError
from orchestrator.wire.nesting import DEPTH_LIMIT


@pytest.mark.parametrize(
    "number",
    [
        *(2, 2.0, np.float64(2), np.float32(2), np.int8(2), Fraction(2), Decimal("2.0")),
        *(np.array(2.0), np.array(2), np.array([2.0]), np.array([[2]])),
    ],
)
def test_numbers_of_every_make_are_numbers(number: object) -> None:
    assert read_outcome(number).value == 2.0
    assert type(read_outcome({"value": number, "variance": number}).variance) is float


@pytest.mark.parametrize("mapping", [OrderedDict, MappingProxyType, dict])
def test_any_mapping_will_do(mapping: type) -> None:
    outcome = read_outcome(
        mapping({"value": 1, "variance": None, "factors": (1, np.float32(2)), "note": "n"})
    )
    assert (outcome.value, outcome.variance, outcome.factors) == (1.0, None, [1.0, 2.0])
    assert outcome.extras == {"note": "n"}


def test_extras_become_plain_json() -> None:
    outcome = read_outcome(
        {"value": 0, "curve": np.arange(3), "score": np.float32(0.5), "nested": {"of": [np.int64(1), None]}}
    )
    assert outcome.extras == {"curve": [0, 1, 2], "score": 0.5, "nested": {"of": [1, None]}}


@pytest.mark.parametrize(("given", "kept"), [("0.5", 0.5), ("NaN", None), ("1E+400", None)])
def test_an_outcome_that_is_a_decimal_is_a_number(given: str, kept: float | None) -> None:
    assert read_outcome({"value": Decimal(1), "heat": Decimal(given)}).extras == {"heat": kept}
    assert read_compared({"heat": Decimal(given)}).extras == {"heat": kept}


class Stamp(datetime):
    """As those of pandas: more than a time of Python's."""


@pytest.mark.parametrize(
    ("extra", "kept"),
    [
        (PurePosixPath("/scratch/net.pt"), "/scratch/net.pt"),
        (Fraction(1, 2), 0.5),
        (np.longdouble(0.5), 0.5),
        (Stamp(2026, 11, 26), "2026-11-26T00:00:00"),
        (range(3), [0, 1, 2]),
        (deque(["a"]), ["a"]),
    ],
    ids=lambda part: type(part).__name__,
)
def test_what_python_has_for_paths_numbers_times_and_lists_costs_no_result(
    extra: object, kept: object
) -> None:
    assert read_outcome({"value": 1, "extra": extra, "within": {"it": [extra]}}).extras == {
        "extra": kept,
        "within": {"it": [kept]},
    }


def nested(depth: int) -> object:
    """Lists within one another."""
    value: object = 1.0
    for _ in range(depth):
        value = [value]
    return value


def test_an_extra_may_nest_as_deep_as_the_orchestrator_reads() -> None:
    assert read_outcome({"value": 1, "tree": nested(DEPTH_LIMIT - 1)}).extras == {
        "tree": nested(DEPTH_LIMIT - 1)
    }


@pytest.mark.parametrize("depth", [DEPTH_LIMIT, 900, 977, 100_000])
def test_an_extra_that_nests_deeper_is_a_failed_evaluation_and_says_so(depth: int) -> None:
    with pytest.raises(EvaluationError) as refused:
        read_outcome({"value": 1, "tree": nested(depth)})
    assert refused.value.kind == "invalid"
    assert "the extra `tree`" in str(refused.value)


def test_an_extra_that_is_not_finite_costs_no_result_and_becomes_null() -> None:
    outcome = read_outcome({"value": 1, "loss": np.nan, "curve": np.array([0.5, np.inf])})
    assert outcome.extras == {"loss": None, "curve": [0.5, None]}


def test_the_objective_may_be_returned_under_its_own_name() -> None:
    outcome = read_outcome({"drag": np.float32(0.5), "lift": 2, "variance": 0.25}, "drag")
    assert (outcome.value, outcome.variance, outcome.extras) == (0.5, 0.25, {"lift": 2})
    assert read_outcome({"value": 0.5, "lift": 2}, "drag").value == 0.5
    assert read_outcome(0.5, "drag").value == 0.5


def test_the_objective_twice_is_one_number_and_no_extra() -> None:
    outcome = read_outcome({"value": 1, "drag": 1.0, "lift": 2}, "drag")
    assert (outcome.value, outcome.extras) == (1.0, {"lift": 2})


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (
            {"value": 1, "drag": 2},
            "expected the same number as `value` and `drag`, which name the objective, ",
        ),
        ({"value": 1, "drag": 2}, "got 1.0 and 2.0: leave one out"),
        ({"lift": 1}, "expected a mapping with `value` or `drag`, got one with `lift`"),
        ({"drag": None}, "expected a number as `drag`, got None"),
        ({"value": 1, "drag": np.nan}, "expected a number as `drag`, finite, got nan"),
        ("1", "expected a number, or a mapping with `value` or `drag`, got '1'"),
    ],
)
def test_what_does_not_name_the_objective_once_says_what_was_expected(returned: object, words: str) -> None:
    with pytest.raises(EvaluationError) as refused:
        read_outcome(returned, "drag")
    assert refused.value.kind == "invalid"
    assert words in str(refused.value)


@pytest.mark.parametrize("returned", [{"drag": None}, {"value": 1, "variance": 0, "factors": [None]}])
def test_who_returned_a_mapping_is_not_asked_whether_anything_was_returned(returned: object) -> None:
    with pytest.raises(EvaluationError, match="got None") as refused:
        read_outcome(returned, "drag")
    assert "`return`" not in str(refused.value)


def test_a_name_that_the_run_does_not_give_is_an_extra_like_any() -> None:
    assert read_outcome({"value": 1, "drag": 2}).extras == {"drag": 2}


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "without `return`"),
        ("1", "got '1' (str)"),
        (b"1", "(bytes)"),
        (np.bool_(True), "(bool"),
        (np.nan, "expected a finite number, got nan"),
        (Decimal("NaN"), "a finite number, got Decimal('NaN') (Decimal)"),
        (Decimal("sNaN"), "a finite number, got Decimal('sNaN') (Decimal)"),
        (10**400, "finite"),
        (np.complex128(1), "(complex128)"),
        (np.array([1.0, 2.0]), "an array of shape (2,)"),
        (np.array([]), "an array of shape (0,)"),
        (np.array([np.nan]), "finite"),
        (np.array([True]), "an array of shape (1,)"),
        (np.ma.masked, "masked (MaskedConstant)"),
        ([1.0], "got [1.0] (list)"),
        (lambda: 1, "(function)"),
        ({"value": 1, 2: 3}, "names (text, in UTF-8) as the keys"),
        (
            {"value": 1, "m\udcff": 3},
            r"names (text, in UTF-8) as the keys of the mapping returned, got 'm\udcff' (str)",
        ),
        ({}, "got one with nothing"),
        ({"value": None}, "a number as `value`"),
        ({"value": 1, "variance": np.inf}, "a number as `variance`, finite"),
        ({"value": 1, "variance": -1e-9}, "0 or more"),
        ({"value": 1, "factors": 3.0}, "a list of numbers as `factors`"),
        ({"value": 1, "factors": [1.0, None]}, "`factors[1]`"),
        ({"value": 1, "factors": np.ones((2, 2))}, "`factors[0]`"),
        ({"value": 1, "model": object()}, "the extra `model`"),
    ],
)
def test_what_is_no_result_is_refused_in_words(returned: object, words: str) -> None:
    with pytest.raises(EvaluationError) as refused:
        read_outcome(returned)
    assert refused.value.kind == "invalid"
    assert words in str(refused.value)


@pytest.mark.parametrize("returned", [None, 3.0, float("nan"), object()])
def test_of_what_people_compare_no_value_is_expected_and_none_kept(returned: object) -> None:
    outcome = read_compared(returned)
    assert (outcome.value, outcome.extras) == (None, {})


def test_of_what_people_compare_all_of_a_mapping_is_kept() -> None:
    assert read_compared({"value": 3, "speed": np.float32(1.5)}).extras == {"value": 3, "speed": 1.5}
    with pytest.raises(EvaluationError, match="the extra `far`"):
        read_compared({"far": object()})
