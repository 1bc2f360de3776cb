"""What is wrong in one place hides nothing of what is wrong in others, and each mistake is told once."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, under_caret

WRONG = """\
  x: {type: float, bonds: [0, 1]}
  n: {type: int, bounds: [1, 9]}
  kind: {type: choice, values: [a, b]}"""


FLOAT, INT = "{type: float, bounds: [0, 1]}", "{type: int, bounds: [1, 9]}"


def told(parameters: str, **more: str) -> list[str]:
    """All but that ``bonds`` is no key."""
    first, *others = sentences(refusal_with(parameters=f"parameters:\n{parameters}", **more))
    assert "got `bonds`" in first
    return others


def test_beside_a_parameter_that_is_wrong_constraints_are_read() -> None:
    constraints = "constraints: [x + n <= 3, n <= nn, 'n <= 3, x', n < 3 and x < 2, \"kind != 'c' or n < 3\"]"
    names, no_list, several, values = told(WRONG, constraints=constraints)
    assert "got `nn` (did you mean `n`?)" in names
    assert "got `n <= 3, x`" in no_list
    assert "constraint of its own" in several
    assert "`a` or `b` for `kind`, got `c`" in values


def test_nothing_is_made_of_what_the_wrong_one_would_be() -> None:
    wrong = "  k: {type: choice, values: [u, v], bonds: 3}\n  x: {type: float, bounds: [0, 1]}"
    more = (
        "\n  y: {type: float, bounds: [0, 1], when: {k: u}}\n  z: {type: float, bounds: [0, 1], when: k > 3}"
    )
    sums = "\n  s: {type: computed, value: k + x}"
    constraints = "constraints: [\"k == 'u' or x < 0.5\", k < 3]"
    assert told(wrong + more + sums, constraints=constraints) == []


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("{type: computed, value: x + nn}", "got `nn` (did you mean `n`?)"),
        ("{type: float, bounds: [0, 1], when: {kind: c}}", "expected `a` or `b` for `kind`, got `c`"),
        ("{type: float, bounds: [0, 1], when: nn > 3}", "got `nn` (did you mean `n`?)"),
    ],
)
def test_beside_it_formulas_and_conditions_are_read(parameter: str, said: str) -> None:
    (sentence,) = told(f"{WRONG}\n  more: {parameter}")
    assert said in sentence


@pytest.mark.parametrize(
    "described",
    [
        "values: {water: {polarity: 10}, oil: {polarity: low}}",
        "values: [water, oil], described: no such file.csv",
    ],
)
def test_values_whose_description_is_wrong_are_those_that_they_are(described: str) -> None:
    found = sentences(
        refusal_with(
            parameters=f"parameters: {{x: {FLOAT}, n: {INT}, solvent: {{type: choice, {described}}}}}",
            constraints="constraints: [\"solvent != 'oil' or x < 0.5\", \"solvent != 'fat' or x < 0.5\"]",
            initial="initial: {points: [{x: 0.5, n: 3, solvent: oil}]}",
        )
    )
    assert len(found) == 2, found
    assert "expected `water` or `oil` for `solvent`, got `fat`" in found[1]


def test_so_are_those_that_a_table_names_which_is_wrong() -> None:
    table = 'described: "solvent,polarity\\nwater,10\\noil,low\\n"'
    refusal = refusal_with(
        parameters=f"parameters: {{x: {FLOAT}, n: {INT}, solvent: {{type: choice, {table}}}}}",
        constraints="constraints: [\"solvent != 'oil' or x < 0.5\", \"solvent != 'fat' or x < 0.5\"]",
        initial="initial: {points: [{x: 0.5, n: 3, solvent: oil}]}",
    )
    assert sentences(refusal) == ["expected `water` or `oil` for `solvent`, got `fat`"]
    assert "expected a finite number as `polarity` of `oil`, got `low`" in refusal


def test_a_name_that_is_misspelt_in_a_command_is_not_missed_as_well() -> None:
    evaluation = "evaluation: {command: [./wing, '{x}', '{nn}']}"
    (sentence,) = sentences(refusal_with(evaluation=evaluation))
    assert "got `{nn}` (did you mean `n`?)" in sentence


def test_of_an_objective_that_is_wrong_no_pattern_is_asked_for() -> None:
    output = "output: {patterns: {lift: 'lift (.*)'}}"
    sentence, *more = sentences(
        refusal_with(
            objective="objective: {goal: minimise, fit: {lift: {value: 3, error: 0}}}",
            evaluation=f"evaluation: {{command: [./wing, '{{x}}', '{{n}}'], {output}}}",
        )
    )
    assert "expected an error above 0" in sentence
    assert not more


def test_what_follows_of_a_constraint_that_was_cut_at_its_commas_is_not_read() -> None:
    (sentence,) = sentences(refusal_with(constraints="constraints: [max(x, 2 * n, x) <= 1, x + n <= 3]"))
    assert "put what has a comma in quotes" in sentence


def test_one_whose_brackets_nothing_closes_hides_no_other() -> None:
    for first in ("'(x + n <= 3'", "\"n <= 3 or kind != 'a('\""):
        _, second = sentences(refusal_with(constraints=f"constraints: [{first}, nn < 3]"))
        assert "got `nn`" in second


@pytest.mark.parametrize("parameters", ["parameters: [x, n]", "parameters:"])
def test_where_parameters_are_no_mapping_nothing_is_asked_of_constraints(parameters: str) -> None:
    (sentence,) = sentences(refusal_with(parameters=parameters, constraints="constraints: [x < 3]"))
    assert sentence.startswith("expected a mapping")


def test_a_share_that_is_none_is_shown_as_it_came() -> None:
    wind = "wind: {type: float, bounds: [0, 9], in_use: evenly}"
    (sentence,) = sentences(
        refusal_with(
            parameters=f"parameters: {{x: {{type: float, bounds: [0, 1]}}, {wind}}}",
            objective="objective: {goal: minimise, over: {worst: 10%}}",
            algorithm="algorithm: auto",
        )
    )
    assert sentence.endswith("such as 0.1, got `{worst: 10%}`")


def test_the_name_of_an_objective_that_is_wrong_may_be_in_constraints() -> None:
    found = sentences(
        refusal_with(
            objective="objectives: [drag, lift]", constraints="constraints: [drag < 3, lift > 1, heat < 3]"
        )
    )
    assert len(found) == 3
    assert "got `heat`" in found[2]


def test_what_is_missing_where_it_belongs_and_stands_elsewhere_is_said_where_it_stands() -> None:
    objective = "objective: {goal: minimise, budget: 30, evaluator: person}"
    found = sentences(refusal_with(objective=objective, budget=None, evaluation=None))
    assert [sentence.rpartition("which ")[2] for sentence in found] == [
        "stands at the top of a spec, in no section: write it there",
        "is a key of `evaluation`: write it there",
    ]


@pytest.mark.parametrize(
    ("parameter", "instead"),
    [
        ("[0 daN, 5 daN]", "is it `{type: float, bounds: [0, 5], unit: daN}`?"),
        ("{type: float, bounds: [900, 1100 hPa]}", "is it `bounds: [900, 1100], unit: hPa`?"),
        ("{type: float, bounds: [5 kg, 1 kg]}", "is it `bounds: [1, 5], unit: kg`?"),
        ("{type: float, bounds: [5 mm, 1 cm]}", "got [5 mm, 1 cm]"),
    ],
)
def test_bounds_with_a_unit_are_told_where_that_stands(parameter: str, instead: str) -> None:
    (sentence,) = sentences(
        refusal_with(parameters=f"parameters:\n  x: {parameter}\n  n: {{type: int, bounds: [1, 9]}}")
    )
    assert sentence.endswith(instead)


def test_a_text_without_quotes_in_an_equality_is_told_of_them() -> None:
    parameters = "parameters: {n: {type: int, bounds: [1, 9]}, kind: {type: choice, values: [fine, rough]}}"
    found = sentences(
        refusal_with(
            parameters=parameters,
            constraints="constraints: [kind == fine]",
            evaluation="evaluation: {evaluator: person}",
        )
    )
    assert [one for one in found if "got `fine`; a value that is text is put in quotes" in one]


def test_an_equality_that_is_wrong_is_shown_where_it_stands() -> None:
    refusal = refusal_with(
        parameters="parameters: {x: {type: float, bounds: [0, 1]}, y: {type: float, bounds: [0, 1]}}",
        constraints="constraints: [x + y == 1, x + q == 1]",
    )
    assert under_caret(refusal)[0] == "q == 1]"


def test_of_several_wrong_equalities_each_is_told_where_it_stands() -> None:
    refusal = refusal_with(
        parameters=f"parameters: {{x: {FLOAT}, y: {FLOAT}, z: {FLOAT}, n: {INT}}}",
        constraints="constraints: [x + y == 1, x * z == 1, x + q == 1, 2*x + 2*y == 2, n == 3 * n, x < zz]",
    )
    assert under_caret(refusal) == [
        "x * z == 1, x + q == 1, 2*x + 2*y == 2, n == 3 * n, x < zz]",
        "q == 1, 2*x + 2*y == 2, n == 3 * n, x < zz]",
        "2*x + 2*y == 2, n == 3 * n, x < zz]",
        "n == 3 * n, x < zz]",
        "zz]",
    ]


@pytest.mark.parametrize("wrong", ["{type: float, bonds: [0, 1]}", "{type: float, bounds: [1, 0]}", "[0, 1]"])
def test_nothing_is_asked_of_an_equality_of_a_parameter_that_is_wrong_itself(wrong: str) -> None:
    refusal = refusal_with(
        parameters=f"parameters: {{x: {wrong}, y: {FLOAT}, n: {INT}}}",
        constraints="constraints: [x + n == 1, x + q == 1, n + y * y == 1]",
    )
    found = sentences(refusal)
    assert len(found) == 3, found
    assert "got `q`" in found[1]
    assert "linear" in found[2]


def test_of_several_wrong_formulas_each_is_told() -> None:
    formulas = {"a": "x + q", "b": "x *", "c": "c + x", "d": "e + x", "e": "d + x", "f": "'2'", "g": "a + x"}
    computed = ", ".join(f"{name}: {{type: computed, value: {text}}}" for name, text in formulas.items())
    found = sentences(refusal_with(parameters=f"parameters: {{x: {FLOAT}, n: {INT}, {computed}}}"))
    told = ["got `q`", "cannot be read", "got `c` itself", "got d from e from d", "that vary, got none"]
    assert [word for word, sentence in zip(told, found, strict=True) if word in sentence] == told


def test_a_condition_that_is_wrong_hides_no_other() -> None:
    conditions = {"a": "q > 3", "b": "c > 0.1", "c": "b > 0.1", "d": "x > 0.1", "e": "sum > 1"}
    more = "".join(
        f", {name}: {{type: float, bounds: [0, 1], when: {text}}}" for name, text in conditions.items()
    )
    found = sentences(
        refusal_with(
            parameters=f"parameters: {{x: {FLOAT}, n: {INT}, sum: {{type: computed, value: d + x}}{more}}}",
            outcomes="outcomes: [heat]",
            constraints="constraints: [heat < d]",
        )
    )
    told = ["got `q`", "got b by c by b", "computed from `d`", "always count beside an outcome, got `d`"]
    assert [word for word, sentence in zip(told, found, strict=True) if word in sentence] == told


def test_beside_a_wrong_parameter_names_of_none_are_told_wherever_they_stand() -> None:
    more = {
        "held": "held: {m: 3}",
        "clock": "clock: nn",
        "initial": "initial: {points: [{x: 0.2, nnn: 3}], reference: {n: 3, kindd: a}}",
        "fidelity": "fidelity: {parameter: no, cost: n}",
    }
    found = [
        one for one in told(WRONG, algorithm="algorithm: auto", **more) if "expected a parameter (" in one
    ]
    assert [
        name for name in ("m", "nn", "nnn", "kindd", "no") if any(f"got `{name}`" in one for one in found)
    ] == ["m", "nn", "nnn", "kindd", "no"]
    assert len(found) == 5


def test_of_a_clock_that_is_none_nothing_follows_for_points() -> None:
    found = sentences(
        refusal_with(
            clock="clock: day", algorithm="algorithm: auto", initial="initial: {points: [{x: 0.5, n: 3}]}"
        )
    )
    assert len(found) == 1
    assert "got `day`" in found[0]


@pytest.mark.parametrize(
    "line",
    [
        {"objective": "objetives: {drag: minimise, mass: minimise}"},
        {"evaluation": "evaluation: {comand: [./wing, '{x}']}"},
    ],
)
def test_a_slip_in_one_of_two_keys_is_not_told_as_the_other_one_missing(line: dict[str, str]) -> None:
    (sentence,) = sentences(refusal_with(**line))
    assert "did you mean" in sentence
