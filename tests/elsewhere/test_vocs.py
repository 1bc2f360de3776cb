"""What a VOCS says of a problem is what the optimiser is told."""

from __future__ import annotations

import math

import pytest
from gest_api.vocs import VOCS

from orchestrator import Optimiser
from orchestrator.elsewhere.vocs import VocsProblem
from orchestrator.errors import SpecError

X = {"x": [0, 1]}
LOSS = {"loss": "MINIMIZE"}


def test_variables_and_constants_are_described_as_parameters_of_a_spec() -> None:
    variables = {
        "x": [0, 1],
        "cells": {"type": "ContinuousVariable", "domain": [1.5, 9], "dtype": "int64"},
        "ribs": {4, 1, 2},
        "solver": {"gmres", "cg"},
        "on": {True, False},
    }
    found = VocsProblem.of(VOCS(variables=variables, objectives=LOSS, constants={"mach": 0.8}), {})
    assert found.parameters == {
        "x": {"type": "float", "bounds": [0, 1]},
        "cells": {"type": "int", "bounds": [2, 9]},
        "ribs": {"type": "ordered", "values": [1, 2, 4]},
        "solver": {"type": "choice", "values": ["cg", "gmres"]},
        "on": {"type": "choice", "values": [False, True]},
        "mach": {"type": "fixed", "value": 0.8},
    }


def test_more_can_be_said_of_a_variable() -> None:
    vocs = VOCS(variables={"rate": [1e-4, 1]}, objectives=LOSS)
    found = VocsProblem.of(vocs, {"rate": {"scale": "log"}})
    assert found.parameters == {"rate": {"type": "float", "bounds": [1e-4, 1], "scale": "log"}}
    with pytest.raises(SpecError, match="expected more of the variables rate, got it of `rat`"):
        VocsProblem.of(vocs, {"rat": {"scale": "log"}})


def test_the_values_of_a_discrete_variable_can_be_described_each_of_them() -> None:
    vocs = VOCS(variables={"ribs": {1, 2}}, objectives=LOSS)
    described = {2: {"weight": 0.5}, 1: {"weight": 0.3}}
    found = VocsProblem.of(vocs, {"ribs": {"values": described}})
    assert found.parameters == {"ribs": {"type": "choice", "values": described}}
    with pytest.raises(SpecError, match="each of its values described, 1, 2, got 1, 2, 4"):
        VocsProblem.of(vocs, {"ribs": {"values": {**described, 4: {"weight": 0.9}}}})


def test_the_first_objective_is_the_value_and_others_are_outcomes() -> None:
    found = VocsProblem.of(VOCS(variables=X, objectives={"drag": "MINIMIZE", "lift": "MAXIMIZE"}), {})
    assert (found.objective, found.goal, found.objectives) == ("drag", "minimise", {"lift": "maximise"})
    assert found.outcomes == {"lift": "lift"}


def test_constraints_are_inequalities_of_names_that_can_be_in_one() -> None:
    constraints = {
        "QUAD:LI21:201": ["LESS_THAN", 80],
        "QUAD LI21 201": ["GREATER_THAN", -1e-6],
        "loss": ["BOUNDS", 0, 2],
        "2nd": ["BOUNDS", -math.inf, 3],
        "lambda": ["LESS_THAN", 0.5],
        "log": ["LESS_THAN", 2],
        "any": ["LESS_THAN", math.inf],
    }
    found = VocsProblem.of(VOCS(variables=X, objectives=LOSS, constraints=constraints), {})
    assert found.constraints == (
        "QUAD_LI21_201 < 80.0",
        "QUAD_LI21_201_2 > -1e-06",
        "loss_2 >= 0.0",
        "loss_2 <= 2.0",
        "outcome_2nd <= 3.0",
        "outcome_lambda < 0.5",
        "log < 2.0",
    )
    assert Optimiser(found.parameters, outcomes=list(found.outcomes), constraints=found.constraints).outcomes
    assert found.outcomes["loss_2"] == "loss"
    assert found.outcomes["QUAD_LI21_201"] == "QUAD:LI21:201"


def test_what_is_explored_is_so_throughout() -> None:
    assert VocsProblem.of(VOCS(variables=X, objectives={"field": "EXPLORE"}), {}).explored
    with pytest.raises(SpecError, match="all explored, or none of them"):
        VocsProblem.of(VOCS(variables=X, objectives={"field": "EXPLORE", **LOSS}), {})


@pytest.mark.parametrize(
    ("variables", "objectives", "said"),
    [
        (X, {}, "expected at least one objective, got none"),
        ({"room": "CONTEXTUAL"}, LOSS, r"variable `room`: expected finite bounds, got \[-inf, inf\]"),
        (
            {"x": {"type": "ContinuousVariable", "domain": [0, 1], "dtype": ("f8", (3,))}},
            LOSS,
            r"variable `x`: expected a scalar, got an array of the shape \(3,\)",
        ),
        (
            {"x": {"type": "BaseVariable"}},
            LOSS,
            "variable `x`: expected a continuous, discrete or contextual",
        ),
    ],
)
def test_what_cannot_be_searched_is_refused(variables, objectives, said) -> None:
    with pytest.raises(SpecError, match=said):
        VocsProblem.of(VOCS(variables=variables, objectives=objectives), {})
