"""By how much settings may be off: how a spec says it, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.schema import spec_schema

PARAMETERS = """\
parameters:
  span: {type: float, bounds: [1, 20], tolerance: 0.5}
  gauge: {type: ordered, values: [1, 2, 5], tolerance: 0.2}
  rate: {type: float, bounds: [1.0e-3, 1.0e-1], scale: log, tolerance: 1.0e-4}
  shots: {type: int, bounds: [1, 9]}"""
TOLERANT = {"parameters": PARAMETERS, "algorithm": "algorithm: {name: auto}"}


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(TOLERANT | lines))
    return sentences(refusal), under_caret(refusal)


def test_tolerances_are_the_spaces_and_the_problems() -> None:
    spec = spec_with(**TOLERANT)
    assert dict(build_space(spec).tolerances) == {"span": 0.5, "gauge": 0.2, "rate": 1e-4}
    off = build_problem(spec).off
    assert off is not None
    assert [axis.coordinate for axis in off.axes] == [0, 1, 2]
    assert policy_of(spec).sought.averages
    point = off.around(np.array([[0.5, 0.25, 0.5, 0.5]])).points[0]
    assert abs(10.5 + 0.5 - (1.0 + 19.0 * point[:, 0].max())) < 0.1


def test_a_spec_without_them_seeks_what_is_best_as_set() -> None:
    assert build_problem(spec_with()).off is None
    assert not policy_of(spec_with()).sought.averages


def with_first(told: str) -> str:
    return PARAMETERS.replace("{type: float, bounds: [1, 20], tolerance: 0.5}", told)


@pytest.mark.parametrize(
    ("told", "said", "at"),
    [
        ("{type: float, bounds: [1, 20], tolerance: 0}", "a number above 0, by how much", "0"),
        ("{type: float, bounds: [1, 20], tolerance: wide}", "a number above 0, by how much", "wide"),
        ("{type: float, bounds: [1, 20], tolerance: 19}", "less than the 19 that its bounds", "19"),
        ("{type: int, bounds: [1, 20], tolerance: 1}", "got `tolerance`", "tolerance: 1"),
        ("{type: ordered, values: [low, high], tolerance: 1}", "no tolerance of texts", "1"),
        ("{type: float, bounds: [1, 20], tolerance: 1, when: {shots: 3}}", "beside `when`", "tolerance: 1"),
        ("{type: float, bounds: [1, 20], travel: 2}", "no `travel` beside `tolerance`", "travel: 2"),
    ],
)
def test_a_tolerance_that_makes_no_sense_is_refused_at_its_place(told: str, said: str, at: str) -> None:
    found, where = refused(parameters=with_first(told), mode="mode: sequential")
    assert any(said in sentence for sentence in found), found
    assert any(place.startswith(at) for place in where), where


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            {"algorithm": "algorithm: {name: gp-ei}"},
            "looks for what is best on average (`auto`), got `gp-ei`",
        ),
        ({"budget": "budget: {trials: 9, target: 3}"}, "no `target` beside `tolerance`"),
        ({"budget": "budget: {trials: 9, patience: 3}"}, "no `patience` beside `tolerance`"),
        ({"budget": "budget: {trials: 9, expected_gain: 3}"}, "no `expected_gain` beside `tolerance`"),
        (
            {"outcomes": "outcomes: [lift]", "constraints": 'constraints: ["lift >= 3"]'},
            "no constraints on outcomes beside `tolerance`",
        ),
        (
            {"objective": "objectives: {lift: maximise, drag: minimise}"},
            "no further objectives beside `tolerance`",
        ),
        (
            {"fidelity": 'fidelity: {parameter: shots, cost: "shots"}'},
            "no `fidelity` beside `tolerance`",
        ),
    ],
)
def test_what_is_about_values_as_set_is_refused_beside_it(lines: dict[str, str], said: str) -> None:
    found, _ = refused(**lines)
    assert any(said in sentence for sentence in found), found


def test_the_schema_knows_the_key_of_numbers_between_which_there_are_others() -> None:
    schema = json.loads(json.dumps(spec_schema()))
    known = [name for name, one in schema["$defs"].items() if "tolerance" in one.get("properties", {})]
    assert sorted(known) == ["FloatParameter", "OrderedParameter"]


def test_amended_bounds_stay_further_apart_than_what_may_be_off() -> None:
    spec = spec_with(**TOLERANT)
    assert build_space(with_bounds(spec, {"span": (4.0, 4.6)})).tolerances["span"] == 0.5
    for name, bounds in {"span": (4.0, 4.5), "rate": (0.01, 0.01005)}.items():
        with pytest.raises(SpecError, match="expected bounds that are further apart than its tolerance"):
            with_bounds(spec, {name: bounds})
