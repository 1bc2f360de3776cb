"""Computed parameters in a spec: by a formula or an equality, and in first points and known results."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.report.words.spec import spec_words
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.begun.asked_points import points_to_try
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

OTHERS = "resin: {type: float, bounds: [0, 100]}, hardener: {type: float, bounds: [0, 50]}"
FORMULA = (
    f"parameters: {{{OTHERS}, filler: {{type: computed, value: 100 - resin - hardener, bounds: [0, 60]}}}}"
)
SHARES = f'parameters: {{{OTHERS}, filler: {{type: float, bounds: [0, 60], unit: "%"}}}}'
EQUALITY = "constraints: [resin + hardener + filler == 100, hardener <= resin]"


def test_an_equality_has_one_of_its_parameters_computed_as_if_it_had_been_written_so() -> None:
    spec = spec_with(parameters=SHARES, constraints=EQUALITY)
    assert spec.constraints == ["hardener <= resin"]
    resin = spec.parameters["resin"]
    assert (resin.type, resin.value, resin.bounds) == ("computed", "100 - filler - hardener", (0, 100))
    assert list(spec.parameters) == ["resin", "hardener", "filler"]
    assert build_space(spec).required == ("hardener <= resin", "0 <= resin <= 100")
    assert "over 2 parameters (resin = 100 - filler - hardener) under 1 constraint" in spec_words(spec)


def test_what_is_held_is_not_computed_by_an_equality() -> None:
    spec = spec_with(parameters=SHARES, constraints=EQUALITY, held="held: {resin: 60}")
    assert [name for name, one in spec.parameters.items() if one.type == "computed"] == ["filler"]


def test_it_is_no_dimension_of_the_problem() -> None:
    assert build_problem(spec_with(parameters=FORMULA)).domain.dimension == 2


@pytest.mark.parametrize("parameters", [FORMULA, SHARES])
def test_first_points_and_results_may_leave_it_out_or_agree(parameters: str) -> None:
    ties = {} if parameters == FORMULA else {"constraints": EQUALITY}
    initial = (
        "initial: {points: [{hardener: 30, filler: 20}], results: [{resin: 60, hardener: 30, value: 1},"
        " {resin: 33.3, hardener: 33.3, filler: 33.3, value: 2}]}"
    )
    if parameters == FORMULA:
        initial = initial.replace("{hardener: 30, filler: 20}", "{resin: 50, hardener: 30}")
    else:
        initial = initial.replace("{resin: 60, hardener: 30, value", "{filler: 10, hardener: 30, value")
    began = spec_with(parameters=parameters, initial=initial, **ties).initial
    assert began.points == [{"resin": 50.0, "hardener": 30.0, "filler": 20.0}]
    assert began.results[0].parameters == {"resin": 60.0, "hardener": 30.0, "filler": 10.0}
    assert sum(map(float, began.results[1].parameters.values())) == pytest.approx(100)


@pytest.mark.parametrize(
    ("initial", "at"),
    [
        ("{points: [{resin: 50, hardener: 30, filler: 25}]}", "25"),
        ("{results: [{resin: 50, hardener: 30, filler: 25, value: 1}]}", "25"),
    ],
)
def test_what_does_not_agree_is_said_at_its_place(initial: str, at: str) -> None:
    refusal = refusal_with(parameters=FORMULA, initial=f"initial: {initial}")
    assert "expected 20, which is `100 - resin - hardener`, got 25" in refusal
    assert under_caret(refusal)[0].startswith(at)


@pytest.mark.parametrize(
    ("changed", "said", "at"),
    [
        ({"parameters": FORMULA.replace("- hardener", "- hardner")}, "did you mean `hardener`?", "hardner"),
        ({"parameters": FORMULA.replace("bounds: [0, 60]", "bound: [0, 60]")}, "mean `bounds`?", "bound"),
        ({"parameters": FORMULA.replace("- hardener", "- filler")}, "got `filler` itself", "filler"),
        ({"parameters": FORMULA.replace("computed", "calculated")}, "mean `computed`?", "calculated"),
        ({"parameters": FORMULA, "held": "held: {filler: 3}"}, "`filler`, which is computed", "filler"),
        (
            {"parameters": FORMULA, "factors": "factors: [[resin, filler], [hardener]]"},
            "is computed",
            "filler",
        ),
        ({"parameters": FORMULA, "algorithm": "algorithm: boo"}, "an algorithm that keeps to", "bounds"),
        (
            {"parameters": SHARES, "constraints": "constraints: [resin + hardener + fill == 100]"},
            "got `fill` (did you mean `filler`?)",
            "fill == 100]",
        ),
        (
            {"parameters": SHARES, "constraints": "constraints: [resin * hardener + filler == 100]"},
            "an equality that is linear",
            "resin * hardener",
        ),
    ],
)
def test_a_mistake_is_said_where_it_stands(changed: dict[str, str], said: str, at: str) -> None:
    refusal = refusal_with(**changed)
    assert said in refusal
    assert under_caret(refusal)[0].startswith(at)


def test_without_bounds_it_is_for_every_algorithm() -> None:
    spec = spec_with(parameters=FORMULA.replace(", bounds: [0, 60]}", "}"), algorithm="algorithm: boo")
    assert build_space(spec).ties is None


def amended(spec: Spec, *bounds: float) -> object:
    return with_bounds(spec, {"filler": (bounds[0], bounds[1])}).parameters["filler"].bounds


def test_its_bounds_are_amended_if_it_has_any() -> None:
    assert amended(spec_with(parameters=FORMULA), 0, 50) == (0, 50)
    with pytest.raises(SpecError, match="`filler`, which has none in the spec"):
        amended(spec_with(parameters=FORMULA.replace(", bounds: [0, 60]}", "}")), 0, 50)


def test_a_point_to_try_need_not_say_it() -> None:
    spec = spec_with(parameters=FORMULA)
    assert points_to_try(spec, ["resin=70,hardener=10"]) == [{"resin": 70, "hardener": 10, "filler": 20}]
    with pytest.raises(SpecError, match="expected 20, which is"):
        points_to_try(spec, ["resin=70,hardener=10,filler=30"])


def test_of_a_point_by_its_name_it_follows_from_what_is_otherwise() -> None:
    named = {"best": {"resin": 70.0, "hardener": 10.0, "filler": 20.0}}
    tried = points_to_try(spec_with(parameters=FORMULA), ["best,resin=60"], named)
    assert tried == [{"resin": 60.0, "hardener": 10.0, "filler": 30.0}]


def test_a_run_that_was_begun_is_read_as_it_was() -> None:
    text = text_with(
        parameters=SHARES, constraints=EQUALITY, initial="initial: {points: [{hardener: 30, filler: 20}]}"
    )
    begun = load_spec_text(text, "spec.yaml", None).spec
    assert begun.initial.points == [{"hardener": 30.0, "filler": 20.0, "resin": 50.0}]
