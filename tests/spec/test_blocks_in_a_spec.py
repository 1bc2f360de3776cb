"""Results that come in blocks: how a spec says it, what brings the block, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.errors import SpecError, UsageError
from orchestrator.runtime.requests.amendment_checks import check_block
from orchestrator.runtime.results.known_events import known_events
from orchestrator.spec.build import build_problem
from orchestrator.spec.load import load_spec
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.schema import spec_schema

BLOCKED = {"blocks": "blocks: plate", "algorithm": "algorithm: {name: auto}"}


def test_blocks_are_the_problems_and_the_runs() -> None:
    spec = spec_with(**BLOCKED)
    assert build_problem(spec).blocks
    assert policy_of(spec).results.blocks == "plate"
    assert not build_problem(spec_with()).blocks
    assert "blocks" in json.dumps(spec_schema())


@pytest.mark.parametrize(
    ("lines", "said", "at"),
    [
        ({"blocks": "blocks: x"}, "got `x`, which is a parameter", "x"),
        ({"blocks": "blocks: variance"}, "which is something that belongs to the value", "variance"),
        ({"blocks": "blocks: 'a, b'"}, "a name of at most 100", "'a, b'"),
        ({"budget": "budget: {trials: 9, target: 1}"}, "expected no `target` beside `blocks`", "target"),
        ({"budget": "budget: {patience: 9}"}, "expected no `patience` beside `blocks`", "patience"),
        ({"algorithm": "algorithm: {name: gp-ei}"}, "that takes off what results of a block share", ""),
    ],
)
def test_what_makes_no_sense_beside_blocks_is_refused_at_its_place(
    lines: dict[str, str], said: str, at: str
) -> None:
    refusal = refusal_with(**(BLOCKED | lines))
    assert any(said in sentence for sentence in sentences(refusal)), sentences(refusal)
    assert any(place.startswith(at) for place in under_caret(refusal)), under_caret(refusal)


def test_outcomes_that_are_only_returned_may_stand_beside_them_and_constrained_ones_may_not() -> None:
    outcomes = BLOCKED | {"outcomes": "outcomes: [heat]"}
    assert spec_with(**outcomes).blocks == "plate"
    refusal = refusal_with(**outcomes, constraints="constraints: [heat <= 3]")
    assert any("no constraints on outcomes beside `blocks`" in one for one in sentences(refusal))


def test_known_results_say_their_block_inline_and_in_a_column(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text(
        "x,Plate,value\n0.1,A1,2\n0.2,3,1\n0.3,,1\n0.4,3.0,1\n0.6,003,1\n0.7,nan,1\n"
    )
    (tmp_path / "spec.yaml").write_text(
        "experiment: e\nobjective: {name: v, goal: maximise}\n"
        "parameters: {x: {type: float, bounds: [0, 1]}}\n"
        "blocks: plate\nbudget: {trials: 3}\nevaluation: {evaluator: person}\n"
        "initial:\n  results: [{x: 0.5, plate: 7, v: 1}, {parameters: {x: 0.6}, block: 8, value: 1}, "
        "known.csv]\n"
    )
    spec = load_spec(tmp_path / "spec.yaml").spec
    blocks = [one.block for one in known_events(spec.initial.results, spec)]
    assert blocks == ["7", "8", "A1", "3", "", "3", "003", ""]


def test_of_known_results_of_days_a_time_is_its_date(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,day,value\n0.1,2026-11-27T23:50:00+01:00,2\n0.2,2026-11-28,1\n")
    (tmp_path / "spec.yaml").write_text(
        "experiment: e\nobjective: {name: v, goal: maximise}\n"
        "parameters: {x: {type: float, bounds: [0, 1]}}\n"
        "blocks: day\nbudget: {trials: 3}\nevaluation: {evaluator: person}\n"
        "initial: {results: [{x: 0.5, day: 2026-11-26, v: 1}, known.csv]}\n"
    )
    spec = load_spec(tmp_path / "spec.yaml").spec
    days = [one.block for one in known_events(spec.initial.results, spec)]
    assert days == ["2026-11-26", "2026-11-27", "2026-11-28"]


def test_blocks_that_are_called_as_the_objective_are_refused_beside_known_results_too(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,v\n0.1,2\n")
    (tmp_path / "spec.yaml").write_text(
        "experiment: e\nobjective: {name: v, goal: maximise}\n"
        "parameters: {x: {type: float, bounds: [0, 1]}}\n"
        "blocks: v\nbudget: {trials: 3}\nevaluation: {evaluator: person}\ninitial: {results: known.csv}\n"
    )
    with pytest.raises(SpecError, match="got `v`, which is the objective"):
        load_spec(tmp_path / "spec.yaml")


def test_a_person_begins_a_block_only_where_it_is_a_persons_to_say() -> None:
    check_block(spec_with(**BLOCKED))
    own = {"workers": "workers: {each: {plate: [1, 2]}, local: 2}"}
    for spec in (
        spec_with(),
        spec_with(**(BLOCKED | {"blocks": "blocks: worker"})),
        spec_with(**(BLOCKED | {"blocks": "blocks: day"})),
        spec_with(**(BLOCKED | own)),
    ):
        with pytest.raises(UsageError, match="expected no --block"):
            check_block(spec)


def test_another_algorithm_is_refused_from_python_too() -> None:
    from orchestrator import Optimiser

    with pytest.raises(SpecError, match="that takes off what results of a block share"):
        Optimiser({"x": (0.0, 1.0)}, algorithm="gp-ei", blocks=True)
