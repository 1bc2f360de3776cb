"""Constraints in a spec: read, checked with the rest of it, and refused where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.report.words.spec import spec_words
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.schema import spec_schema

PARAMETERS = (
    "parameters: {inner: {type: float, bounds: [0, 1]}, outer: {type: float, bounds: [0, 2]},"
    " n: {type: int, bounds: [1, 9]}, kind: {type: choice, values: [plain, fine]},"
    " layers: {type: choice, values: [1, 2]}, depth: 2, coat: matt}"
)


def refused(constraints: str, **lines: str) -> str:
    return refusal_with(parameters=PARAMETERS, constraints=f"constraints: {constraints}", **lines)


def remarks_on(constraints: str, **lines: str) -> list[str]:
    text = text_with(parameters=PARAMETERS, constraints=f"constraints: {constraints}", **lines)
    return list(load_spec_text(text, "wing.yaml", Path()).remarks)


def test_they_are_read_and_tie_the_problem_s_domain() -> None:
    spec = spec_with(
        parameters=PARAMETERS, constraints="constraints: [inner < outer, n * layers <= 5 * depth]"
    )
    assert spec.constraints == ["inner < outer", "n * layers <= 5 * depth"]
    space = build_space(spec)
    assert build_problem(spec).domain.ties is not None
    inside = {"inner": 0.5, "outer": 0.6, "n": 5, "kind": "fine", "layers": 2}
    assert space.broken_by(inside) == ()
    assert space.broken_by({**inside, "n": 6}) == ("n * layers <= 5 * depth",)
    assert space.broken_by({**inside, "n": 6, "outer": 0.5}) == tuple(spec.constraints)


def test_what_holds_for_some_values_of_a_choice_is_one_of_them() -> None:
    small, plain = 'kind != "fine" or n * inner <= 3', "layers == 1 or kind in ('plain', 'fine')"
    spec = spec_with(parameters=PARAMETERS, constraints=f'constraints:\n  - {small}\n  - "{plain}"')
    assert spec.constraints == [small, plain]
    space = build_space(spec)
    inside = {"inner": 0.5, "outer": 0.6, "n": 8, "kind": "plain", "layers": 2}
    assert space.broken_by(inside) == ()
    assert space.broken_by({**inside, "kind": "fine"}) == (small,)
    (remark,) = remarks_on(f'\n  - {small}\n  - "{plain}"')
    assert f"`{plain}` has no effect: it holds all over the bounds" in remark


@pytest.mark.parametrize(
    ("constraints", "said", "at"),
    [
        ("[inner < outr]", "got `outr` (did you mean `outer`?)", "outr]"),
        ("[inner < outer, 'n + x <= 3']", "expected the parameters `inner`, `outer`, `n`", "x <= 3']"),
        ("[kind < 3]", "parameters that are numbers, got `kind`, which has the values [plain, fine]", "kind"),
        ("[inner < coat]", "got `coat`, which is fixed at `matt`", "coat]"),
        ("[inner + outer]", "expected an inequality, as `inner < outer`", "inner"),
        ("[inner * outer == 1]", "an equality that is linear in the parameters", "inner * outer == 1]"),
        ("[inner = outer]", "an equality is written `==`", "= outer]"),
        (
            "[inner != outer]",
            "expected <, <=, > or >= between two sides, got `inner != outer`; a value that",
            "outer]",
        ),
        ("[inner < outer and n < 3]", "each condition as a constraint of its own", "inner"),
        ("[depth < 3]", "at least one parameter that varies, got only fixed ones", "depth"),
        ("[1 < 2]", "at least one parameter that varies, got none", "1 < 2]"),
        (
            "[inner < sinh(outer)]",
            "one of the functions abs, ceil, cos, count, exp, floor, log, max",
            "sinh(outer)]",
        ),
        ("[inner <]", "which cannot be read here", "]"),
        ("[3]", "expected text, got 3", "3]"),
        ("{a: b}", "expected a list of inequalities, as `[heat <= 80, a + b <= 1]`, got a", "constraints"),
        ("['']", "cannot be read", "'']"),
        ("[inner + outer < 0]", "no point within the bounds was found that satisfies", "constraints"),
        ("[kind != 'rough' or inner < outer]", "`plain` or `fine` for `kind`, got `rough`", "'rough'"),
        ("[kind != 'fin' or inner < outer]", "got `fin` (did you mean `fine`?)", "'fin'"),
        ("[kind < 3 or inner < outer]", "parameters that are numbers, got `kind`", "kind"),
        ("[inner == 0.5 or layers == 1]", "expected an inequality, as `inner >= 0.5`", "inner"),
        ("[inner < 1 if kind == 'fine']", "; write `kind != 'fine' or inner < 1`", "if"),
        ("[kind == 'fine' or n < 9, inner * outer == 1]", "is linear in the parameters", "inner * outer"),
        ("[kind == 'fine']", "`{type: fixed, value: fine}`, or `held: {kind: fine}` for a while", "kind"),
        ("[inner < outer, outer < inner]", "was found that satisfies `inner < outer`, `outer", "constraints"),
    ],
)
def test_what_is_wrong_is_said_at_its_character(constraints: str, said: str, at: str) -> None:
    refusal = refused(constraints)
    assert said in refusal
    (place,) = under_caret(refusal)
    assert place.startswith(at)


def test_what_a_comma_of_a_list_has_cut_in_two_is_said_to_want_quotes() -> None:
    told = 'put what has a comma in quotes, as "max(inner, outer) <= 1"'
    assert refused("[n < 8, max(inner, outer) < 3]").count(told) == 1
    assert told not in refused("[inner <]")
    assert spec_with(parameters=PARAMETERS, constraints='constraints: ["max(inner, outer) < 3"]')


def test_mistakes_elsewhere_are_said_beside_them() -> None:
    refusal = refused("[inner < outr]", budget="budget: {trials: 0}")
    assert len(sentences(refusal)) == 2


def test_an_algorithm_that_does_not_keep_to_them_is_refused_where_they_begin() -> None:
    refusal = refused("[inner < outer]", algorithm="algorithm: dumbo")
    (said,) = sentences(refusal)
    assert said.startswith("expected an algorithm that keeps to constraints (`add-gp-ucb`, `add-mes`, `auto`")
    assert "got `dumbo`" in said
    assert "constraints: [inner < outer]" in refusal


POINT = "{inner: 0.9, outer: 0.2, n: 3, kind: fine, layers: 1}"


def test_a_point_to_begin_with_that_does_not_satisfy_them_is_refused_at_its_line() -> None:
    refusal = refused("[inner < outer]", initial=f"initial: {{points: [{POINT}]}}")
    assert sentences(refusal) == ["expected a point that satisfies `inner < outer`, got one that does not"]
    assert under_caret(refusal)[0].startswith("{inner: 0.9")


@pytest.mark.parametrize("tenths", range(1, 10))
def test_a_point_on_the_boundary_is_taken_as_it_is_written(tenths: int) -> None:
    point = f"{{inner: {tenths / 10}, outer: {1 - tenths / 10!r}, n: 3, kind: fine, layers: 1}}"
    lines = {"constraints": "constraints: inner + outer <= 1", "initial": f"initial: {{points: [{point}]}}"}
    assert len(spec_with(parameters=PARAMETERS, **lines).initial.points) == 1


def test_known_results_that_do_not_satisfy_them_stay_and_it_is_said() -> None:
    known = POINT.replace("}", ", drag: 3}")
    (said,) = remarks_on("[inner < outer]", initial=f"initial: {{results: [{known}]}}")
    assert "the known result does not satisfy the constraints: still learned from" in said
    good = known.replace("0.9", "0.1")
    (said,) = remarks_on("[inner < outer]", initial=f"initial: {{results: [{known}, {good}]}}")
    assert "1 of 2 known results do not satisfy" in said
    assert remarks_on("[inner < outer]", initial=f"initial: {{results: [{good}]}}") == []


def test_one_that_always_holds_is_remarked_on() -> None:
    (said,) = remarks_on("[inner < outer, inner + outer <= 3]")
    assert "`inner + outer <= 3` has no effect: it holds all over the bounds" in said
    assert under_caret(said) == ["inner + outer <= 3]"]


def test_the_text_of_a_begun_run_is_read_without_looking_for_anything() -> None:
    text = text_with(parameters=PARAMETERS, constraints="constraints: [inner < outer]")
    assert load_spec_text(text, "wing.yaml", None).spec.constraints == ["inner < outer"]


def test_the_schema_has_them() -> None:
    told = spec_schema()["properties"]["constraints"]
    kinds = [form["type"] for form in told["anyOf"]]
    assert kinds == ["array", "string"]
    assert "inequalities" in told["description"]


def test_validate_counts_them() -> None:
    spec = spec_with(parameters=PARAMETERS, constraints="constraints: [inner < outer]")
    assert "over 5 parameters (2 more fixed) under 1 constraint with random" in spec_words(spec)
