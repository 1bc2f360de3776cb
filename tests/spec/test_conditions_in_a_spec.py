"""Parameters of a spec that do not always count, written in several ways; what makes no sense is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.runtime.results.counted_parameters import first_points
from orchestrator.runtime.results.known_events import known_events
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.sections.parameters import conditions_of

ALWAYS = (
    "solver: {type: choice, values: [cg, gmres]}, levels: {type: int, bounds: [1, 4]},"
    " a: {type: float, bounds: [0, 1]}"
)


def parameters(*own: str) -> str:
    return f"parameters: {{{', '.join([ALWAYS, *own])}}}"


RESTART = "restart: {type: int, bounds: [5, 50], when: {solver: gmres}}"
WEIGHT = "weight: {type: float, bounds: [0, 2], when: levels >= 2, otherwise: 1.5}"


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("{solver: gmres}", "`solver` is `gmres`"),
        ("{solver: [cg, gmres], levels: [2, 3]}", "`solver` is `cg` or `gmres` and `levels` is `2` or `3`"),
        ("levels >= 2", "`levels >= 2`"),
        ("[levels >= 2, {solver: cg}]", "`levels >= 2` and `solver` is `cg`"),
        ("0.2 < a <= 0.4 * levels", "`0.2 < a <= 0.4 * levels`"),
    ],
)
def test_when_a_parameter_counts_is_values_of_others_or_inequalities_or_several_of_these(
    when: str, words: str
) -> None:
    spec = spec_with(parameters=parameters(f"x: {{type: float, bounds: [0, 1], when: {when}}}"))
    assert {name: one.words for name, one in conditions_of(spec.parameters).items()} == {"x": words}
    assert build_space(spec).names == ("solver", "levels", "a", "x")
    assert build_problem(spec).domain.activity is not None


@pytest.mark.parametrize(
    ("own", "said", "at"),
    [
        ("when: {solvr: cg}", "expected another parameter (`solver`, `levels` or `a`), got `solvr`", "solvr"),
        ("when: {solver: [cg, gmrs]}", "expected `cg` or `gmres` for `solver`, got `gmrs` (did you", "gmrs"),
        ("when: {levels: 7}", "expected a whole number in [1, 4] for `levels`, got `7`", "7}"),
        ("when: {a: 0.5}", "expected an inequality, as `a >= 0.5`, for `a` is a float", "a: 0.5"),
        ("when: levels >= two", "expected the parameters `levels`, `a`, got `two`", "two"),
        ("when: 1 < 2", "expected at least one other parameter, got none", "1 < 2"),
        ("when: [a > 0.5, levels > 1 and a < 1]", "expected arithmetic of numbers", "levels > 1"),
        ("when: 3", "expected when it counts, as `{optimiser: sgd}`, `{layers: [2, 3]}` or", "3"),
        ("when: []", "expected when it counts, as", "[]"),
        ("when: {levels: }", "expected a value of `levels`, or a list of some, got nothing", "{levels: }"),
        (
            "when: {levels: {least: 2}}",
            "expected a value of `levels`, or a list of some, got a mapping",
            "{levels: {",
        ),
        ("when: {levels: []}", "expected a value of `levels`, or a list of some, got []", "{levels: ["),
        ("when: x > 0.5", "expected other parameters, got itself", "x > 0.5"),
        ("otherwise: 3", "expected `when` as well: a parameter without it always counts", "3"),
        ("when: a > 0.5, otherwise: [1]", "expected text, a finite number, true or false, got [1]", "[1]"),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_stands(own: str, said: str, at: str) -> None:
    refusal = refusal_with(parameters=parameters(f"x: {{type: float, bounds: [0, 1], {own}}}"))
    (sentence,) = sentences(refusal)
    assert sentence.startswith(said)
    assert under_caret(refusal)[0].startswith(at)


def test_parameters_that_count_by_each_other_in_a_circle_are_refused() -> None:
    x, y = (f"{own}: {{type: float, bounds: [0, 1], when: {other} > 0.5}}" for own, other in ("xy", "yx"))
    assert sentences(refusal_with(parameters=parameters(x, y))) == [
        "expected no circle of parameters that count by each other, got x by y by x"
    ]


def test_no_outcome_says_when_a_parameter_counts() -> None:
    own = "x: {type: float, bounds: [0, 1], when: heat > 50}"
    refusal = refusal_with(
        parameters=parameters(own), outcomes="outcomes: heat", constraints="constraints: heat <= 80"
    )
    assert sentences(refusal) == ["expected the parameters `levels`, `a`, got `heat`"]


@pytest.mark.parametrize(
    ("when", "counts"), [("pumps >= 2", True), ("{pumps: 2}", True), ("pumps > 2", False)]
)
def test_what_it_counts_by_may_be_fixed_for_a_while(when: str, counts: bool) -> None:
    spec = spec_with(parameters=parameters("pumps: 2", f"x: {{type: float, bounds: [0, 1], when: {when}}}"))
    (point,) = build_space(spec).domain.sample(1, np.random.default_rng(0))
    assert ("x" in build_space(spec).decode(point)) == counts


def test_an_algorithm_that_makes_no_sense_of_them_is_refused_at_the_first() -> None:
    refusal = refusal_with(parameters=parameters(RESTART), algorithm="algorithm: dumbo")
    assert "expected an algorithm for parameters that do not always count (`auto`, `egp-ts`" in refusal
    assert under_caret(refusal)[0].startswith("when: {solver: gmres}")


def test_a_constraint_on_an_outcome_cannot_name_what_may_not_be_there() -> None:
    refusal = refusal_with(
        parameters=parameters(RESTART), outcomes="outcomes: heat", constraints="constraints: heat <= restart"
    )
    assert sentences(refusal) == ["expected parameters that always count beside an outcome, got `restart`"]


COMMAND = "evaluation: {command: [sim, '{solver}', '{levels}', '{a}', '{%s}']}"


def test_a_program_needs_a_value_for_where_a_parameter_that_it_is_given_does_not_count() -> None:
    refusal = refusal_with(parameters=parameters(RESTART), evaluation=COMMAND % "restart")
    assert sentences(refusal) == [
        "expected a value of `restart` for where it does not count, as `otherwise: 0` beside its `when`, to"
        " fill in `{restart}`"
    ]
    assert under_caret(refusal)[0].startswith("'{restart}'")
    assert spec_with(parameters=parameters(WEIGHT), evaluation=COMMAND % "weight").evaluation.command


def test_so_does_a_template_of_an_input_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.template").write_text("{solver} {levels} {a} {restart}\n")
    evaluation = "evaluation: {command: [sim], input: {templates: {in.dat: in.template}}}"
    (sentence,) = sentences(refusal_with(parameters=parameters(RESTART), evaluation=evaluation))
    assert sentence.endswith("to fill in `{restart}` in the template `in.template`")


def test_of_several_that_a_template_needs_at_one_place_it_is_said_in_the_same_order_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In no order of texts within a process, which is another one in each."""
    monkeypatch.chdir(tmp_path)
    own = [f"part_{letter}" for letter in "gbeacfd"]
    absent = (RESTART.replace("restart", name) for name in own)
    Path("in.template").write_text(f"{{solver}} {{levels}} {{a}} {' '.join(f'{{{name}}}' for name in own)}\n")
    evaluation = "evaluation: {command: [sim], input: {templates: {in.dat: in.template}}}"
    said = sentences(refusal_with(parameters=parameters(*absent), evaluation=evaluation))
    assert [sentence.split("`")[1] for sentence in said] == sorted(own)


@pytest.mark.parametrize(("told", "given"), [("5", "5.0"), ("off", "'off'")])
def test_what_a_real_number_is_otherwise_is_one_as_all_its_values_are(told: str, given: str) -> None:
    space = build_space(spec_with(parameters=parameters(WEIGHT.replace("1.5", told))))
    assert repr(space.given(space.counted({"solver": "cg", "levels": 1, "a": 0.5}))["weight"]) == given


def test_points_to_try_first_have_what_counts_and_may_leave_out_the_rest() -> None:
    initial = (
        "initial: {reference: {solver: gmres, levels: 1, a: 0.1},"
        " points: [{solver: cg, levels: 2, a: 0.5, weight: 1}]}"
    )
    refusal = refusal_with(parameters=parameters(RESTART, WEIGHT), initial=initial)
    assert sentences(refusal) == [
        "parameter `restart`: expected a value, but it is missing; it counts where `solver` is `gmres`"
    ]
    assert under_caret(refusal)[0].startswith("{solver: gmres")


@pytest.mark.parametrize("anything", ["1.5", "-1", "none", "true", "null", ""])
def test_what_they_have_where_a_parameter_does_not_count_is_not_looked_at(anything: str) -> None:
    initial = (
        f"initial: {{points: [{{solver: cg, levels: 1, a: 0.5, weight: {anything}, restart: {anything}}}],"
        f" results: [{{solver: cg, levels: 1, a: 0.5, weight: {anything}, drag: 3}}]}}"
    )
    spec = spec_with(parameters=parameters(RESTART, WEIGHT), initial=initial)
    assert first_points(spec) == ({"solver": "cg", "levels": 1, "a": 0.5},)
    assert [known.parameters for known in known_events(spec.initial.results, spec)] == [
        {"solver": "cg", "levels": 1, "a": 0.5}
    ]


def test_where_it_counts_a_value_that_is_none_of_its_own_is_refused_where_it_stands() -> None:
    initial = "initial: {points: [{solver: gmres, levels: 2, a: 0.5, restart: 0, weight: 1}]}"
    refusal = refusal_with(parameters=parameters(RESTART, WEIGHT), initial=initial)
    assert sentences(refusal) == ["parameter `restart`: expected a whole number in [5, 50], got 0"]
    assert under_caret(refusal)[0].startswith("0, weight: 1")


def test_of_what_counts_by_a_missing_value_nothing_is_said_for_nobody_knows_whether_it_does() -> None:
    fill = "fill: {type: float, bounds: [0, 1], when: restart >= 20}"
    initial = "initial: {reference: {solver: gmres, levels: 1, a: 0.5}}"
    (sentence,) = sentences(refusal_with(parameters=parameters(RESTART, fill), initial=initial))
    assert sentence.startswith("parameter `restart`: expected a value, but it is missing")


def test_a_table_of_known_results_may_have_there_what_a_program_was_given(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("solver,levels,a,restart,weight,drag\ncg,1,0.5,n/a,-3,3\n")
    lines = {"parameters": parameters(RESTART, WEIGHT), "initial": "initial: {results: known.csv}"}
    spec = spec_with(tmp_path, **lines)
    assert [known.parameters for known in known_events(spec.initial.results, spec)] == [
        {"solver": "cg", "levels": 1, "a": 0.5}
    ]
    (tmp_path / "known.csv").write_text("solver,levels,a,restart,weight,drag\ngmres,1,0.5,n/a,-3,3\n")
    refusal = refusal_with(tmp_path, **lines)
    assert "parameter `restart`: expected a whole number in [5, 50], got 'n/a'" in refusal
    assert under_caret(refusal)[0].startswith("n/a,-3,3")


def test_a_value_that_is_left_empty_is_missing_where_its_parameter_always_counts() -> None:
    refusal = refusal_with(initial="initial: {reference: {x: , n: 2}}")
    assert sentences(refusal) == ["expected a value for `x`, but it is missing"]
    fixed = parameters("coat: glossy")
    points = "initial: {points: [{solver: cg, levels: 1, a: 0.5, coat: null}]}"
    assert spec_with(parameters=fixed, initial=points).initial.points[0]["coat"] == "glossy"


def test_a_table_of_known_results_has_empty_cells_where_a_parameter_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("solver,levels,a,restart,drag\ncg,1,0.5,,3\ngmres,2,0.5,20,2\n")
    lines = {"parameters": parameters(RESTART, WEIGHT), "initial": "initial: {results: known.csv}"}
    (sentence,) = refusal_with(tmp_path, **lines).splitlines()[:1]
    assert sentence.endswith("`weight`: expected a value, but it is missing; it counts where `levels >= 2`")
    (tmp_path / "known.csv").write_text(
        "solver,levels,a,restart,weight,drag\ncg,1,0.5,,,3\ngmres,2,0.5,20,1,2\n"
    )
    spec = spec_with(tmp_path, **lines)
    assert [set(result.parameters) for result in spec.initial.results] == [
        {"solver", "levels", "a"},
        {"solver", "levels", "a", "restart", "weight"},
    ]


def test_a_result_that_is_added_later_may_leave_out_what_does_not_count() -> None:
    spec = spec_with(parameters=parameters(RESTART))
    written = ["solver=cg,levels=1,a=0.2,value=3", "solver=cg,levels=1,a=0.2,restart=,value=3"]
    results, _ = read_added_results(spec, [], written)
    assert [one.parameters for one in results] == [{"solver": "cg", "levels": 1, "a": 0.2}] * 2
    with pytest.raises(SpecError, match="`restart`: expected a value, but it is missing; it counts where"):
        read_added_results(spec, [], ["solver=gmres,levels=1,a=0.2,value=3"])


def test_bounds_that_leave_no_value_that_it_counts_by_are_amended_all_the_same() -> None:
    spec = spec_with(parameters=parameters("x: {type: float, bounds: [0, 1], when: {levels: [3, 4]}}"))
    space = build_space(with_bounds(spec, {"levels": (1, 2)}))
    sampled = space.domain.sample(20, np.random.default_rng(0))
    assert {len(space.decode(point)) for point in sampled} == {3}


def remarks_on(*own: str) -> list[str]:
    text = text_with(parameters=parameters(*own))
    return [
        remark.splitlines()[0].split(": ", 1)[1]
        for remark in load_spec_text(text, "wing.yaml", Path()).remarks
    ]


def test_it_is_said_of_a_parameter_that_it_never_counts_or_always_does() -> None:
    never = "x: {type: float, bounds: [0, 1], when: {coat: matt}}"
    fixed = "coat: glossy"
    assert remarks_on(RESTART, fixed, never) == [
        "`x` has no effect: nowhere, as far as was looked, is it so that `coat` is `matt`"
    ]
    always = "x: {type: float, bounds: [0, 1], when: a < levels}"
    assert remarks_on(RESTART, always) == [
        "`when` has no effect: everywhere, as far as was looked, it is so that `a < levels`"
    ]


def test_the_spec_of_a_run_is_read_again_wherever_it_is() -> None:
    text = text_with(
        parameters=parameters(RESTART), initial="initial: {points: [{solver: cg, levels: 2, a: 0.5}]}"
    )
    assert load_spec_text(text, "wing.yaml", None).spec.initial.points == [
        {"solver": "cg", "levels": 2, "a": 0.5}
    ]


@pytest.mark.parametrize(
    ("values", "when", "said"),
    [
        (
            "['1', '2']",
            "{own: 1}",
            "expected `1` or `2` for `own`, got `1`; the values are text: put it in quotes",
        ),
        ("['1.9', '1.10']", "{own: 1.10}", "got `1.1`; the values are text: put it in quotes"),
        ("[1, 2]", "{own: '1'}", "expected `1` or `2` for `own`, got `1`; it is text: leave out its quotes"),
        ("[true, 2]", "{own: 'true'}", "got `true`; it is text: leave out its quotes"),
        (
            "[a, b]",
            "{levels: '3'}",
            "a whole number in [1, 4] for `levels`, got `3`; it is text: leave out its quotes",
        ),
        ("[a, b]", "{levels: '7'}", "expected a whole number in [1, 4] for `levels`, got `7`"),
        ("['1', '2']", "{own: 3}", "expected `1` or `2` for `own`, got `3`"),
        ("[1, 2]", "{own: one}", "expected `1` or `2` for `own`, got `one`"),
    ],
)
def test_text_that_looks_like_a_number_is_told_from_the_number(values: str, when: str, said: str) -> None:
    own = f"own: {{type: choice, values: {values}}}, x: {{type: float, bounds: [0, 1], when: {when}}}"
    (sentence,) = sentences(refusal_with(parameters=parameters(own)))
    assert sentence.endswith(said)
