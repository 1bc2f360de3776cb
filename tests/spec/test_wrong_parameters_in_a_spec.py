"""What a person is told who described parameters or factors wrongly."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, under_caret

KINDS = "expected `float`, `int`, `choice`, `ordered`, `fixed` or `computed`, got"


@pytest.mark.parametrize(
    ("parameter", "said", "at"),
    [
        (
            "{type: float, bounds: [1, 0]}",
            "expected [low, high] with low below high, got [1, 0]; swap them",
            "[1, 0]}",
        ),
        (
            "{type: float, bounds: [1, 1]}",
            "expected [low, high] with low below high, got [1, 1]; a constant is `type: fixed`",
            "[1, 1]}",
        ),
        (
            "{type: float, bounds: [0, 1, 2]}",
            "expected two finite numbers, [low, high], got [0, 1, 2]",
            "[0, 1, 2]}",
        ),
        (
            "{type: float, bounds: [0, .inf]}",
            "expected two finite numbers, [low, high], got [0, inf]",
            "[0, .inf]}",
        ),
        (
            "{type: float, bounds: ['0', \"1\"]}",
            'expected two finite numbers, [low, high], got ["0", "1"]; it is text: leave out its quotes',
            "['0', \"1\"]}",
        ),
        (
            "{type: float, bounds: ['1e-5', 1]}",
            'expected two finite numbers, [low, high], got ["1e-5", 1]; it is text: leave out its quotes',
            "['1e-5', 1]}",
        ),
        ("{type: float, bounds: [0, 1], scale: log}", "a log scale needs bounds above 0, got [0, 1]", "log}"),
        (
            "{type: float, bounds: [0, 1], scale: logarithmic}",
            "expected `linear` or `log`, got `logarithmic` (did you mean `log`?)",
            "logarithmic}",
        ),
        (
            "{type: int, bounds: [1, 2.5]}",
            "expected whole numbers as the bounds of an int, got 2.5; `type: float` takes others",
            "[1, 2.5]}",
        ),
        (
            "{type: int, bounds: [0, 9007199254740994]}",
            "expected whole numbers of at most 2^53, got 9007199254740994",
            "[0, 9007199254740994]}",
        ),
        (
            "{type: choice, values: [a]}",
            "expected at least two values to choose from, got 1; one is `type: fixed`",
            "[a]}",
        ),
        ("{type: choice, values: [1, a, 1.0]}", "expected each value once, got 1 again", "[1, a, 1.0]}"),
        (
            "{type: choice, values: [a, [b]]}",
            "expected text, a finite number, true or false, got [b]",
            "[b]]}",
        ),
        (
            "{type: choice, values: [null, a]}",
            "expected text, a finite number, true or false, got nothing; give what is none a name, as `none`",
            "null, a]}",
        ),
        (
            "{type: integer, bounds: [1, 2]}",
            f"{KINDS} `integer` (here that is `type: int`)",
            "integer, bounds: [1, 2]}",
        ),
        (
            "{type: categorical, values: [a, b]}",
            f"{KINDS} `categorical` (here that is `type: choice`)",
            "categorical, values: [a, b]}",
        ),
        (
            "{type: bool}",
            f"{KINDS} `bool` (here that is `{{type: choice, values: [false, true]}}`)",
            "bool}",
        ),
        (
            "{bounds: [1, 2]}",
            "expected `type: float`, `int`, `choice`, `ordered`, `fixed` or `computed`, but `type` is",
            "n: {bounds: [1, 2]}",
        ),
        (
            "{type: float, bonds: [1, 2]}",
            "expected one of the keys `type`, `bounds`, `scale`, `step`, `travel`, `change`, `tolerance`,"
            " `in_use`, `prior`, `promising`, `unit`, `when`, `otherwise`, `least` or `periodic`, got `bonds`"
            " (did you mean `bounds`?)",
            "bonds: [1, 2]}",
        ),
        (
            "float",
            "expected more than a type, as {type: float, bounds: [low, high]}, got `float`; a constant of"
            " that name is {type: fixed, value: float}",
            "float",
        ),
        (
            "[0, 1]",
            "expected {type: float, bounds: [low, high]} or alike, or a value to fix it at, got a list",
            "[0, 1]",
        ),
        *(
            (
                told,
                "expected {type: float, bounds: [low, high]} or alike, or a value to fix it at, got a list"
                + meant,
                told,
            )
            for told, meant in (
                ("[5, 1]", "; is it `{type: int, bounds: [1, 5]}`?"),
                ("[a, b, a]", "; is it `{type: choice, values: [a, b]}`?"),
                ("[2, 2.0]", ""),
                ("[.nan, 1]", ""),
            )
        ),
        (
            "",
            "expected {type: float, bounds: [low, high]} or alike, or a value to fix it at, got nothing",
            " ",
        ),
        (
            "{type: float, bounds: [1.0e+15, 1000000000000001]}",
            "parameter `n`: bounds [1000000000000000.0, 1000000000000001",
            "n: {type: float, bounds: [1.0e+15, 1000000000000001]}",
        ),
    ],
)
def test_a_wrong_parameter(parameter: str, said: str, at: str) -> None:
    refusal = refusal_with(parameters=f"parameters:\n  x: {{type: float, bounds: [0, 1]}}\n  n: {parameter}")
    assert [s[: len(said)] for s in sentences(refusal)] == [said]
    assert under_caret(refusal) == [at]


@pytest.mark.parametrize(
    ("factors", "said", "at"),
    [
        (
            "[[x, nn]]",
            [
                "expected every parameter in some factor, but none has `n`",
                "expected a parameter (`x` or `n`), got `nn` (did you mean `n`?)",
            ],
            ["factors: [[x, nn]]", "nn]]"],
        ),
        ("[[x]]", ["expected every parameter in some factor, but none has `n`"], ["factors: [[x]]"]),
        (
            "[[]]",
            [
                "expected every parameter in some factor, but none has `x` or `n`",
                "expected at least one parameter that varies in a factor, got none",
            ],
            ["factors: [[]]", "[]]"],
        ),
        ("[[x, n, x]]", ["expected each parameter once in a factor, got `x` again"], ["x]]"]),
        ("[[x, n], []]", ["expected at least one parameter that varies in a factor, got none"], ["[]]"]),
        (
            "[[x, n], [c]]",
            ["expected at least one parameter that varies in a factor, got only fixed ones"],
            ["[c]]"],
        ),
        ("3", ["expected a list of groups of parameters, as `[[a, b], [c]]`, got 3"], ["3"]),
        (
            "[x, n]",
            [
                "expected a group of parameters, in brackets of its own, got `x`",
                "expected a group of parameters, in brackets of its own, got `n`",
            ],
            ["x, n]", "n]"],
        ),
    ],
)
def test_wrong_factors(factors: str, said: list[str], at: list[str]) -> None:
    refusal = refusal_with(fixed="fixed: {c: 3}", factors=f"factors: {factors}")
    assert sentences(refusal) == said
    assert under_caret(refusal) == at


def test_all_parameters_fixed_leaves_nothing_to_optimise() -> None:
    refusal = refusal_with(parameters="parameters: {x: 3}")
    assert sentences(refusal) == ["expected at least one parameter that is not fixed, got none"]


def test_a_parameter_both_varied_and_fixed_is_refused() -> None:
    refusal = refusal_with(fixed="fixed: {x: 3}")
    assert sentences(refusal) == ["expected `x` once, got it under `parameters` as well; remove one"]
    assert under_caret(refusal) == ["x: 3}"]


def test_a_list_in_the_place_of_a_parameter_is_the_one_thing_that_is_wrong() -> None:
    refusal = refusal_with(
        parameters="parameters: {kind: [adam, sgd], x: {type: float, bounds: [0, 1], when: {kind: sgd}}}",
        initial="initial: {points: [{kind: adam}], results: [{kind: sgd, x: 0.3, value: 2}]}",
    )
    (said,) = sentences(refusal)
    assert said.endswith("; is it `{type: choice, values: [adam, sgd]}`?")


def test_nor_is_it_held_to_be_of_whole_numbers_only_because_its_bounds_are() -> None:
    refusal = refusal_with(
        parameters="parameters: {x: [0, 1], y: [0, 1]}",
        initial="initial: {points: [{x: 0.5, y: 0.5}]}",
        constraints="constraints: [x + y == 1]",
    )
    assert [said.partition("; is it ")[2] for said in sentences(refusal)] == [
        "`{type: int, bounds: [0, 1]}`?"
    ] * 2
