"""Where good settings are believed to lie: how a spec says it, what is refused, remarked on and amended."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.parameters.hunches import hunch_of_points
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_algorithm, build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor

PARAMETERS = """\
parameters:
  rate: {type: float, bounds: [1.0e-5, 0.1], scale: log, promising: {mean: 1.0e-3, factor: 3}}
  layers: {type: int, bounds: [1, 12], promising: {mean: 4, deviation: 1.5}}
  cores: {type: ordered, values: [1, 2, 4, 8], promising: {chances: [0.1, 0.2, 0.3, 0.4]}}
  wait: {type: float, bounds: [0, 9]}"""
SAID: dict[str, str | None] = {"parameters": PARAMETERS, "algorithm": "algorithm: {name: auto}"}


def refused(parameter: str, **lines: str | None) -> tuple[str, str]:
    """The sentence, and what stands from its caret on, where a parameter is so."""
    told = {"parameters": f"parameters:\n  other: {{type: float, bounds: [0, 1]}}\n  p: {parameter}", **lines}
    refusal = refusal_with(**(SAID | told))
    (sentence,), (place,) = sentences(refusal), under_caret(refusal)
    return sentence, place


def remarks(**lines: str | None) -> tuple[str, ...]:
    return tuple(load_spec_text(text_with(**(SAID | lines)), "wing.yaml", Path()).remarks)


def test_what_is_said_of_each_parameter_is_told_with_the_problem() -> None:
    spec = spec_with(**SAID)
    assert build_space(spec).hunches == {
        "rate": WithinFactor(1e-3, 3.0),
        "layers": AboutMean(4.0, 1.5),
        "cores": ByChance((0.1, 0.2, 0.3, 0.4)),
    }
    hunch = build_problem(spec).hunch
    assert hunch is not None
    assert set(hunch.each) == {0, 1, 2}
    assert type(build_algorithm(spec)).__name__ == "AutoOnScales"
    assert build_problem(spec_with()).hunch is None
    assert not remarks()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("{mean: 0.5, deviation: 0}", "expected a number above 0 as its `deviation`"),
        ("{mean: 0.5, deviaton: 1}", "not `deviaton` (did you mean `deviation`?)"),
        ("{draws: [0.2, 0.4]}", "expected where it is promising, as `{mean: 20, deviation: 5}`"),
        ("{chances: [0.5, 0.5]}", "expected no `chances` of any number between bounds"),
        ("{mean: 40, deviation: 1}", "expected bounds that hold what is said to be promising, and not less"),
    ],
)
def test_what_makes_no_sense_of_a_number_is_refused_where_it_stands(told: str, said: str) -> None:
    sentence, place = refused(f"{{type: float, bounds: [0, 1], promising: {told}}}")
    assert said in sentence
    assert place.startswith(f"promising: {told}")


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("{type: int, bounds: [0, 9], in_use: evenly, promising: {mean: 5, deviation: 1}}", "`in_use`"),
        ("{type: float, bounds: [-1, 1], promising: {mean: 0.5, factor: 2}}", "expected no bounds below 0"),
        (
            "{type: choice, values: [a, b], promising: {mean: 1, deviation: 1}}",
            "expected no `mean` of values",
        ),
        ("{type: choice, values: [a, b], promising: {chances: [0.2, 0.3, 0.5]}}", "as many chances as"),
        ("{type: int, bounds: [0, 9], periodic: true, promising: {mean: 3, deviation: 1}}", "along a line"),
    ],
)
def test_what_cannot_be_said_of_a_kind_of_parameter_is_refused(parameter: str, said: str) -> None:
    refusal = refusal_with(
        **(SAID | {"parameters": f"parameters:\n  other: {{type: float, bounds: [0, 1]}}\n  p: {parameter}"})
    )
    assert any(said in sentence for sentence in sentences(refusal))


BELIEVED = "{type: float, bounds: [0, 1], promising: {mean: 0.5, deviation: 0.1}}"


@pytest.mark.parametrize(
    ("lines", "beside"),
    [
        (
            {"objective": "objective: {fit: {lift: {value: 3.2, error: 0.1}}}"},
            "an objective that is computed",
        ),
        ({"objective": "objective: {name: drag, threshold: 3}"}, "`threshold`"),
        ({"objective": "objective: {name: drag, goal: minimise, derivatives: true}"}, "`derivatives`"),
        ({"objective": "objective: {name: taste, told: by comparison}"}, "`told: by comparison`"),
        ({"clock": "clock: other"}, "`clock`"),
    ],
)
def test_searches_that_do_not_heed_it_refuse_it(lines: dict[str, str | None], beside: str) -> None:
    told = {"parameters": f"parameters:\n  other: {{type: float, bounds: [0, 1]}}\n  p: {BELIEVED}", **lines}
    refusal = refusal_with(**(SAID | told))
    said = dict(zip(sentences(refusal), under_caret(refusal), strict=True))
    ((_, place),) = [
        one for one in said.items() if one[0].startswith(f"expected no `promising` beside {beside}: ")
    ]
    assert place.startswith("promising: {mean: 0.5")


def test_other_algorithms_are_refused_and_so_is_what_says_how_closely_to_look() -> None:
    sentence, place = refused(BELIEVED, algorithm="algorithm: {name: gp-ei}")
    assert sentence.startswith(
        "expected an algorithm that begins where settings are said to be promising (`auto`)"
    )
    assert place.startswith("promising: {mean: 0.5")
    sentence, _ = refused(BELIEVED, fidelity="fidelity: {parameter: p, cost: p + 1}")
    assert (
        "expected no `promising` of `p`: how closely an evaluation looks is chosen by what that" in sentence
    )


def test_what_has_no_effect_and_what_lies_outside_is_remarked_on() -> None:
    (said,) = remarks(held="held: {layers: 3}")
    assert "where `layers` is promising has no effect: it is held at 3" in said
    (said,) = remarks(parameters=PARAMETERS.replace("[1, 12]", "[5, 12]"))
    assert "where `layers` is promising lies mostly outside its bounds, from 5 to 12, and is cut off" in said
    assert said.splitlines()[-1].index("^") == said.splitlines()[-2].index("promising")


def test_who_says_a_prior_where_the_best_is_sought_is_told_of_this_key() -> None:
    (said,) = remarks(parameters=PARAMETERS.replace("promising: {mean: 4", "prior: {mean: 4"))
    assert "where the best is believed to lie is what `promising` says, or a point to try first" in said


def test_bounds_are_amended_whatever_was_said_and_what_lies_beyond_says_nothing_any_more() -> None:
    spec = spec_with(**SAID)
    narrower = build_space(with_bounds(spec, {"layers": (3, 6)}))
    hunch = hunch_of_points(narrower)
    assert hunch is not None
    assert set(hunch.each) == {0, 1, 2}
    elsewhere = hunch_of_points(build_space(with_bounds(spec, {"layers": (9, 12)})))
    assert elsewhere is not None
    assert set(elsewhere.each) == {0, 2}
    fewer = build_space(with_bounds(spec, {"cores": (2.0, 4.0)}))
    left = fewer.hunches["cores"]
    assert isinstance(left, ByChance)
    assert left.chances == pytest.approx((0.4, 0.6))


def test_what_was_said_of_no_value_that_is_left_says_nothing() -> None:
    told = PARAMETERS.replace("[0.1, 0.2, 0.3, 0.4]", "[0, 0, 0, 1]")
    fewer = with_bounds(spec_with(**(SAID | {"parameters": told})), {"cores": (1.0, 4.0)})
    assert "cores" not in build_space(fewer).hunches


def test_what_is_said_of_is_not_computed_from_an_equality() -> None:
    parameters = """\
parameters:
  a: {type: float, bounds: [0, 1], promising: {mean: 0.3, deviation: 0.1}}
  b: {type: float, bounds: [0, 1]}"""
    spec = spec_with(**SAID | {"parameters": parameters, "constraints": "constraints: [a + b == 1]"})
    assert build_space(spec).names == ("a",)


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        ("a <= 0.5", "the constraints leave nothing of where `a` is promising: are all of these meant?"),
        ("a + b <= 0.6", "the constraints leave nothing of where `a` and `b` are promising: are all of"),
        ("a + b <= 1.2", "nothing of where `a` and `b` are promising together: are all of these meant?"),
        ("a + b + c == 1.2", "nothing of where `a` and `b` are promising together: are all of these meant?"),
        ("a + b <= 1.65", ""),
        ("a + b + c == 2.4", ""),
        ("a + c <= 1", ""),
        ("a + b + c >= 2.9", ""),
        ("a <= 0.84", ""),
    ],
)
def test_that_constraints_leave_nothing_of_what_is_promising_is_said(constraint: str, said: str) -> None:
    parameters = """\
parameters:
  a: {type: float, bounds: [0, 1], promising: {mean: 0.9, deviation: 0.04}}
  b: {type: float, bounds: [0, 1], promising: {mean: 0.9, deviation: 0.04}}
  c: {type: float, bounds: [0, 1]}"""
    told = "".join(remarks(parameters=parameters, constraints=f"constraints: ['{constraint}']"))
    assert said in told
    assert bool(said) == bool(told)
