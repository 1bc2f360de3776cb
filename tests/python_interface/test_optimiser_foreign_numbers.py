"""Numbers of other libraries, told to the Python interface as evaluators of a run may return them."""

from decimal import Decimal
from fractions import Fraction
from typing import get_args, get_origin, get_type_hints

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, UsageError


class Tensor:
    """As torch, JAX and CuPy have them: without a dimension a number, which `item` gives."""

    def __init__(self, *numbers, shape=()):
        self.numbers = numbers
        self.shape = shape

    def item(self):
        (number,) = self.numbers
        return number


NUMBERS = [
    Tensor(0.5),
    Tensor(0.5, shape=(1, 1)),
    np.array(0.5),
    np.float16(0.5),
    np.longdouble(0.5),
    np.ma.array([0.5], mask=[False]),
    Fraction(1, 2),
]


@pytest.mark.parametrize("half", NUMBERS, ids=lambda half: type(half).__name__)
def test_they_are_values_variances_outcomes_factors_and_noise(half):
    optimiser = Optimiser({"x": (0.0, 1.0)}, outcomes=["heat"], constraints=["heat <= 1"], noise=half)
    optimiser.tell(optimiser.ask()[0].trial, half, half, [half], {"heat": half})
    best = optimiser.best()
    assert type(best.value) is type(best.outcomes["heat"]) is float
    assert best.value == best.outcomes["heat"] == 0.5


def classes_of(hint):
    """Of a union, those of generics without what they hold."""
    return tuple(get_origin(one) or one for one in get_args(hint))


@pytest.mark.parametrize("argument", ["value", "variance", "seconds"])
def test_a_type_checker_takes_them_too(argument):
    for hints in (get_type_hints(Optimiser.tell), get_type_hints(Optimiser.learn)):
        for kind in (float, int, np.float32, np.int64, Decimal, Fraction):
            assert argument not in hints or issubclass(kind, classes_of(hints[argument]))
        assert not issubclass(str, classes_of(hints["value"]))


@pytest.mark.parametrize("half", NUMBERS[:6], ids=lambda half: type(half).__name__)
def test_those_of_arrays_are_where_something_was_tried(half):
    optimiser = Optimiser({"x": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 9]}}, algorithm="random")
    optimiser.learn({"x": half, "n": Tensor(3)}, 1.0)
    assert optimiser.best().parameters == {"x": 0.5, "n": 3}


@pytest.mark.parametrize(
    "none",
    [
        Tensor(True),
        Tensor("0.5"),
        Tensor(float("nan")),
        Tensor(0.5, 1.5, shape=(2,)),
        Fraction(10**400),
        np.ma.masked,
        np.ma.array([0.5], mask=[True]),
        np.ma.array([0.5, 1.5], mask=[True, False]),
    ],
)
def test_what_is_none_is_refused_in_a_sentence(none):
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    with pytest.raises(UsageError, match="expected a finite number"):
        optimiser.tell(optimiser.ask()[0].trial, none)


@pytest.mark.parametrize("several", [(0.5, 0.1), [0.5]])
def test_of_what_holds_a_value_it_is_said_how_the_rest_is_told(several):
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    with pytest.raises(
        UsageError, match=r"a finite number, got .*; what comes with it is told as `variance`"
    ):
        optimiser.tell(optimiser.ask()[0].trial, several)


@pytest.mark.parametrize("key", ["least", "step", "tolerance", "travel"])
def test_what_a_parameter_has_beside_its_bounds_may_be_a_decimal(key):
    described = {"type": "float", "bounds": (Decimal(0), Decimal(1)), key: Decimal("0.25")}
    assert Optimiser({"x": described}).attach({"x": 0.5}).parameters == {"x": 0.5}


@pytest.mark.parametrize("told", [Decimal("sNaN"), "9" * 1_000_000], ids=["signalling", "long"])
def test_what_is_no_number_is_refused_in_a_sentence_of_some_length(told):
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    for values in ({"value": told}, {"value": 1.0, "variance": told}):
        with pytest.raises(UsageError, match="expected a finite number") as caught:
            optimiser.learn({"x": 0.5}, **values)
        assert len(str(caught.value)) < 400


def test_an_array_where_a_mapping_belongs_is_refused_in_a_sentence():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="gp-ei")
    with pytest.raises(SpecError, match="expected what is held as a mapping"):
        optimiser.ask(1, held=np.array([0.5, 0.1]))  # type: ignore[arg-type]


class Column:
    """As pandas and polars have the numbers of a column, and pandas those of a table."""

    def __init__(self, numbers):
        self.numbers = np.array(numbers)
        self.shape = self.numbers.shape

    def tolist(self):
        return self.numbers.tolist()

    def to_numpy(self):
        return self.numbers


@pytest.mark.parametrize("half", [*NUMBERS[:5], Fraction(1, 2)], ids=lambda half: type(half).__name__)
def test_they_are_what_is_fitted_and_what_a_look_costs(half):
    targets = {"a": half, "b": {"value": [half, 1.0], "error": half}}
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise", fit=targets)
    optimiser.tell(optimiser.ask()[0].trial, outcomes={"a": 1.5, "b": [0.5, 1.5]})
    # Without an error it is 1.
    assert optimiser.best().value == pytest.approx(1.0 + 1.0)
    cells = {"type": "ordered", "values": [10, 20]}
    fidelity = {"parameter": "cells", "cost": {10: half, 20: np.int64(2)}}
    optimiser = Optimiser({"x": (0.0, 1.0), "cells": cells}, fidelity=fidelity)
    assert optimiser.attach({"x": 0.5, "cells": 10}).cost == 0.25


def test_they_say_what_is_known_of_parameters_and_how_conditions_vary():
    shares, rates = [Decimal("0.25"), Fraction(3, 4)], Column(np.linspace(0.2, 0.8, 60))
    wind = {"type": "int", "bounds": [0, 9], "in_use": {"recorded": Column([2, 3, 9])}}
    optimiser = Optimiser(
        {
            "rate": {"type": "float", "bounds": [0, 1], "prior": {"draws": rates}},
            "load": {"type": "float", "bounds": [0, 1], "prior": {"mean": Decimal("0.5"), "deviation": 1}},
            "kind": {"type": "choice", "values": ["new", "old"], "prior": {"chances": shares}},
            "wind": wind,
        }
    )
    assert {optimiser.ask()[0].parameters["wind"] for _ in range(6)} == {2, 3, 9}
    for i in range(6):
        optimiser.tell(i + 1, float(i))
    by_columns = optimiser.spread(prior={"rate": {"draws": rates}, "kind": {"chances": shares}})
    by_lists = optimiser.spread(prior={"rate": {"draws": rates.tolist()}, "kind": {"chances": [0.25, 0.75]}})
    assert repr(by_columns) == repr(by_lists)


def test_columns_and_tables_are_curves_and_covariances_and_one_point_is_a_curve():
    fit, covariance = {"a": Column([1, 2]), "b": np.array([3])}, Column([[4, 0, 0], [0, 1, 0], [0, 0, 1]])
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise", fit=fit, covariance=covariance)
    optimiser.tell(optimiser.ask()[0].trial, outcomes={"a": [3.0, 4.0], "b": [3.0]})
    assert optimiser.best().value == pytest.approx(1.0 + 4.0)


class Missing:
    """As pandas has what is not there: whether it equals anything is not there either."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self):
        return "<NA>"


@pytest.mark.parametrize("values", [["tea", "milk"], ["tea", None], [(1, 2), (3, 4)]], ids=str)
def test_what_is_not_there_is_none_of_the_values_to_choose_from(values):
    kinds = ["choice", "ordered"] if values[1] == "milk" else ["choice"]
    for kind in kinds:
        optimiser = Optimiser({"x": {"type": kind, "values": values}, "y": {"type": "fixed", "value": 3}})
        for parameters in ({"x": Missing()}, {"x": values[0], "y": Missing()}):
            with pytest.raises(SpecError, match=r"expected .*, got <NA>"):
                optimiser.learn(parameters, 1.0)
