"""What people said of how trials compare, behind the damage of a journal: kept where both are still there."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_journals import NOW, write

from orchestrator.cli import main
from orchestrator.report.words.fsck import plan_words
from orchestrator.report.words.without_best import why_no_best
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import RepairPlan, plan_repair, repair
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import (
    Event,
    ResultArrived,
    RunStarted,
    StockTaken,
    SuggestionsMade,
    WorkerJoined,
)
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState

SPEC = """\
experiment: coffee
objective: {name: taste, told: by comparison}
parameters: {dose: {type: float, bounds: [0, 10]}}
budget: {trials: 3}
evaluation: {evaluator: person}
mode: sequential
"""


def made(trial: int) -> SuggestionsMade:
    point = Suggested(parameters={"dose": float(trial)})
    return SuggestionsMade(at=3.0 * trial, ask=trial, suggestions=(point,), first_trial=trial)


EVENTS: list[Event] = [
    RunStarted(at=0.0, run="coffee-1", wall="", in_turn=True),
    WorkerJoined(at=1.0, worker="person", slots=1, local=True),
    made(1),
    TrialCarriedOut(at=4.0, trial=1, by="Lin", request="1-1"),
    made(2),
    ComparisonTold(at=7.0, trial=2, other=1, by="Ada", request="1-2"),
    made(3),
    ComparisonTold(at=10.0, trial=3, other=1, request="1-3"),
    ComparisonTold(at=11.0, trial=3, other=2, alike=True, request="1-4"),
    ComparisonTakenBack(at=12.0, trial=1, other=3, request="1-5"),
]


def mended(folder: RunFolder, lines: list[bytes], lost: int) -> tuple[RepairPlan, State]:
    """Without one of its lines."""
    folder.journal.write_bytes(b"".join(line for place, line in enumerate(lines) if place != lost))
    plan = plan_repair(folder, examine(folder.journal), NOW)
    repair(plan)
    replay = Replay.of(folder)
    replay.catch_up()
    assert not violations(replay.scheduler.state)
    return plan, replay.scheduler.state


def compared(state: State) -> list[tuple[int, int, bool, str]]:
    return [(one.trial, one.other, one.alike, one.by) for one in state.compared]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    (tmp_path / "spec.yaml").write_text(SPEC)
    return RunFolder(tmp_path)


def test_comparisons_are_kept_with_the_trials_that_were_carried_out_and_are_not_taken_again(
    folder: RunFolder,
) -> None:
    plan, state = mended(folder, write(folder, EVENTS), lost=2)
    assert compared(state) == [(2, 1, False, "Ada"), (3, 2, True, "")]
    assert all(trial.state is TrialState.COMPLETED for trial in state.trials.values())
    assert [trial.by for trial in state.trials.values()] == ["Lin", "Ada", ""]
    assert {f"1-{i}" for i in range(1, 6)} == {name for name, _ in state.requests}
    assert "that 3 trials were carried out\n" in plan_words(plan)
    assert not plan.saved.dropped
    assert why_no_best(state) == "not weighed"


def test_how_a_trial_compares_that_is_lost_is_said_to_be_lost(folder: RunFolder) -> None:
    plan, state = mended(folder, write(folder, EVENTS), lost=5)
    assert compared(state) == []
    assert uncompared(state) == [state.trials[2]]
    assert [sentence for sentence in plan.saved.dropped if "compare" in sentence] == [
        "how trials 2 and 1 compare: trial 2 is lost",
        "how trials 3 and 2 compare: trial 2 is lost",
    ]
    assert "that trial 2 was carried out: the line with its parameters is lost" in plan.saved.dropped


def test_a_journal_that_is_damaged_again_gives_back_what_was_saved_the_first_time(folder: RunFolder) -> None:
    mended(folder, write(folder, EVENTS), lost=2)
    lines = folder.journal.read_bytes().splitlines(keepends=True)
    _, state = mended(folder, lines, lost=1)
    assert compared(state) == [(2, 1, False, "Ada"), (3, 2, True, "")]
    assert all(trial.state is TrialState.COMPLETED for trial in state.trials.values())
    assert [trial.by for trial in state.trials.values()] == ["Lin", "Ada", ""]


BY_A_ROBOT: list[Event] = [
    RunStarted(at=0.0, run="coffee-1", wall="", in_turn=True),
    WorkerJoined(at=0.5, worker="arm", slots=1),
    made(1),
    ResultArrived(at=3.5, worker="arm", lease="1.1"),
    made(2),
    ResultArrived(at=6.5, worker="arm", lease="2.1", extras={"speed": 1.5}),
    ComparisonTold(at=7.6, trial=2, other=1, by="Ada"),
    made(3),
    TrialCarriedOut(at=9.5, trial=3),
    ComparisonTold(at=9.6, trial=3, other=2, alike=True),
]


# The worker, a result, that a person made a trial: what was said of it says that it was made.
@pytest.mark.parametrize("lost", [2, 4, 9])
def test_what_a_robot_made_and_how_it_compares_is_kept(folder: RunFolder, lost: int) -> None:
    _, state = mended(folder, write(folder, BY_A_ROBOT), lost)
    assert compared(state) == [(2, 1, False, "Ada"), (3, 2, True, "")]
    assert [trial.state for trial in state.trials.values()] == [TrialState.COMPLETED] * 3
    assert state.trials[2].extras == {"speed": 1.5}


def test_what_was_preferred_before_the_damage_is_to_be_said_anew(folder: RunFolder) -> None:
    said = StockTaken(at=7.7, observations=2, insight={"preferred": {"trial": 2, "next": 1, "chance": 0.8}})
    lines = write(folder, [*BY_A_ROBOT[:7], said, *BY_A_ROBOT[7:]])
    _, state = mended(folder, lines, lost=9)
    assert why_no_best(state) == "not weighed"


def test_who_mends_a_run_that_had_ended_is_told_what_has_the_best_one_said_anew(
    folder: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = write(folder, BY_A_ROBOT)
    folder.journal.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    assert main(["fsck", str(folder.path), "--repair"]) == 0
    resume = f": orchestrator resume {folder.path}\n"
    ended = "the run has ended: every trial of the budget is settled; to have it said which trial is"
    assert f"{ended} preferred by what is left{resume}" in capsys.readouterr().err
    assert main(["best", str(folder.path)]) == 1
    assert f"is preferred; to have it said{resume}" in capsys.readouterr().err
    assert main(["status", str(folder.path)]) == 0
    assert f"is preferred; to have it said{resume}" in capsys.readouterr().out
