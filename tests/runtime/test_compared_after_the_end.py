"""What is said of how trials compare once a run is over: it is taken, and which is the best follows anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.errors import UsageError
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import CarryOut, Compare, TakeBack, Verdict
from orchestrator.runtime.requests.left_amendments import take_up_amendments
from orchestrator.runtime.requests.left_decisions import refuse_in_vain
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.comparison_events import ComparisonTold
from orchestrator.scheduler.transitions import Phase

SPEC = """\
experiment: gait
objective: {name: comfort, told: by comparison}
parameters: {x: {type: float, bounds: [0, 1]}}
budget: {trials: 2}
evaluation: {evaluator: "math:sqrt"}
"""
EVENTS: list[ev.Event] = [
    ev.RunStarted(at=0.0, run="r", wall="", in_turn=True, points=({"x": 0.1}, {"x": 0.2})),
    ev.WorkerJoined(at=0.5, worker="w", slots=1),
    ev.ResultArrived(at=1.0, worker="w", lease="1.1"),
    ev.ResultArrived(at=2.0, worker="w", lease="2.1"),
    ComparisonTold(at=3.0, trial=2, other=1),
]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Of a run whose optimiser has said what follows from its only comparison."""
    folder = RunFolder(tmp_path)
    folder.spec.write_text(SPEC)
    journal = JournalWriter.create(folder.journal, "test", spec=SPEC)
    journal.append([*EVENTS, ev.StockTaken(at=3.1, observations=2, insight={"preferred": {"trial": 2}})])
    journal.commit()
    journal.close()
    return folder


def replayed(folder: RunFolder) -> Replay:
    replay = Replay.of(folder)
    replay.catch_up()
    assert replay.scheduler.state.phase is Phase.FINISHED
    return replay


def test_it_is_taken_into_the_journal_and_the_optimiser_is_to_be_heard_again(folder: RunFolder) -> None:
    assert not replayed(folder).history.wants_stock
    left = [Desk(folder).leave(one) for one in (TakeBack(2, 1), Compare(1, 2))]
    said = take_up_amendments(folder, replayed(folder))
    assert said[:2] == ["how trials 2 and 1 compare is taken back", "trial 1 is better than 2"]
    answers = [Desk.await_answer(path, 5.0) for path in left]
    assert answers == [Verdict(True, sentence) for sentence in said[:2]]
    again = replayed(folder)
    assert [(one.trial, one.other) for one in again.scheduler.state.compared] == [(1, 2)]
    assert again.history.wants_stock
    assert not again.scheduler.state.resumable


def test_it_is_not_refused_where_nobody_works_on_the_run_and_that_a_trial_was_made_is(
    folder: RunFolder,
) -> None:
    replay = replayed(folder)
    refuse_in_vain([Compare(1, 2)], folder, replay.spec, replay.scheduler)
    with pytest.raises(UsageError, match="got one that has ended"):
        refuse_in_vain([CarryOut(1)], folder, replay.spec, replay.scheduler)


def test_what_a_worker_has_not_made_yet_is_not_compared_while_nobody_works_on_the_run(
    tmp_path: Path,
) -> None:
    folder = RunFolder(tmp_path)
    folder.spec.write_text(SPEC)
    begun = Replay.of(folder)
    for event in EVENTS[:3]:
        begun.scheduler.handle(event)
    with pytest.raises(UsageError, match="trial 2 runs on w still"):
        refuse_in_vain([Compare(2, 1)], folder, begun.spec, begun.scheduler)
