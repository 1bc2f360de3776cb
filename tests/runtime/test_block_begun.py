"""A person says which block trials are of from now on: the words, the event, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from amended_lives import Run, point

from orchestrator.errors import UsageError
from orchestrator.report.seen.insight import MOST_OFFSETS, offsets_words
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.requests.corrected_records import correcting
from orchestrator.runtime.requests.kinds import Amend, Budgets, Record
from orchestrator.runtime.results.known_events import known_events
from orchestrator.scheduler.blocks import block_of
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.values.block_name import block_name

PLATES: Spec = load_spec_text(
    """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters:
  span: {type: float, bounds: [1, 9]}
  ribs: {type: int, bounds: [2, 30]}
  rate: {type: float, bounds: [0.001, 1], scale: log}
  skin: {type: choice, values: [foam, carbon]}
  mach: 0.8
blocks: plate
budget: {trials: 40}
evaluation: {evaluator: person}
mode: sequential
""",
    "spec.yaml",
    None,
).spec


def test_a_block_begins_once_and_what_runs_is_of_the_one_before() -> None:
    run = Run(PLATES)
    assert run.amend(Amend(block="1")) == "plate 1 begins"
    run.trial(point(2.0), 2.0)
    run.trial(point(3.0), None)
    assert run.amend(Amend(block="2"), name="b") == "plate 2 begins; trials that run are of the one before: 1"
    assert run.amend(Amend(block="2"), name="c") == "it is 2 already"
    assert [block_of(run.state, run.state.trials[number]) for number in (1, 2)] == ["1", "1"]
    assert "plate 2 lies there now" in amendment_words(PLATES, run.state)
    assert request_words(Amend(block="2")) == "to be amended: block 2 begins"


def test_a_block_is_the_same_however_its_number_is_written() -> None:
    assert [block_name(told) for told in ("7,0", "7.0", " 7 ", "7,00", 7.0)] == ["7"] * 5
    assert [block_name(told) for told in ("7,000", "7,5", "A 7,0")] == ["7,000", "7,5", "A 7,0"]


def test_budgets_that_are_about_the_best_value_are_refused_later_too() -> None:
    with pytest.raises(UsageError, match="no `patience` beside `blocks`"):
        Run(PLATES).amend(Amend(budgets=Budgets(patience=3)))


def test_a_value_that_was_mistyped_keeps_its_block() -> None:
    run = Run(PLATES)
    run.amend(Amend(block="1"))
    run.trial(point(2.0), 2.0)
    (known,) = correcting([Record(1, 3.0)], PLATES, run.state).results
    assert (known.value, known.block) == (3.0, "1")


def test_results_that_are_told_later_say_their_block(tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("span,ribs,rate,skin,plate,value\n2,7,0.1,foam,B,2\n")
    typed = "span=3,ribs=7,rate=0.1,skin=foam,plate=9,value=3"
    results, remarks = read_added_results(PLATES, [tmp_path / "more.csv"], [typed])
    assert ([one.block for one in known_events(results, PLATES)], remarks) == (["B", "9"], [])


def test_offsets_are_shown_of_the_blocks_that_were_told_last() -> None:
    assert offsets_words("plate", {"3": (0.2123, 0.05), "": (-0.1, 0.2)}) == (
        "plate 3: +0.212 ± 0.05, no plate said: -0.1 ± 0.2"
    )
    assert offsets_words("worker", {"ada": (0.0, 0.5)}).startswith("ada: +0")
    many = {str(number): (1.0, 0.1) for number in range(MOST_OFFSETS + 3)}
    assert offsets_words("plate", many).endswith("; and 3 before")
    assert offsets_words("plate", {}) == ""
