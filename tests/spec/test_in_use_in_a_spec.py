"""What varies in use: how a spec says it, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_algorithm, build_problem
from orchestrator.spec.load import LoadedSpec, load_spec_text
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.schema import spec_schema
from orchestrator.spec.sections.parameters import in_use_among
from orchestrator.values.in_use import Recorded

PARAMETERS = """\
parameters:
  span: {type: float, bounds: [1, 20]}
  shots: {type: int, bounds: [1, 9]}
  wind: {type: float, bounds: [0, 20], in_use: {mean: 8, deviation: 3}}
  air: {type: choice, values: [clean, icy], in_use: {chances: [0.8, 0.2]}}"""
OBJECTIVE = "objective: {name: drag, goal: minimise, over: {worst: 0.1}}"
VARYING: dict[str, str | None] = {
    "parameters": PARAMETERS,
    "objective": OBJECTIVE,
    "algorithm": "algorithm: {name: auto}",
}


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(VARYING | lines))
    return sentences(refusal), under_caret(refusal)


def test_what_varies_is_the_problems_and_no_trial_is_the_best() -> None:
    spec = spec_with(**VARYING)
    in_use = build_problem(spec).in_use
    assert in_use is not None
    assert in_use.coordinates == (2, 3)
    assert in_use.over.share == 0.1
    policy = policy_of(spec)
    assert policy.sought.in_use == ("wind", "air")
    assert policy.no_trial_is_best
    assert policy.sought.over == "on average over the worst 10 % of what comes up in use"
    assert type(build_algorithm(spec)).__name__ == "BestInUse"


def test_a_spec_without_any_is_as_ever() -> None:
    assert build_problem(spec_with()).in_use is None
    assert not policy_of(spec_with()).no_trial_is_best


def test_over_what_has_to_be_there() -> None:
    parameters = "parameters:\n  span: {type: float, bounds: [1, 20]}"
    (sentence,), (place,) = refused(parameters=parameters)
    assert sentence.startswith("expected a parameter that varies in use beside `over`")
    assert place.startswith("over")


@pytest.mark.parametrize(
    ("how", "over", "hint"),
    [
        ("{chancs: [0.5, 0.5]}", "worst", "not `chancs` (did you mean `chances`?)"),
        ("{men: 8, deviation: 3}", "worst", "not `men` (did you mean `mean`?)"),
        ("evnly", "worst", "(did you mean `evenly`?), got `evnly`"),
        ("evenly", "{wrost: 0.1}", "not `wrost` (did you mean `worst`?), got `{wrost: 0.1}`"),
        ("evenly", "avrage", "(did you mean `average`?), got `avrage`"),
    ],
)
def test_what_is_mistyped_of_it_is_told_what_was_meant(how: str, over: str, hint: str) -> None:
    wind = f"  wind: {{type: float, bounds: [0, 20], in_use: {how}}}"
    (sentence,), _ = refused(
        parameters=f"parameters:\n  span: {{type: float, bounds: [1, 20]}}\n{wind}",
        objective=OBJECTIVE.replace("{worst: 0.1}", over),
    )
    assert hint in sentence
    assert sentence.count("got") <= 1


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("{type: float, bounds: [0, 20], in_use: sometimes}", "expected how it varies in use"),
        ("{type: float, bounds: [0, 20], in_use: {mean: 8}}", "expected how it varies in use"),
        ("{type: float, bounds: [0, 20], in_use: {chances: [0.5, 0.5]}}", "expected no `chances`"),
        ("{type: float, bounds: [0, 20], in_use: {chances: [1]}}", "expected no `chances`"),
        ("{type: float, bounds: [0, 20], prior: {chances: [1]}}", "expected no `chances`"),
        ("{type: choice, values: [a, b], in_use: {chances: [1]}}", "expected a chance for each value"),
        (
            "{type: choice, values: [a, b], in_use: {chances: [0, 1]}}",
            "expected chances above 0 of at least 2 values: what does not vary is `{type: fixed,",
        ),
        (
            "{type: float, bounds: [0, 9], in_use: {recorded: [3, 3.0, 3]}}",
            "expected recorded values that differ, and not 3 each time: what does not vary is"
            " `{type: fixed, value: 3}`",
        ),
        (
            "{type: float, bounds: [0, 9], step: 0.5, in_use: {recorded: [0.7, 3]}}",
            "expected recorded values of 0 to 9 in steps of 0.5, and not 0.7; the nearest are 0.5 and 1",
        ),
    ],
)
def test_how_it_cannot_vary_is_said_where_it_stands(own: str, words: str) -> None:
    (sentence,), _ = refused(
        parameters=f"parameters:\n  span: {{type: float, bounds: [1, 20]}}\n  wind: {own}"
    )
    assert sentence.startswith(words)


def test_a_run_that_was_begun_with_one_value_alone_is_read_as_it_was() -> None:
    own = "{type: float, bounds: [0, 20], in_use: {recorded: [3, 3]}}"
    text = text_with(**VARYING | {"parameters": PARAMETERS.replace("\n  air:", f"\n  rain: {own}\n  air:")})
    assert in_use_among(load_spec_text(text, "wing.yaml", None).spec.parameters)["rain"] == Recorded((3, 3))


def test_a_wrong_share_is_said_with_what_there_is() -> None:
    (sentence,), _ = refused(objective="objective: {name: drag, goal: minimise, over: {worst: 10}}")
    assert "between 0 and 1, such as 0.1" in sentence
    (sentence,), _ = refused(objective="objective: {name: drag, goal: minimise, over: often}")
    assert "`average`, `worst`, `{worst: 0.1}`, `{quantile: 0.1}` or `each`" in sentence


def test_constraints_are_of_the_design_alone_be_they_of_what_follows() -> None:
    (sentence,), (place,) = refused(constraints="constraints: [span < wind]")
    assert sentence.startswith("expected no constraint of `wind`, which varies in use")
    assert place.startswith("span < wind")
    computed = f"{PARAMETERS}\n  load: {{type: computed, value: wind * span, bounds: [0, 100]}}"
    (sentence,), _ = refused(parameters=computed)
    assert sentence.startswith("expected no constraint of `wind`")
    weighed_in = PARAMETERS.replace("bounds: [0, 20],", "bounds: [0, 20], least: 2,")
    (sentence,), (place,) = refused(parameters=weighed_in)
    assert sentence.startswith("expected no constraint of `wind`")
    assert place.startswith("least: 2")


def test_something_is_left_to_choose_and_always_counts() -> None:
    (sentence,), _ = refused(parameters="parameters:\n  wind: {type: float, bounds: [0, 20], in_use: evenly}")
    assert sentence.startswith("expected at least one parameter to choose")
    (sentence,), _ = refused(
        parameters=f"{PARAMETERS}\n  gap: {{type: float, bounds: [0, 1], when: shots >= 2}}"
    )
    assert sentence.startswith("expected no `when` beside `in_use`")


def test_other_algorithms_and_options_are_refused() -> None:
    (sentence,), _ = refused(algorithm="algorithm: {name: random}")
    assert sentence.startswith("expected an algorithm that looks for what is best over what varies in use")
    assert "fix those parameters" in sentence
    (sentence,), _ = refused(algorithm="algorithm: {name: auto, options: {start_points: 4}}")
    assert sentence.startswith("expected no `options` beside `in_use`")


def test_what_is_recorded_of_several_is_as_long() -> None:
    own = "{{type: float, bounds: [0, 9], in_use: {{recorded: {}}}}}"
    (sentence,), _ = refused(
        parameters=f"parameters:\n  span: {{type: float, bounds: [1, 20]}}\n  wind: {own.format([1, 2, 3])}"
        f"\n  rain: {own.format([1, 2])}"
    )
    assert sentence.endswith("got 3 and 2")


def test_the_schema_knows_it() -> None:
    told = json.dumps(spec_schema())
    assert '"in_use"' in told
    assert '"over"' in told


@pytest.mark.parametrize(
    ("own", "bounds", "words"),
    [
        (
            "{type: float, bounds: [0, 20], in_use: {recorded: [4, 9]}}",
            (5, 20),
            "within the bounds, and not 4",
        ),
        ("{type: float, bounds: [0, 20], in_use: {mean: 8, deviation: 1}}", (15, 20), "bounds that hold"),
        (
            "{type: ordered, values: [1, 2, 3], in_use: {chances: [0.2, 0.3, 0.5]}}",
            (1, 2),
            "as many chances as there are values",
        ),
    ],
)
def test_bounds_are_not_amended_to_what_cannot_vary_so(
    own: str, bounds: tuple[float, float], words: str
) -> None:
    parameters = f"parameters:\n  span: {{type: float, bounds: [1, 20]}}\n  wind: {own}"
    spec = spec_with(**(VARYING | {"parameters": parameters}))
    with pytest.raises(SpecError, match=words) as refused:
        with_bounds(spec, {"wind": bounds})
    assert str(refused.value).startswith("--bounds wind=")
    assert with_bounds(spec, {"span": (2, 3)}).parameters["span"].bounds == (2, 3)  # type: ignore[union-attr]


RECORDED = """\
parameters:
  span: {{type: float, bounds: [1, 20]}}
  wind: {{type: float, bounds: [0, 20], in_use: {}}}
  rain: {{type: int, bounds: [0, 9], in_use: {{recorded: weather.csv}}}}"""


def loaded(folder: Path, table: str, wind: str = "weather.csv") -> LoadedSpec:
    (folder / "weather.csv").write_text(table)
    lines = VARYING | {"parameters": RECORDED.format(wind)}
    return load_spec_text(text_with(**lines), "spec.yaml", folder)


def test_what_was_recorded_is_read_from_a_file_which_the_run_keeps(tmp_path: Path) -> None:
    found = loaded(tmp_path, "hour;wind;rain\n1;4,5;0\n2;6;3\n3;9,5;9\n")
    (tmp_path / "weather.csv").unlink()
    kept = load_spec_text(found.text, "spec.yaml", None)
    for spec in (found.spec, kept.spec):
        told = in_use_among(spec.parameters)
        assert told == {"wind": Recorded((4.5, 6, 9.5)), "rain": Recorded((0, 3, 9))}


@pytest.mark.parametrize(
    ("table", "wind", "words"),
    [
        (
            "hour,rain\n1,2\n2,3\n",
            "weather.csv",
            "expected a column `wind` of what was recorded, got `hour` and",
        ),
        ("wind,rain\n1,2\n,3\n", "weather.csv", "expected of each row what `wind` was, got an empty cell"),
        ("wind,rain\n1,2\n3,2.5\n", "weather.csv", "expected recorded whole numbers, and not 2.5"),
        ("wind,rain\n1,2\n30,2\n", "weather.csv", "expected recorded numbers within the bounds, and not 30"),
        ("wind,rain\n1,2\n", "weather.csv", "expected at least 2 values that came up"),
        ("wind,rain\n1,2\n3,4\n", "{recorded: [1, 2, 3]}", "as they came up together, got 3 and 2"),
        ("wind,rain\n1,2\n3,2\n", "storms.csv", "storms.csv"),
        ("wind,rain\n1,2\n3,2\n", "../weather.csv", "expected a CSV file in the folder of the spec"),
    ],
)
def test_a_file_that_is_no_record_of_it_is_refused_at_its_place(
    tmp_path: Path, table: str, wind: str, words: str
) -> None:
    with pytest.raises(SpecError) as refused:
        loaded(tmp_path, table, wind)
    assert words in str(refused.value)
    assert ":" in str(refused.value)
