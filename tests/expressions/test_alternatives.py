"""What must hold for some values of a choice alone: how it is read, and what is answered to other ways of
writing it.
"""

from __future__ import annotations

import pickle

import pytest

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, Nameable
from orchestrator.expressions.equalities import Equality
from orchestrator.expressions.one_of import Parent

NAMES = Nameable(
    ("size", "x", "levels"),
    ("depth",),
    {"solver": "has the values direct, cg, gmres", "fast": "has the values true, false"},
    ("heat",),
    reference=True,
    parents={
        "solver": Parent("choice", ("direct", "cg", "gmres")),
        "fast": Parent("choice", (True, False)),
        "levels": Parent("choice", (1, 2, 4)),
        "size": Parent("int", bounds=(1, 9000)),
        "x": Parent("float", bounds=(0.0, 1.0)),
        "depth": Parent("fixed", (3,)),
    },
)


@pytest.mark.parametrize(
    ("text", "values", "numbers"),
    [
        ('solver != "direct" or size <= 2000', [("solver", ("direct",), True)], ["size"]),
        ("'cg' == solver or size <= 2000 or x < 0.5", [("solver", ("cg",), False)], ["size", "x"]),
        ('(fast == true or solver not in ("cg", "gmres"))', [("fast", (True,), False)], []),
        ("levels in [1, 2] or 0.1 < x <= 0.3", [("levels", (1, 2), False)], ["x"]),
        ('solver in ("cg") or levels not in (2)', [("solver", ("cg",), False), ("levels", (2,), True)], []),
        ("`solver` != 'a `lambda` or b' or x <= 1", [("solver", ("a `lambda` or b",), True)], ["x"]),
        ("levels != -2 or x <= 1", [("levels", (-2,), True)], ["x"]),
        ('solver != "direct"', [("solver", ("direct",), True)], []),
        ("levels <= 2 or x <= 0.5", [], ["levels", "x"]),
    ],
)
def test_it_is_read_as_python_would_have_it(
    text: str, values: list[tuple[str, tuple[object, ...], bool]], numbers: list[str]
) -> None:
    constraint = Constraint.of(f"{text} ")
    told = [(one.one_of.parent, one.one_of.values, one.denied) for one in constraint.values]
    assert told[: len(values)] == values
    assert [name.name for name in constraint.numbers] == numbers
    assert (constraint.text, constraint.kept) == (text, None)
    assert pickle.loads(pickle.dumps(constraint)) == constraint
    assert Equality.of(text) is None


@pytest.mark.parametrize(
    ("text", "said", "at"),
    [
        ('solver != "dirct" or size <= 9', "for `solver`, got `dirct` (did you mean `direct`?)", '"dirct"'),
        (
            'solver in ("cg", "gm") or x < 1',
            "expected `direct`, `cg` or `gmres` for `solver`, got `gm`",
            '"gm"',
        ),
        ('solvr != "cg" or size <= 9', "got `solvr` (did you mean `solver`?)", "solvr"),
        ("solver == 3 or size <= 9", "for `solver`, got `3`", "3 or"),
        ("solver <= 3 or size <= 9", "parameters that are numbers, got `solver`, which has", "solver"),
        ('solver == "cg" or size <= fast', "parameters that are numbers, got `fast`", "fast"),
        ("x == 0.5 or size <= 9", "expected an inequality, as `x >= 0.5`, for `x` is a float", "x =="),
        ("size != 9001 or x <= 0.5", "expected a whole number in [1, 9000] for `size`, got `9001`", "9001"),
        ('levels == "2" or x <= 0.5', "it is text: leave out its quotes", '"2"'),
        ("solver != direct or x <= 0.5", "a value that is text is put in quotes", "solver"),
        ("x <= 0.5 or not solver == 'cg'", "the opposite of `==` is `!=`", "not"),
        ("solver == 'cg' or x <= 0.5 and size < 9", "`a or b and c` holds are two constraints", "x <="),
        ("solver == 'cg' or fast", "or that a parameter has a value, as in `solver", "fast"),
        ("solver == 'cg' or count(x, size) <= 1", "expected no `count` beside `or`", "count"),
        (
            "solver == 'cg' or heat <= 80",
            "parameters alone beside `or`, got `heat`, which is known only",
            "heat",
        ),
        ("solver == 'cg' or reference(heat) <= x", "alone beside `or`, got `reference(heat)`", "reference"),
        ("heat == 3 or x <= 0.5", "parameters alone beside `or`, got `heat`", "heat"),
        ("depth == 2 or depth == 3", "at least one parameter that varies, got only fixed ones", "depth"),
        ("solver == 'cg'", "`{type: fixed, value: cg}`, or `held: {solver: cg}` for a while", "solver"),
        ("solver != 'a`\\x`' or x < 1", "a value that is text is put in quotes", "solver"),
        ("x != size", "expected <, <=, > or >= between two sides, got `x != size`", "size"),
    ],
)
def test_what_is_wrong_with_it_is_said_where_it_stands(text: str, said: str, at: str) -> None:
    with pytest.raises(ArithmeticMistake) as caught:
        NAMES.read(text)
    assert said in str(caught.value)
    assert text[caught.value.offset :].startswith(at)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ('size <= 2000 if solver == "direct"', '`solver != "direct" or size <= 2000`'),
        ("size <= 2000 if solver in ('cg', 'is if')", "`solver not in ('cg', 'is if') or size <= 2000`"),
        ("x < 1 if levels not in (1, 2) else True", "`levels in (1, 2) or x < 1`"),
        ("x < 1 if size > 9 else x < 2", "`size <= 9 or x < 1` and `size > 9 or x < 2`"),
        ('x < 1 if fast and solver == "cg"', 'it as in `solver != "direct" or size <= 2000`'),
    ],
)
def test_what_is_written_by_if_is_answered_by_what_to_write(text: str, instead: str) -> None:
    with pytest.raises(ArithmeticMistake) as caught:
        Constraint.of(text)
    assert str(caught.value).endswith(f"; write {instead}")
    assert text[caught.value.offset :].startswith("if ")
    for part in instead.split("`")[1::2]:
        assert Constraint.of(part).unless


def test_where_one_inequality_is_wanted_no_choice_is_taken() -> None:
    said = "expected one inequality, got `x < 1 or size < 9`; one thing or another is for constraints between"
    with pytest.raises(ArithmeticMistake, match=said):
        NAMES.of_known("x < 1 or size < 9")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("text", [r"solver != 'c\g' or size <= 20", "size <= 20or solver != 'cg'"])
def test_what_python_would_warn_of_in_its_own_text_is_none_of_it_here(text: str) -> None:
    assert Constraint.of(text).unless
