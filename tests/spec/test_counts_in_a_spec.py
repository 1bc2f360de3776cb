"""How many of some parameters are used, in a spec: read, and refused where it stands."""

from __future__ import annotations

import numpy as np
import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.report.words.spec import spec_words
from orchestrator.spec.build import build_problem, build_space

OIL, ZINC, ESTER = "oil: {type: float, bounds: [60, 100]}", "zinc", "ester"
ADDITIVE = "{type: float, bounds: [0, 20], least: 0.5}"
PARAMETERS = (
    f"parameters: {{{OIL}, zinc: {ADDITIVE}, ester: {ADDITIVE}, rate: {{type: float, bounds: [1, 9]}}}}"
)
ONE = 'constraints: ["oil + zinc + ester == 100", "count(zinc, ester) <= 1"]'


def test_what_is_left_out_is_0_and_what_is_not_is_at_least_so_much() -> None:
    space = build_space(spec_with(parameters=PARAMETERS, constraints=ONE))
    assert space.broken_by({"zinc": 0, "ester": 3, "rate": 1}) == ()
    assert space.broken_by({"zinc": 0.5, "ester": 3, "rate": 1}) == ("count(zinc, ester) <= 1",)
    assert space.broken_by({"zinc": 0.4, "ester": 0, "rate": 1}) == ("0.5 * count(zinc) <= zinc",)


def test_a_least_amount_needs_no_count() -> None:
    spec = spec_with(parameters=PARAMETERS)
    assert build_problem(spec).domain.ties is not None
    assert "constraint" not in spec_words(spec)


@pytest.mark.parametrize(("step", "from_on"), [("0.25", 0.5), ("0.2", 0.6), ("0.001", 0.5)])
def test_in_steps_what_is_used_begins_with_the_first_of_them_that_is_enough(
    step: str, from_on: float
) -> None:
    parameters = PARAMETERS.replace("least", f"step: {step}, least")
    space = build_space(spec_with(parameters=parameters, constraints="constraints: count(zinc, ester) <= 1"))
    near = np.zeros((60, space.domain.dimension))
    near[:, 1:3] = np.random.default_rng(0).random((60, 2)) * 0.08
    told = [space.suggested(point) for point in space.domain.snap(near)]
    told += [space.suggested(point) for point in space.domain.sample(60, np.random.default_rng(1))]
    amounts = np.array([[one["zinc"], one["ester"]] for one in told])
    assert (np.count_nonzero(amounts, axis=1) <= 1).all()
    assert (amounts == 0).any(axis=1).all()
    assert amounts[amounts > 0].min() == from_on
    assert amounts.max() > 10
    assert np.allclose(amounts / float(step), np.rint(amounts / float(step)))
    assert not any(space.broken_by(one) for one in told)


def test_how_many_are_used_is_told_where_that_is_asked_for() -> None:
    used = 'used: {type: computed, value: "count(zinc, ester)"}'
    space = build_space(spec_with(parameters=PARAMETERS.replace("rate:", f"{used}, rate:"), constraints=ONE))
    told = space.completed({"zinc": 0.0, "ester": 3.0, "rate": 1.0})
    assert told["used"] == 1
    assert isinstance(told["used"], int)


@pytest.mark.parametrize(
    ("constraints", "said", "at"),
    [
        ("['count(zinc, rate) <= 1']", "got `rate`, which never is; bounds from 0", "rate) <= 1"),
        ("['count(zinc, ester) <= rate']", "alone on one side and a number on the other", "zinc"),
        ("['count(zinc, ester) == 1']", "is written as `2 <= count(a, b, c) <= 2`", "count(zinc"),
        ("['count(zinc, ester) < 0']", "no point within the bounds was found", "constraints"),
        ("['count(zinc, ester) <= -1']", "no point within the bounds was found", "constraints"),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(constraints: str, said: str, at: str) -> None:
    refusal = refusal_with(parameters=PARAMETERS, constraints=f"constraints: {constraints}")
    (sentence,) = sentences(refusal)
    assert said in sentence
    assert under_caret(refusal)[0].startswith(at)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("bounds: [1, 20], least: 2", "expected bounds from 0 beside `least`, as `[0, 10]`"),
        ("bounds: [0, 20], least: 2, when: y > 1", "expected no `least` beside `when`: where a parameter"),
        ("bounds: [0, 20], least: 20", "a number above 0 and below 20, got 20"),
    ],
)
def test_a_least_amount_that_makes_no_sense_is_refused(own: str, said: str) -> None:
    parameters = f"parameters: {{y: {{type: int, bounds: [0, 9]}}, x: {{type: float, {own}}}}}"
    (sentence,) = sentences(refusal_with(parameters=parameters))
    assert said in sentence


@pytest.mark.parametrize("key", ["travel", "tolerance"])
@pytest.mark.parametrize(
    ("least", "constraints"), [("least: 2, ", ""), ("", "constraints: ['count(x, y) <= 1']")]
)
def test_what_a_counted_parameter_cannot_have_is_refused_where_it_stands(
    key: str, least: str, constraints: str
) -> None:
    x = f"{{type: float, bounds: [0, 20], {least}{key}: 1}}"
    refusal = refusal_with(
        parameters=f"parameters: {{x: {x}, y: {{type: float, bounds: [0, 9]}}}}",
        constraints=constraints,
        mode="mode: sequential",
        initial="initial: {points: [{x: 0, y: 3}]}",
        algorithm="algorithm: auto",
    )
    (sentence,) = sentences(refusal)
    assert f"expected no `{key}` " in sentence
    assert under_caret(refusal)[0].startswith(key)


def test_a_sum_of_which_every_part_has_a_least_amount_is_told_what_is_missing() -> None:
    both = "parameters: {zinc: " + ADDITIVE + ", ester: " + ADDITIVE + "}"
    (sentence,) = sentences(refusal_with(parameters=both, constraints="constraints: zinc + ester == 20"))
    assert "without `step`, `when`, `travel`, `change`, `tolerance`, `in_use`, `prior`" in sentence


def test_an_algorithm_that_does_not_keep_to_it_is_refused() -> None:
    refusal = refusal_with(parameters=PARAMETERS, algorithm="algorithm: {name: soo}")
    assert "expected an algorithm that keeps to constraints" in sentences(refusal)[0]
    assert under_caret(refusal)[0].startswith("least")


def test_what_no_point_satisfies_is_said_in_words_of_the_spec() -> None:
    refusal = refusal_with(parameters=PARAMETERS, constraints='constraints: ["zinc >= 0.2", "zinc <= 0.4"]')
    assert "`zinc = 0 or zinc >= 0.5`" in sentences(refusal)[0]
    tried = "initial: {points: [{oil: 90, zinc: 0.4, ester: 0, rate: 1}]}"
    (sentence,) = sentences(refusal_with(parameters=PARAMETERS, initial=tried))
    assert sentence == "expected a point that satisfies `zinc = 0 or zinc >= 0.5`, got one that does not"


@pytest.mark.parametrize(
    ("bounds", "constraint", "said"),
    [
        (
            "",
            "2 * used <= 2",
            "expected `count(zinc, ester)` itself, as `count(zinc, ester) <= 2`, got `used`",
        ),
        (", bounds: [0, 1]", "zinc <= 9", "expected no bounds beside a count, but a constraint"),
    ],
)
def test_a_count_is_limited_as_such_and_not_by_a_name(bounds: str, constraint: str, said: str) -> None:
    used = f'used: {{type: computed, value: "count(zinc, ester)"{bounds}}}'
    parameters = PARAMETERS.replace("rate:", f"{used}, rate:")
    (sentence,) = sentences(refusal_with(parameters=parameters, constraints=f'constraints: ["{constraint}"]'))
    assert said in sentence
