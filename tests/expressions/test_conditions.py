"""When a parameter counts: read from what people write, with what is wrong about it said in a sentence."""

import pytest

from orchestrator.expressions.conditions import (
    Condition,
    Holds,
    circles,
    mistakes,
    otherwise,
    parents_first,
    terms_of,
)
from orchestrator.expressions.constraints import Nameable
from orchestrator.expressions.one_of import Mistake, OneOf, Parent

PARENTS = {
    "solver": Parent("choice", ("cg", "gmres")),
    "layers": Parent("int", bounds=(1, 4)),
    "rate": Parent("float", bounds=(0.0, 1.0)),
    "coat": Parent("fixed", ("matt",)),
    "own": Parent("float", bounds=(0.0, 1.0)),
}
NAMES = Nameable(("layers", "rate", "own"), (), {"solver": "has the values cg, gmres"})
ANOTHER = "expected another parameter (`solver`, `layers`, `rate` or `coat`)"


def counting(**told: object) -> dict[str, Condition]:
    return {name: Condition(terms_of(when)) for name, when in told.items()}


@pytest.mark.parametrize(
    ("told", "terms"),
    [
        ({"solver": "cg"}, (OneOf("solver", ("cg",)),)),
        ({"solver": ["cg", "gmres"], "layers": 2}, (OneOf("solver", ("cg", "gmres")), OneOf("layers", (2,)))),
        (" layers >= 2 ", (Holds("layers >= 2"),)),
        (["layers >= 2", {"solver": "cg"}], (Holds("layers >= 2"), OneOf("solver", ("cg",)))),
    ],
)
def test_values_inequalities_and_lists_of_both_are_read(told: object, terms: tuple) -> None:
    assert terms_of(told) == terms


@pytest.mark.parametrize(
    "told", [{}, [], 7, None, {"solver": []}, {"solver": None}, {"solver": {"a": 1}}, [[]]]
)
def test_anything_else_is_refused_with_what_was_expected(told: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        terms_of(told)


def test_people_read_it_as_a_phrase() -> None:
    condition = Condition(terms_of([{"solver": ["cg", "gmres"]}, "layers >= 2"]))
    assert condition.words == "`solver` is `cg` or `gmres` and `layers >= 2`"
    assert condition.parents == ("solver", "layers")


@pytest.mark.parametrize(
    ("when", "mistake"),
    [
        ({"solvr": "cg"}, Mistake(f"{ANOTHER}, got `solvr` (did you mean `solver`?)")),
        ({"own": 1}, Mistake(f"{ANOTHER}, got itself")),
        ({"solver": ["cg", "gmrs"]}, Mistake("expected `cg` or `gmres` for `solver`, got `gmrs`"
                                             " (did you mean `gmres`?)", value=1)),
        ({"layers": 5}, Mistake("expected a whole number in [1, 4] for `layers`, got `5`", value=0)),
        ({"layers": [1, 2.5]}, Mistake("expected a whole number in [1, 4] for `layers`, got `2.5`", value=1)),
        ({"layers": True}, Mistake("expected a whole number in [1, 4] for `layers`, got `true`", value=0)),
        ({"rate": 0.5}, Mistake("expected an inequality, as `rate >= 0.5`, for `rate` is a float")),
        ("own > 0.5", Mistake("expected other parameters, got itself")),
    ],
)  # fmt: skip
def test_a_mistake_says_what_was_expected_and_what_came(when: object, mistake: Mistake) -> None:
    (term,) = terms_of(when)
    assert list(mistakes("own", term, PARENTS, NAMES)) == [mistake]


@pytest.mark.parametrize(
    "when", ["layers == 2", "layers = 2", "solver == cg", "layers != rate", "layers <> rate"]
)
def test_an_equality_is_answered_by_how_a_condition_says_it(when: str) -> None:
    (mistake,) = mistakes("own", Holds(when), PARENTS, NAMES)
    assert mistake.sentence.endswith("; that a parameter has a value is written as `{layers: 2}`")


@pytest.mark.parametrize(
    ("when", "instead"),
    [
        ('solver == "cg"', "{solver: cg}"),
        ('"cg" == solver', "{solver: cg}"),
        ('solver in ("cg", "gmres")', "{solver: [cg, gmres]}"),
        ('solver != "cg"', "{solver: gmres}"),
        ('solver not in ("cg",)', "{solver: gmres}"),
        ("layers in (2, 3)", "{layers: [2, 3]}"),
        ("layers != 2", "{layers: [1, 3, 4]}"),
        ("coat != 'glossy'", "{layers: 2}"),
    ],
)
def test_values_named_as_a_constraint_names_them_are_answered_by_how_a_condition_does(
    when: str, instead: str
) -> None:
    for sign in ("!=", "<>", "≠"):
        (mistake,) = mistakes("own", Holds(when.replace("!=", sign)), PARENTS, NAMES)
        assert mistake.sentence.endswith(f"is written as `{instead}`")
    (mistake,) = mistakes("own", Holds(when), PARENTS, NAMES)
    assert mistake.sentence == (
        f"expected an inequality, got `{when}`; that a parameter has a value is written as `{instead}`"
    )
    assert when[mistake.offset :].startswith(("solver", "layers", "coat"))


def test_of_what_is_no_other_parameter_no_value_is_named() -> None:
    for when, came in [("solvr != 'cg'", "`solvr` (did you mean `solver`?)"), ("own == 'cg'", "itself")]:
        assert list(mistakes("own", Holds(when), PARENTS, NAMES)) == [Mistake(f"{ANOTHER}, got {came}")]


@pytest.mark.parametrize("when", ["layers >= 2 and rate < 0.5", "layers >= 2 && rate < 0.5"])
def test_several_in_one_text_are_answered_by_the_list_of_them(when: str) -> None:
    (mistake,) = mistakes("own", Holds(when), PARENTS, NAMES)
    assert mistake.sentence.endswith("; several that must all hold are a list, as `[a > 1, b < 2]`")


def test_an_inequality_that_cannot_be_read_is_pointed_at_by_its_character() -> None:
    (found,) = mistakes("own", Holds("layers > solver"), PARENTS, NAMES)
    assert found == Mistake(
        "expected parameters that are numbers, got `solver`, which has the values cg, gmres", 9
    )


def test_a_fixed_parameter_may_be_asked_for_a_value_that_it_has_not_today() -> None:
    assert list(mistakes("own", OneOf("coat", ("glossy",)), PARENTS, NAMES)) == []


def test_parameters_that_count_by_each_other_in_a_circle_are_found() -> None:
    chain = counting(c="b > 0", b="a > 0", d={"c": 1})
    assert list(circles(chain)) == []
    assert list(circles({**chain, **counting(a={"d": 1})})) == [("c", "b", "a", "d", "c")]


def test_circles_that_have_none_in_common_are_all_found() -> None:
    pairs = counting(a={"b": 1}, b={"a": 1}, c={"a": 1}, d={"e": 1}, e={"c": 1, "d": 1})
    assert list(circles(pairs)) == [("a", "b", "a"), ("d", "e", "d")]


def test_each_comes_after_those_it_counts_by_however_they_are_written_down() -> None:
    order = parents_first(counting(d={"c": 1}, c="b + a > 0", b={"x": 1}, a={"b": 1}))
    assert order == ("b", "a", "c", "d")


def test_what_does_not_count_is_given_as_it_is_otherwise_if_that_is_said() -> None:
    conditions = {
        "restart": Condition(terms_of({"solver": "gmres"}), 0),
        "fill": Condition(terms_of({"solver": "cg"})),
    }
    assert otherwise(conditions, {"solver": "cg", "fill": 0.5}) == {"solver": "cg", "fill": 0.5, "restart": 0}
    assert otherwise(conditions, {"solver": "gmres", "restart": 9}) == {"solver": "gmres", "restart": 9}
