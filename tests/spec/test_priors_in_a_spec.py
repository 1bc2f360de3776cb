"""What is known of parameters beforehand: how a spec says it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.amended import with_bounds, with_fixed
from orchestrator.spec.build import build_algorithm, build_problem, build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.values.distributions import AboutMean, ByChance, WithinFactor

PARAMETERS = """\
parameters:
  h0: {type: float, bounds: [50, 90], prior: {mean: 67.4, deviation: 0.5}}
  rate: {type: float, bounds: [0.001, 1], scale: log, prior: {mean: 0.02, factor: 1.5}}
  shots: {type: int, bounds: [1, 9]}
  kind: {type: choice, values: [new, old], prior: {chances: [0.8, 0.2]}}"""
FITTED: dict[str, str | None] = {
    "objective": "objective: {fit: {lift: {value: 3.2, error: 0.1}, drag: {value: 1, error: 0.2}}}",
    "parameters": PARAMETERS,
    "algorithm": "algorithm: {name: auto}",
}


def refused(h0: str, **lines: str | None) -> tuple[str, str]:
    """The sentence, and what stands from its caret on, where `h0` is so."""
    told = {"parameters": f"parameters:\n  h0: {{type: float, {h0}}}", **lines}
    refusal = refusal_with(**(FITTED | told))
    (sentence,), (place,) = sentences(refusal), under_caret(refusal)
    return sentence, place


def test_what_is_known_is_told_with_the_problem_and_no_other_algorithm_is_for_it() -> None:
    spec = spec_with(**FITTED)
    assert build_space(spec).priors == {
        "h0": AboutMean(67.4, 0.5),
        "rate": WithinFactor(0.02, 1.5),
        "kind": ByChance((0.8, 0.2)),
    }
    beforehand = build_problem(spec).beforehand
    assert beforehand is not None
    assert set(beforehand.each) == {0, 1, 3}
    assert type(build_algorithm(spec)).__name__ == "CompositeSearch"


def test_a_spec_without_any_is_as_ever() -> None:
    assert build_problem(spec_with()).beforehand is None


def test_without_a_fit_it_says_how_values_are_spread_and_changes_no_suggestion() -> None:
    told = FITTED | {"objective": "objective: {name: drag, goal: minimise}"}
    spec = spec_with(**told)
    assert build_space(spec).priors["h0"] == AboutMean(67.4, 0.5)
    assert type(build_algorithm(spec)).__name__ == "AutoOnScales"


def test_who_may_think_that_it_says_where_the_best_lies_is_told_what_does() -> None:
    def remarks_where(objective: str, algorithm: str = "auto", **lines: str | None) -> tuple[str, ...]:
        told = {"objective": f"objective: {objective}", "algorithm": f"algorithm: {algorithm}", **lines}
        return tuple(load_spec_text(text_with(**FITTED | told), "wing.yaml", Path()).remarks)

    (said,) = remarks_where("{name: drag, goal: minimise}")
    assert "the `prior` of `h0`, `rate` and `kind` changes no suggestion of `auto`, and says over" in said
    assert "where the best is believed to lie is what `promising` says, or a point to try first" in said
    assert said.splitlines()[-1].index("^") == said.splitlines()[-2].index("prior")
    (said,) = remarks_where("{goal: maximise}", "gp-ei", held="held: {h0: 67, kind: new}")
    assert "the `prior` of `rate` changes no suggestion of `gp-ei`" in said
    # Nothing is sought that could lie there, or trials are all over, as for what is spread.
    assert remarks_where("{name: drag, threshold: 3}") == ()
    assert remarks_where("{name: drag, goal: minimise}", "explore") == ()


def test_where_trials_are_compared_there_is_no_value_that_could_be_spread() -> None:
    sentence, place = refused(
        "bounds: [50, 90], prior: {mean: 67, deviation: 1}",
        objective="objective: {name: taste, told: by comparison}",
    )
    assert sentence.startswith("expected no `prior` beside `told: by comparison`: no trial has a value")
    assert place.startswith("prior: {mean: 67, deviation: 1}")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("{mean: 67, deviation: 0}", "expected a number above 0 as its `deviation`"),
        ("{mean: much, deviation: 1}", "expected a number as its `mean`"),
        ("{mean: 67, factor: 1}", "expected a number above 1 as the `factor` that it is known within"),
        ("{mean: -67, factor: 2}", "expected a number above 0 as its `mean` beside a `factor`"),
        ("{mean: 67, deviaton: 1}", "not `deviaton` (did you mean `deviation`?)"),
        ("67", "expected what is known of it beforehand, as `{mean: 67.4, deviation: 0.5}`"),
        ("{chances: [0.5, 0.5]}", "expected no `chances` of any number between bounds"),
        ("{mean: 40, deviation: 1}", "expected bounds that hold what is plausible beforehand, and not less"),
    ],
)
def test_what_cannot_be_known_is_refused_where_it_stands(told: str, said: str) -> None:
    sentence, place = refused(f"bounds: [50, 90], prior: {told}")
    assert said in sentence
    assert place.startswith(told if told == "67" else f"prior: {told}")


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        (
            "{type: float, bounds: [-1, 1], prior: {mean: 0.5, factor: 2}}",
            "expected no bounds below 0 beside a",
        ),
        ("{type: choice, values: [a, b], prior: {mean: 1, deviation: 1}}", "expected no `mean` of values"),
        ("{type: choice, values: [a, b], prior: {chances: [0.2, 0.3, 0.5]}}", "expected as many chances as"),
        ("{type: choice, values: [a, b], prior: {chances: [0.2, 0.3]}}", "expected chances that add up to 1"),
        (
            "{type: choice, values: [a, b], prior: {chances: [1.0e+308, 1.0e+308]}}",
            "expected chances that add up to 1",
        ),
    ],
)
def test_of_each_kind_of_parameter_it_is_what_can_be_known(parameter: str, said: str) -> None:
    refusal = refusal_with(**(FITTED | {"parameters": f"parameters:\n  p: {parameter}"}))
    (sentence,), (place,) = sentences(refusal), under_caret(refusal)
    assert sentence.startswith(said)
    assert place.startswith("prior: {")


def test_what_varies_in_use_has_no_one_value() -> None:
    refusal = refusal_with(
        **FITTED
        | {
            "parameters": "parameters:\n  span: {type: float, bounds: [1, 20]}\n"
            "  h0: {type: float, bounds: [50, 90], in_use: evenly, prior: {mean: 67, deviation: 1}}"
        }
    )
    assert any("expected no `prior` beside `in_use`" in one for one in sentences(refusal))


def test_a_mean_outside_the_bounds_is_remarked_on() -> None:
    told = PARAMETERS.replace("bounds: [50, 90]", "bounds: [67.8, 90]")
    (said,) = load_spec_text(text_with(**FITTED | {"parameters": told}), "wing.yaml", Path()).remarks
    assert "what is known of `h0` lies mostly outside its bounds, from 67.8 to 90, and is cut off" in said
    assert said.splitlines()[-1].index("^") == said.splitlines()[-2].index("prior")
    assert not load_spec_text(text_with(**FITTED), "wing.yaml", Path()).remarks


def test_bounds_may_be_amended_as_long_as_they_hold_it_and_what_is_fixed_is_known() -> None:
    spec = spec_with(**FITTED)
    assert build_space(with_bounds(spec, {"h0": (60.0, 70.0)})).priors["h0"] == AboutMean(67.4, 0.5)
    with pytest.raises(SpecError, match="--bounds h0=70,90: it has a `prior`, and for that expected bounds"):
        with_bounds(spec, {"h0": (70.0, 90.0)})
    assert "h0" not in build_space(with_fixed(spec, {"h0": 67.0})).priors


def test_what_is_known_is_not_computed_from_an_equality() -> None:
    parameters = """\
parameters:
  a: {type: float, bounds: [0, 1], prior: {mean: 0.3, deviation: 0.1}}
  b: {type: float, bounds: [0, 1]}"""
    spec = spec_with(**FITTED | {"parameters": parameters, "constraints": "constraints: [a + b == 1]"})
    assert build_space(spec).names == ("a",)
