"""Where a machine stands whose settings may travel only so far, once its journal lost a line."""

from __future__ import annotations

from pathlib import Path

from damaged_journals import NOW, SPEC, folder_of_a_run, write

from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.scheduler.amendment_events import PointsAdded
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import (
    Event,
    ResultArrived,
    RunStarted,
    SuggestionsMade,
    TrialApproved,
    TrialRefused,
    WorkerJoined,
)

TRAVELLING = SPEC.replace("[0.0, 1.0]}", "[0.0, 1.0], travel: 0.1}").replace(
    'sqrt"}', 'sqrt", approval: true}\nmode: sequential'
)
BEGUN: list[Event] = [
    RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
    WorkerJoined(at=1.0, worker="ada", slots=1),
    TrialApproved(at=2.0, trial=1),
    ResultArrived(at=3.0, worker="ada", lease="1.1", value=1.0),
    SuggestionsMade(at=4.0, ask=1, suggestions=(Suggested(parameters={"span": 0.55}),), first_trial=2),
]
LOST = 2


def stands_after(path: Path, *following: Event) -> object:
    """Once the line that approved the first trial is lost, and the journal mended."""
    folder = folder_of_a_run(path)
    (path / "spec.yaml").write_text(TRAVELLING)
    lines = write(folder, [*BEGUN, *following])
    folder.journal.write_bytes(b"".join(lines[:LOST] + lines[LOST + 1 :]))
    repair(plan_repair(folder, examine(folder.journal), NOW))
    replay = Replay.of(folder)
    replay.catch_up()
    return replay.scheduler.state.stands


def test_it_is_not_where_a_person_refused_to_let_it_go(tmp_path: Path) -> None:
    refused = TrialRefused(at=5.0, trial=2, reason="too hot")
    assert stands_after(tmp_path, refused) == {"span": 0.5}


def test_it_is_at_the_last_trial_that_came_to_an_end_not_the_last_that_was_made(tmp_path: Path) -> None:
    tried = PointsAdded(at=5.0, points=({"span": 0.58},), first_trial=3, by="Ada", request="1-1")
    first = ResultArrived(at=6.0, worker="ada", lease="3.1", value=1.16)
    then = ResultArrived(at=7.0, worker="ada", lease="2.1", value=1.1)
    assert stands_after(tmp_path, tried, first, then) == {"span": 0.55}
