"""What a person may decide over a run from another terminal, and what comes of it."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from policies import policy_with

from orchestrator import cli
from orchestrator.errors import UsageError
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.desk import Desk
from orchestrator.runtime.requests.kinds import Approve, Decision, Record, RecordFailure, Refuse, Verdict
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.amendment_events import BoundsAmended, ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    ResultArrived,
    RunStarted,
    TrialApproved,
    TrialRefused,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.transitions import Phase, TrialState


def by_hand(*events: Event, approval: bool = True) -> Scheduler:
    """A run of two points of the spec, evaluated by a person."""
    scheduler = Scheduler(policy_with(trials=2, approval=approval))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    for event in events:
        scheduler.handle(event)
    return scheduler


def test_nothing_is_handed_out_before_it_is_approved() -> None:
    scheduler = by_hand()
    assert scheduler.state.trials[1].state is TrialState.QUEUED
    approved = decide(Approve(2, by="ada"), scheduler.state, 2.0, "", WantedResults())
    assert approved == TrialApproved(at=2.0, trial=2, by="ada")
    scheduler.handle(approved)
    assert scheduler.state.trials[2].state is TrialState.RUNNING
    assert scheduler.state.trials[1].state is TrialState.QUEUED


def test_a_refused_trial_is_settled_and_told_as_one_without_a_value() -> None:
    scheduler = by_hand()
    refused = decide(Refuse(1, "too close to the wall"), scheduler.state, 2.0, "", WantedResults())
    assert isinstance(refused, TrialRefused)
    commands = scheduler.handle(refused)
    assert scheduler.state.trials[1].state is TrialState.FAILED
    assert "too close to the wall" in scheduler.state.trials[1].message
    assert [getattr(command, "value", "") for command in commands][:1] == [None]


def test_nothing_is_forgotten_without_a_reason() -> None:
    decided = decide(Refuse(1, "", forget=True), by_hand().state, 2.0, "", WantedResults())
    assert decided == Verdict(False, "expected why what came of it is not to be believed: --reason TEXT")


def test_a_person_s_result_settles_the_trial_that_they_have_in_hand() -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1))
    recorded = decide(Record(1, 3.5, extras={"note": "windy"}), scheduler.state, 10.0, "", WantedResults())
    assert isinstance(recorded, ResultArrived)
    assert recorded.elapsed == 8.0
    scheduler.handle(recorded)
    assert scheduler.state.trials[1].value == 3.5
    assert scheduler.state.trials[1].extras == {"note": "windy"}


def test_a_person_s_failure_counts_as_an_attempt() -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1))
    failed = decide(RecordFailure(1, "it fell over"), scheduler.state, 3.0, "", WantedResults())
    assert isinstance(failed, FailureArrived)
    scheduler.handle(failed)
    assert scheduler.state.trials[1].attempts.failed == 1


@pytest.mark.parametrize(("attempts", "again"), [(1, False), (3, True)])
def test_who_records_a_failure_is_told_whether_it_is_asked_for_again(attempts: int, again: bool) -> None:
    scheduler = Scheduler(policy_with(trials=2, attempts=attempts))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    request = RecordFailure(1, "it fell over")
    failed = decide(request, scheduler.state, 3.0, "asked", WantedResults())
    assert isinstance(failed, FailureArrived)
    scheduler.handle(failed)
    verdict = decide(request, scheduler.state, 3.0, "asked", WantedResults())
    assert isinstance(verdict, Verdict)
    assert ("it is to be tried again" in verdict.sentence) == again


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (Approve(9), "expected a trial from 1 to 2, got 9"),
        (Record(2, 1.0), "trial 2 is queued"),
        (Approve(1), "trial 1 is approved already: it is running"),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_reason(request_: Approve | Record, why: str) -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1))
    verdict = decide(request_, scheduler.state, 3.0, "", WantedResults())
    assert isinstance(verdict, Verdict)
    assert why in verdict.sentence


def test_who_records_what_is_approved_and_not_handed_out_is_told_what_it_waits_for() -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1), TrialApproved(at=2.0, trial=2))
    recorded = decide(Record(2, 1.0), scheduler.state, 3.0, "", WantedResults())
    assert isinstance(recorded, Verdict)
    assert "a person is given as many at a time as `workers` has `local`" in recorded.sentence
    again = decide(Approve(2), scheduler.state, 3.0, "", WantedResults())
    assert again == Verdict(True, "trial 2 is approved already: it is queued, and waits for its turn")


def test_who_records_what_does_not_share_what_runs_is_told_what_it_waits_for() -> None:
    scheduler = Scheduler(policy_with(trials=2, mode="synchronous", batch=2, sharing=("x",)))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=1.0, worker="person", slots=2, local=True))
    recorded = decide(Record(2, 1.0), scheduler.state, 3.0, "", WantedResults())
    assert isinstance(recorded, Verdict)
    assert "trial 2 is queued, and waits until nothing runs that has x = 1" in recorded.sentence


def test_a_trial_of_a_run_that_has_none_yet_is_told_so() -> None:
    verdict = decide(Approve(9), Scheduler(policy_with(trials=2)).state, 3.0, "", WantedResults())
    assert verdict == Verdict(False, "expected a trial, of which there is none yet, got 9")


@pytest.mark.parametrize(
    ("recorded", "why"),
    [
        (Record(1, math.nan), "expected a finite value, got nan"),
        (Record(1, 1.0, variance=-1.0), "expected a variance of at least 0, got -1.0"),
        (Record(1, 1.0, factors=[1.0] * 5), "expected 2 factor values, as the spec has factors, got 5"),
        (Record(1, 1.0, factors=[1.0, math.inf]), "expected finite factor values"),
        (
            Record(1, 1.0, extras={"tree": json.loads("[" * 64 + "]" * 64)}),
            "expected extras nested at most 64",
        ),
    ],
)
def test_a_person_s_result_that_a_worker_s_could_not_be_is_refused(recorded: Record, why: str) -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1))
    verdict = decide(recorded, scheduler.state, 3.0, "", WantedResults(factors=2))
    assert isinstance(verdict, Verdict)
    assert not verdict.accepted
    assert why in verdict.sentence
    assert isinstance(
        decide(Record(1, 1.0, 0.0, [1.0, 2.0]), scheduler.state, 3.0, "", WantedResults(factors=2)),
        ResultArrived,
    )


def test_a_settled_trial_is_not_decided_over_again() -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1))
    scheduler.handle(ResultArrived(at=3.0, worker="person", lease="1.1", value=1.0))
    verdict = decide(Approve(1), scheduler.state, 4.0, "", WantedResults())
    assert verdict == Verdict(False, "trial 1 is completed already")


@pytest.mark.parametrize(
    ("first", "again", "said"),
    [
        (Record(1, 7.0, extras={"heat": 3}), Record(1, 7.0), "trial 1 is recorded with 7 already"),
        (RecordFailure(1, "spilt"), RecordFailure(1, "spilt"), "the failure of trial 1 is recorded already"),
        (Refuse(1, "too hot"), Refuse(1, "too hot", by="Ada"), "trial 1 is refused already"),
    ],
)
def test_what_was_decided_so_before_is_said_and_is_no_mistake(
    first: Decision, again: Decision, said: str
) -> None:
    scheduler = Scheduler(policy_with(trials=2, attempts=1))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    event = decide(first, scheduler.state, 3.0, "first", WantedResults())
    assert not isinstance(event, Verdict)
    scheduler.handle(event)
    assert decide(again, scheduler.state, 4.0, "again", WantedResults()) == Verdict(True, said)


def test_a_record_without_a_value_is_not_the_failure_that_was_recorded_before() -> None:
    scheduler = Scheduler(policy_with(trials=2, attempts=1))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    failed = decide(RecordFailure(1, "spilt"), scheduler.state, 3.0, "first", WantedResults())
    assert not isinstance(failed, Verdict)
    scheduler.handle(failed)
    # As one is whose value is computed, and that lacks an outcome.
    verdict = decide(Record(1, None), scheduler.state, 4.0, "again", WantedResults())
    said = "trial 1 is failed already; if that was typed wrongly, say --correct beside this"
    assert verdict == Verdict(False, said)


@pytest.mark.parametrize(
    ("first", "again", "further"),
    [
        (Refuse(1, "too hot"), Refuse(1, "too hot", forget=True), "for nothing to follow from that"),
        (Record(1, 7.0, variance=0.1), Record(1, 7.0, variance=0.4), "say --correct beside this"),
        (Record(1, 7.0, factors=[3.0, 4.0]), Record(1, 7.0, factors=[2.0, 5.0]), "say --correct"),
    ],
)
def test_what_says_more_than_was_decided_before_is_not_taken_for_done(
    first: Decision, again: Decision, further: str
) -> None:
    scheduler, wanted = by_hand(approval=False), WantedResults(factors=2)
    event = decide(first, scheduler.state, 3.0, "first", wanted)
    assert not isinstance(event, Verdict)
    scheduler.handle(event)
    verdict = decide(again, scheduler.state, 4.0, "again", wanted)
    assert isinstance(verdict, Verdict)
    assert not verdict.accepted
    assert further in verdict.sentence


def test_what_is_forgotten_or_corrected_since_is_not_so_any_more() -> None:
    scheduler = Scheduler(policy_with(trials=2, attempts=1))
    scheduler.handle(RunStarted(at=0.0, run="r", wall="", points=({"x": 1}, {"x": 2})))
    scheduler.handle(WorkerJoined(at=1.0, worker="person", slots=1, local=True))
    scheduler.handle(
        FailureArrived(at=2.0, worker="person", lease="1.1", kind="error", message="spilt", elapsed=1.0)
    )
    scheduler.handle(ResultArrived(at=3.0, worker="person", lease="2.1", value=7.0))
    anew = (KnownResult(parameters={"x": 1}, value=4.0),)
    scheduler.handle(ResultsAdded(at=4.0, results=anew, request="a"))
    scheduler.handle(ObservationsForgotten(at=4.0, trials=(1, 2), reason="mistyped", request="a"))
    for said, further in (
        (RecordFailure(1, "spilt"), "completed already; if that was typed wrongly"),
        (Record(2, 7.0), "completed already, with 7; if that was typed wrongly, say --correct"),
    ):
        verdict = decide(said, scheduler.state, 5.0, "again", WantedResults())
        assert isinstance(verdict, Verdict)
        assert not verdict.accepted
        assert further in verdict.sentence


def test_who_types_a_result_in_again_is_told_how_to_correct_the_first() -> None:
    scheduler = by_hand(TrialApproved(at=2.0, trial=1))
    scheduler.handle(ResultArrived(at=3.0, worker="person", lease="1.1", value=70.0))
    again = decide(Record(1, 7.0), scheduler.state, 4.0, "", WantedResults())
    assert again == Verdict(
        False,
        "trial 1 is completed already, with 70; if that was typed wrongly, say --correct beside this",
    )
    failed = decide(RecordFailure(1, "it fell over"), scheduler.state, 4.0, "", WantedResults())
    assert isinstance(failed, Verdict)
    assert failed.sentence.endswith("typed wrongly: orchestrator amend --forget 1 --reason mistyped")


def test_who_brings_the_result_of_a_trial_that_was_abandoned_meanwhile_is_told_how_it_counts() -> None:
    narrower = BoundsAmended(at=3.0, bounds={"x": (2.0, 9.0)})
    scheduler = by_hand(WorkerLeft(at=2.0, worker="person", lost=False), narrower, approval=False)
    refused = decide(Record(1, 7.0), scheduler.state, 4.0, "", WantedResults())
    assert isinstance(refused, Verdict)
    assert refused.sentence == (
        "trial 1 is abandoned already; for its value to count all the same, tell it with its settings:"
        " orchestrator amend --result"
    )


SPEC = """\
experiment: by-hand
objective: {name: height, goal: maximise}
parameters:
  x: {type: float, bounds: [0, 1], unit: mm}
algorithm: random
budget: {trials: 2}
evaluation: {evaluator: person, approval: true}
"""


def orchestrator(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command as in another terminal, in this process."""
    words, notes = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(words), redirect_stderr(notes):
        code = cli.main(arguments)
    return subprocess.CompletedProcess(arguments, code, words.getvalue(), notes.getvalue())


def until(holds: Callable[[], bool]) -> None:
    """Wait for something, for a bounded time."""
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)


@contextmanager
def going(command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is gone in the end, whatever the test comes to."""
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_whole_run_by_hand_with_a_night_in_between(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--plain"]

    def queued() -> bool:
        return "queued" in orchestrator(tmp_path, "trials").stdout

    with going(command, tmp_path) as running:
        until(queued)
        # What nobody moves is said when the run next looks at itself.
        until(lambda: "waiting for approval of trial" in orchestrator(tmp_path, "status").stdout)
        assert orchestrator(tmp_path, "approve", "1").returncode == 0
        assert orchestrator(tmp_path, "record", "1", "--value", "3.2").returncode == 0
        wrong = orchestrator(tmp_path, "record", "1", "--value", "4")
        assert wrong.returncode == 1
        assert "completed already" in wrong.stderr
        until(queued)
        running.kill()
    for said, arguments in (
        ("expected a trial from 1 to 2, got 22", ("record", "22", "--value", "8.25")),
        ("trial 1 is completed already", ("record", "1", "--value", "8.25")),
        ("first: orchestrator approve 2", ("record", "2", "--failed", "it fell over")),
        ("expected a trial from 1 to 2, got 3", ("approve", "2", "3")),
    ):
        refused = orchestrator(tmp_path, *arguments)
        assert (refused.returncode, said in refused.stderr) == (2, True), refused.stderr
    left = orchestrator(tmp_path, "approve", "2")
    assert left.returncode == 0
    assert "when it is resumed" in left.stderr
    refused = orchestrator(tmp_path, "refuse", "2", "--reason", "too fast")
    assert refused.returncode == 2
    assert "one decision at a time on trial 2" in refused.stderr
    run = next((tmp_path / "logs").iterdir())
    command = [sys.executable, "-m", "orchestrator", "resume", str(run), "--plain"]
    with going(command, tmp_path) as running:
        until(lambda: "running" in orchestrator(tmp_path, "trials").stdout)
        extras = ("--extra", "wind=3", "--extra", "gust=inf")
        assert orchestrator(tmp_path, "record", "2", "--value", "5", *extras).returncode == 0
        assert running.wait(timeout=120) == 0
    from orchestrator.runtime.recovery.recover import Replay

    replay = Replay.of(RunFolder(run))
    replay.catch_up()
    assert replay.scheduler.state.phase is Phase.FINISHED
    assert [trial.value for trial in replay.scheduler.state.trials.values()] == [3.2, 5.0]
    assert replay.scheduler.state.trials[2].extras == {"wind": 3.0, "gust": "inf"}
    refused = orchestrator(tmp_path, "record", "2", "--value", "6")
    assert refused.returncode == 2
    assert "trial 2 is completed already, with 5; if that was typed wrongly, say --correct" in refused.stderr
    assert Desk(RunFolder(run)).waiting() == []


def test_a_result_typed_in_while_nobody_works_on_the_run_counts_when_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.replace("approval: true", "approval: false"))
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--plain"]
    with going(command, tmp_path) as running:
        until(lambda: "running" in orchestrator(tmp_path, "trials").stdout)
        running.kill()
    assert orchestrator(tmp_path, "record", "1", "--value", "3.2").returncode == 0
    run = next((tmp_path / "logs").iterdir())
    command = [sys.executable, "-m", "orchestrator", "resume", str(run), "--plain"]
    with going(command, tmp_path):
        until(lambda: "3.2" in orchestrator(tmp_path, "trials").stdout)


def test_a_request_in_another_encoding_is_answered_and_the_run_goes_on(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    desk.path.mkdir()
    (desk.path / "1.json").write_bytes('{"type":"refuse","trial":1,"reason":"zu früh"}'.encode("latin-1"))
    [waiting] = desk.waiting()
    assert waiting.request is None
    assert "utf-8" in waiting.complaint.lower()


def test_words_that_are_no_text_are_refused_before_anything_is_left(tmp_path: Path) -> None:
    desk = Desk(RunFolder(tmp_path))
    with pytest.raises(UsageError, match="in UTF-8"):
        desk.leave(Refuse(1, "zu fr\udcfch"))
    assert desk.waiting() == []
