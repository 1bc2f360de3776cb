"""Parameters that a spec holds: what it says of them, what of that is refused, and what follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.amended import with_bounds, with_fixed, with_held
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of

PARAMETERS = """\
parameters:
  batch: {type: choice, values: [march, april, none, 7]}
  speed: {type: float, bounds: [0, 10], step: 0.5}
  width: {type: int, bounds: [1, 9]}
  mesh: {type: ordered, values: [coarse, fine]}
  inner: {type: int, bounds: [1, 9], when: {batch: april}}
  mach: 0.8"""
HELD = {"parameters": PARAMETERS, "algorithm": "algorithm: auto", "held": "held: {batch: april}"}
REST = "speed: 1, width: 2, mesh: fine, inner: 3"


def refused(**lines: str) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(HELD | lines))
    return sentences(refusal), under_caret(refusal)


def remarks_on(**lines: str) -> list[str]:
    return list(load_spec_text(text_with(**(HELD | lines)), "wing.yaml", Path()).remarks)


@pytest.mark.parametrize(
    ("told", "held"),
    [
        ("{batch: april}", {"batch": "april"}),
        ("{batch: '7'}", {"batch": 7}),
        ("{batch: none}", {"batch": "none"}),
        ("{width: 3.0, speed: 2}", {"width": 3, "speed": 2.0}),
        ("{mesh: fine}", {"mesh": "fine"}),
    ],
)
def test_any_kind_of_parameter_is_held_at_a_value_of_its_own(told: str, held: dict[str, object]) -> None:
    spec = spec_with(**(HELD | {"held": f"held: {told}"}))
    assert spec.held == held
    assert [type(value) for value in spec.held.values()] == [type(value) for value in held.values()]
    assert policy_of(spec).where.held == held


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("{bach: april}", "expected the name of a parameter to hold", "bach"),
        ("{batch: may}", "expected `march`, `april`, `none` or `7` for `batch`, got `may`", "may"),
        ("{speed: 0.3}", "got 0.3", "0.3"),
        ("{speed: fast}", "for `speed`, got `fast`", "fast"),
        ("{mach: 0.8}", "got `mach`, which is fixed", "mach"),
        ("{batch: [april]}", "expected text, a finite number, true or false", "[april]"),
        ("{inner: 3}", "it counts only where `batch` is `april`; hold `batch` as well", "inner"),
        ("{batch: march, inner: 3}", "which is not so where the others are as they are held", "held"),
        (
            "{batch: april, speed: 1, width: 2, mesh: fine, inner: 3}",
            "expected at least one parameter that is not held",
            "held",
        ),
    ],
)
def test_what_cannot_be_held_is_refused_at_its_place(line: str, said: str, at: str) -> None:
    found, where = refused(held=f"held: {line}")
    assert len(found) == 1
    assert said in found[0]
    assert where[0].startswith(at)


def test_a_value_beside_which_nothing_satisfies_the_constraints_is_refused_at_its_place() -> None:
    found, where = refused(held="held: {speed: 9}", constraints="constraints: [speed + width <= 9]")
    assert found[0].startswith("no point was found that satisfies `speed + width <= 9` where `speed` is 9.0;")
    assert where[0].startswith("speed: 9")


def test_an_algorithm_that_cannot_hold_is_refused_with_those_that_can() -> None:
    for name in ("turbo", "soo"):
        parameters = PARAMETERS.replace(", when: {batch: april}", "")
        found, where = refused(algorithm=f"algorithm: {name}", parameters=parameters)
        assert "expected an algorithm that holds parameters (`add-gp-ucb`, " in found[0]
        assert "`sobol`), got" in found[0]
        assert where[0].startswith(name)


def test_the_parameter_that_says_how_closely_to_look_is_not_held() -> None:
    found, where = refused(
        held="held: {width: 3}",
        fidelity="fidelity: {parameter: width, cost: width}",
        budget="budget: {cost: 9}",
    )
    assert "expected a parameter other than `width`, which says how closely" in found[0]
    assert where[0].startswith("width: 3")


def test_full_fidelity_must_be_possible_where_parameters_are_held() -> None:
    found, _ = refused(
        held="held: {speed: 2}",
        constraints="constraints: [speed * width <= 9]",
        fidelity="fidelity: {parameter: width, cost: width}",
        budget="budget: {cost: 9}",
    )
    assert "where `speed` is 2.0 and `width` is 9" in found[0]


def test_what_is_left_to_gain_is_no_budget_where_parameters_are_held() -> None:
    found, where = refused(budget="budget: {trials: 5, expected_gain: 0.1}")
    assert found == ["expected no `expected_gain` beside `held`: what is left to gain is not estimated there"]
    assert where[0].startswith("expected_gain")


def test_points_to_try_first_lie_where_it_is_held_and_need_not_say_so() -> None:
    points = f"[{{batch: march, {REST}}}, {{{REST}}}]"
    found, where = refused(initial=f"initial: {{points: {points}}}")
    assert found[0].startswith("expected `april`, at which `batch` is held, got `march`; what is known of")
    assert where[0].startswith("march")
    spec = spec_with(**(HELD | {"initial": f"initial: {{points: [{{{REST}}}]}}"}))
    assert spec.initial.points[0]["batch"] == "april"


def test_known_results_say_where_they_are_and_those_elsewhere_are_said_to_be_no_best() -> None:
    results = f"[{{batch: march, {REST}, value: 1}}, {{batch: april, {REST}, value: 2}}]"
    (remark,) = remarks_on(initial=f"initial: {{results: {results}}}")
    assert "are not where parameters are held, `batch = april`: still learned from, and no best" in remark
    found, _ = refused(initial=f"initial: {{results: [{{{REST}, value: 1}}]}}")
    assert found == ["expected a value for `batch`, but it is missing"]


ACROSS = PARAMETERS + "\n  angle: {type: float, bounds: [-0.3, 0.7]}\n  above: {type: float, bounds: [0, 1]}"


def test_what_rounding_leaves_of_zero_is_where_zero_is_held() -> None:
    """As tables have it that numpy's `linspace` wrote: at no number but 0 is it more than the last digits."""
    lines = {"parameters": ACROSS, "held": "held: {angle: 0}"}
    known = [
        f"{{batch: april, {REST}, above: 0.5, angle: {angle}, value: 1}}" for angle in ("5.6e-17", "0.1")
    ]
    remarks = remarks_on(**lines, initial=f"initial: {{results: [{', '.join(known)}]}}")
    assert any(
        "1 of 2 known results are not where parameters are held, `angle = 0`" in one for one in remarks
    )


def test_a_small_number_stays_what_it_is_where_nothing_below_zero_may_come() -> None:
    assert spec_with(**(HELD | {"parameters": ACROSS, "held": "held: {above: 1.0e-17}"})).held == {
        "above": 1e-17
    }
    assert spec_with(**(HELD | {"parameters": ACROSS, "held": "held: {angle: 1.0e-9}"})).held == {
        "angle": 1e-9
    }


def test_bounds_that_leave_out_what_is_held_are_refused() -> None:
    spec = spec_with(**(HELD | {"held": "held: {speed: 2}"}))
    with pytest.raises(SpecError) as refusal:
        with_bounds(spec, {"speed": (4.0, 8.0)})
    assert str(refusal.value) == (
        "--bounds speed=4,8: expected bounds around what it is held at, speed = 2; hold it at another value,"
        " --held speed=VALUE, or let it be chosen, --free speed"
    )
    assert with_bounds(with_held(spec, {}), {"speed": (4.0, 8.0)}).held == {}


def test_where_nothing_else_is_known_what_is_held_is_none_of_the_parameters_searched() -> None:
    spec = spec_with(**(HELD | {"held": "held: {batch: march}"}))
    still = with_fixed(spec, spec.held)
    assert build_space(still).fixed == {"batch": "march", "mach": 0.8}
    assert build_space(still).names == ("speed", "width", "mesh", "inner")
    assert build_problem(spec).domain.dimension == 5
    assert build_problem(still).domain.dimension == 4
    assert still.held == {}
    assert with_fixed(spec, {"mesh": "fine"}).held == spec.held
