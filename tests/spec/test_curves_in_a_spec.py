"""A curve as one outcome, in a spec: its target in a table or inline, and results that bring it as a list."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, spec_with, text_with

from orchestrator.errors import SpecError
from orchestrator.runtime.folder.journal import decode_line, encode_line
from orchestrator.runtime.results.first_event import first_event
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.spec.build import build_wanted_outcomes
from orchestrator.spec.load import load_spec_text

CURVE = "objective: {fit: {peak: 3, light: {value: [0.1, 0.2, 0.4], error: [0.1, 0.1, 0.2]}}}"
AUTO = {"algorithm": None}
POINT = {"x": 0.5, "n": 2}


def arrived(**extras: object) -> ResultArrived:
    return ResultArrived(at=1.0, worker="w", lease="l", value=None, extras=extras)


def test_a_table_has_a_row_for_each_point_of_a_curve(tmp_path: Path) -> None:
    rows = "peak,,3,1\nlight,400,0.1,0.1\nlight,450,0.2,0.1\nlight,500,0.4,0.2\n"
    (tmp_path / "target.csv").write_text(f"outcome,at,value,error\n{rows}")
    loaded = load_spec_text(
        text_with(objective="objective: {fit: target.csv}", **AUTO), "wing.yaml", tmp_path
    )
    inline = spec_with(
        objective=CURVE.replace("[0.1, 0.1, 0.2]", "[0.1, 0.1, 0.2], at: [400, 450, 500]"), **AUTO
    )
    assert loaded.spec.outcomes == inline.outcomes == ["peak", "light"]
    assert build_wanted_outcomes(loaded.spec) == build_wanted_outcomes(inline)
    assert load_spec_text(loaded.text, "wing.yaml", None).spec.objective == loaded.spec.objective


def test_places_that_are_words_tell_points_apart_and_are_no_places_to_draw_them_at(tmp_path: Path) -> None:
    (tmp_path / "target.csv").write_text("outcome,at,value\nlight,mon,0.1\nlight,2,0.2\npeak,,3\n")
    loaded = load_spec_text(
        text_with(objective="objective: {fit: target.csv}", **AUTO), "wing.yaml", tmp_path
    )
    assert loaded.spec.objective.fit is not None
    assert [one.at for one in loaded.spec.objective.fit.values()] == [None, None]


def test_it_is_compared_point_by_point() -> None:
    wanted = build_wanted_outcomes(spec_with(objective=CURVE, **AUTO))
    assert wanted is not None
    came = {"peak": 4.0, "light": [0.1, 0.4, 0.2]}
    assert wanted.value(POINT, came) == pytest.approx(1.0 + 4.0 + 1.0)
    assert wanted.judged(POINT, came, None).composed == (4.0, 0.1, 0.4, 0.2)


@pytest.mark.parametrize(
    ("came", "said"),
    [
        ([0.1, 0.2], "the outcome `light`, a list of 3 finite numbers, got 2 of them"),
        ([0.1, None, 0.2], "got null, as which NaN and infinities come as point 2"),
        (0.4, "a list of 3 finite numbers, got 0.4"),
        (["a", 1, 2], "got 'a' as point 1"),
    ],
)
def test_what_is_no_such_curve_has_failed_with_a_sentence(came: object, said: str) -> None:
    wanted = WantedResults.of(spec_with(objective=CURVE, **AUTO))
    judged = wanted.judged(arrived(peak=3.0, light=came), POINT)
    assert isinstance(judged, FailureArrived)
    assert said in judged.message
    lacking = wanted.judged(arrived(peak=3.0), POINT)
    assert isinstance(lacking, FailureArrived)
    assert "expected the outcome `light`, 3 points of a curve, got none beside `peak`" in lacking.message
    whole = wanted.judged(arrived(peak=[3.0], light=[0.1, 0.2, 0.4]), POINT)
    assert isinstance(whole, ResultArrived)
    assert whole.value == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("{value: [0.1, much]}", "expected the points of a curve as finite numbers, got `much`"),
        ("{value: [0.1, 0.2], error: [1, 1, 1]}", "as many errors as the curve has points, 2, got 3"),
        ("{value: [0.1, 0.2], error: [1, 0]}", "point 2: expected an error above 0, got 0"),
        ("{value: [0.1, 0.2], at: [1]}", "expected `at` as many places as the curve has points, 2, got 1"),
        ("{value: [0.1, 0.2], at: [1, mon]}", "the places of a curve's points as finite numbers, got `mon`"),
        ("{value: [0.1, 0.2], at: 3}", "expected a list, a number for each point of the curve, got 3"),
        ("{value: 0.1, at: [3]}", "expected `at` beside a curve, which a number is not"),
        ("{value: []}", "expected a curve of 1 to 2,000 points, got 0"),
    ],
)
def test_what_is_wrong_with_a_target_is_said(target: str, said: str) -> None:
    assert said in refusal_with(objective=f"objective: {{fit: {{light: {target}}}}}", **AUTO)


def test_constraints_are_on_numbers_and_say_so() -> None:
    refused = refusal_with(objective=CURVE, constraints='constraints: ["light <= 0.5"]', **AUTO)
    assert "expected outcomes that are numbers, got `light`, which is a curve" in refused
    spec_with(objective=CURVE, constraints='constraints: ["peak <= 5"]', **AUTO)


def test_known_results_bring_curves_in_a_cell_and_inline(tmp_path: Path) -> None:
    (tmp_path / "before.csv").write_text('x,n,peak,light\n0.1,2,3,"[0.1, 0.2, 0.6]"\n')
    results = "initial: {results: [before.csv, {x: 0.5, n: 2, peak: 3, light: [0.1, 0.2, 0.4]}]}"
    loaded = load_spec_text(text_with(objective=CURVE, initial=results, **AUTO), "wing.yaml", tmp_path)
    assert [one.value for one in loaded.spec.initial.results] == [pytest.approx(1.0), pytest.approx(0.0)]
    (tmp_path / "before.csv").write_text('x;n;peak;light\n0,1;2;3;"[0,1; 0,2; 0,6]"\n')
    with pytest.raises(SpecError, match=r"as in \[0.1, 0.25\]"):
        load_spec_text(text_with(objective=CURVE, initial=results, **AUTO), "wing.yaml", tmp_path)
    short = "initial: {results: [{x: 0.5, n: 2, peak: 3, light: [0.1]}]}"
    assert "got 1 of them" in refusal_with(objective=CURVE, initial=short, **AUTO)


def test_a_known_curve_is_for_the_run_what_its_journal_says() -> None:
    results = "initial: {results: [{x: 0.5, n: 2, peak: 3, light: [0.1, 0.2, 0.4]}]}"
    spec = spec_with(objective=CURVE, initial=results, **AUTO)
    begun = first_event(spec, "wing-1", "", {})
    assert decode_line(encode_line(1, begun).rstrip(), 1) == begun
