"""What an evaluation may return, print and report, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from worker_lab import WORKLOADS, Lab, eventually, failure, outcome, result

from evaluators.output import KEPT_ON_DISK
from orchestrator.wire.messages import Acknowledge, Heartbeat, Progress, Result
from orchestrator.wire.scripted import ScriptedOrchestrator


def test_a_number_comes_back_with_the_lease_and_trial_it_was_asked_for(lab: Lab) -> None:
    wire = lab.orchestrator("total")
    lab.start(wire.address, "--evaluator", f"{WORKLOADS}:total")
    hello = wire.greet()
    wire.evaluate("L1", {"a": 1.5, "b": 2}, trial=3)
    answer = result(wire, "L1")
    assert (answer.run, answer.trial, answer.value) == ("run-1", 3, 3.5)
    assert (hello.worker, hello.slots, hello.evaluators) == ("w", 1, [f"{WORKLOADS}:total"])


def test_a_mapping_brings_variance_factors_extras_and_progress_along(lab: Lab) -> None:
    wire = lab.orchestrator("in_full", options={"offset": 10.0})
    lab.start(wire.address, "--evaluator", f"{WORKLOADS}:in_full")
    wire.greet()
    wire.evaluate("L1", {"x": 0.5}, trial=41)
    steps = [wire.expect(Progress, passing_over=(Heartbeat,)) for _ in range(3)]
    answer = result(wire, "L1")
    assert [(report.lease, report.step) for report in steps] == [("L1", 0), ("L1", 1), ("L1", 2)]
    assert steps[1].values == {"loss": 0.5}
    assert (answer.value, answer.variance, answer.factors) == (10.5, 0.25, [1.0, 2.0])
    assert (answer.extras["seed"], answer.extras["attempt"]) == (41, 1)
    assert answer.extras["history"] == [[1, 2], [3, 4]]


def test_the_process_lives_on_between_evaluations_so_that_imports_are_paid_once(lab: Lab) -> None:
    wire = lab.orchestrator("in_full")
    lab.start(wire.address, "--evaluator", f"{WORKLOADS}:in_full")
    wire.greet()
    answers = []
    for number in range(3):
        wire.evaluate(f"L{number}", {"x": 0.0})
        answers.append(result(wire, f"L{number}").extras)
    assert len({answer["process"] for answer in answers}) == 1
    assert [answer["calls"] for answer in answers] == [1, 2, 3]


def test_several_slots_evaluate_side_by_side(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=1.0)
    lab.start(wire.address, "--slots", "2", "--evaluator", f"{WORKLOADS}:behave")
    assert wire.greet().slots == 2
    gate = lab.directory / "gate"
    for lease in ("L1", "L2"):
        wire.evaluate(lease, {"how": "gate", "note": str(lab.directory / lease), "open": str(gate)})
    beat = wire.expect(Heartbeat)
    while sorted(beat.leases) != ["L1", "L2"]:
        beat = wire.expect(Heartbeat)
    while not all((lab.directory / lease).exists() for lease in ("L1", "L2")):
        wire.receive(0.05)
    gate.touch()
    answers = [wire.expect(Result) for _ in range(2)]
    assert len({answer.value for answer in answers}) == 2


def test_what_is_printed_without_end_is_cut_while_it_runs_and_its_last_lines_stay(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=60.0)
    lab.start(wire.address)
    wire.greet()
    note, gate = lab.directory / "chatters", lab.directory / "may-end"
    told = {"how": "chatter", "megabytes": 80, "note": str(note), "open": str(gate)}
    wire.evaluate("chatter", told, trial=23)
    eventually(note.exists)
    bound = KEPT_ON_DISK + (1 << 16)
    # Not as soon as it is cut: what is printed until that is said stands before the words that say it.
    eventually(lambda: KEPT_ON_DISK < (lab.directory / "w" / "slot-0.out").stat().st_size < bound)
    gate.touch()
    result(wire, "chatter")
    kept = lab.trial_file(23, "attempt-1.out")
    assert kept.stat().st_size < bound
    end = kept.read_bytes()[KEPT_ON_DISK:]
    assert end.startswith(b"\n[the rest was not kept, but for the last of it]\nx")
    assert end.endswith(b"x\nchatter ends\nfarewell\n")


class TestOneWorkerThroughEverything:
    """One worker, whose evaluator misbehaves in every way that needs no death."""

    @pytest.fixture(scope="class")
    @classmethod
    def wire(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScriptedOrchestrator]:
        lab = cls.lab = Lab(tmp_path_factory.mktemp("everything"))
        wire = lab.orchestrator()
        lab.start(wire.address)
        wire.greet()
        yield wire
        lab.close()

    lab: Lab

    @pytest.mark.parametrize(
        ("how", "words"),
        [
            ("none", "got None (does the function end without `return`?)"),
            ("text", "expected a number, or a mapping with `value`, got '0.5' (str)"),
            ("true", "got True (bool)"),
            ("nan", "finite number, got nan"),
            ("infinity", "finite number, got -inf"),
            ("complex", "got 1j (complex)"),
            ("array", "got an array of shape (3,)"),
            ("negative variance", "expected a `variance` of 0 or more, got -1.0"),
            ("no value", "expected a mapping with `value`, got one with `accuracy`"),
            ("large", "write large extras to a file"),
            ("surrogate", "extra `name`"),
            ("wordy progress", "report: expected a number as loss, got 'low'"),
        ],
    )
    def test_what_is_no_result_is_an_invalid_one_in_words(
        self, wire: ScriptedOrchestrator, how: str, words: str
    ) -> None:
        wire.evaluate(how, {"how": how})
        answer = failure(wire, how)
        assert answer.kind == "invalid"
        assert words in answer.message
        assert answer.elapsed_s > 0.0

    def test_an_exception_is_an_error_with_its_type_text_and_place(self, wire: ScriptedOrchestrator) -> None:
        wire.evaluate("raise", {"how": "raise"}, trial=12)
        answer = failure(wire, "raise")
        assert answer.kind == "error"
        assert answer.message.startswith("ZeroDivisionError: division by zero\n")
        assert "in _raise" in answer.message
        kept = self.lab.trial_file(12, "attempt-1.out").read_text()
        assert "about to divide" in kept
        assert "Traceback" in kept

    def test_leaving_the_interpreter_is_an_error(self, wire: ScriptedOrchestrator) -> None:
        wire.evaluate("exit", {"how": "sys.exit"})
        answer = failure(wire, "exit")
        assert answer.kind == "error"
        assert "sys.exit(3)" in answer.message

    def test_what_is_printed_is_kept_with_its_trial_and_no_other(self, wire: ScriptedOrchestrator) -> None:
        for trial, what in ((20, "first"), (21, "second")):
            wire.evaluate(what, {"how": "print", "what": what}, trial=trial)
            result(wire, what)
        wire.evaluate("silent", {"how": "well"}, trial=22)
        result(wire, "silent")
        assert self.lab.trial_file(20, "attempt-1.out").read_text().endswith("printed first\n")
        assert self.lab.trial_file(21, "attempt-1.out").read_text() == "printed second\n"
        assert not self.lab.trial_file(22, "attempt-1.out").parent.exists()

    def test_bytes_that_are_no_text_harm_nothing(self, wire: ScriptedOrchestrator) -> None:
        wire.evaluate("binary", {"how": "binary"}, trial=30)
        assert result(wire, "binary").value == 1.0
        kept = self.lab.trial_file(30, "attempt-1.out").read_bytes()
        assert kept == bytes(range(256)) * 300 + b"text after it"
        wire.evaluate("odd name", {"how": "odd name"}, trial=31)
        assert result(wire, "odd name").value == 1.0
        assert self.lab.trial_file(31, "attempt-1.out").read_text() == "reading h\\udcf6he.dat\n"

    def test_a_disk_that_takes_no_more_of_what_is_printed_costs_no_result(
        self, wire: ScriptedOrchestrator
    ) -> None:
        wire.evaluate("no room", {"how": "no room"}, trial=32)
        assert result(wire, "no room").value == 1.0
        assert self.lab.trial_file(32, "attempt-1.out").stat().st_size <= 4096

    def test_closing_its_outputs_harms_nothing(self, wire: ScriptedOrchestrator) -> None:
        wire.evaluate("close", {"how": "close outputs"}, trial=31)
        assert result(wire, "close").value == 1.0
        wire.evaluate("after", {"how": "well"}, trial=32)
        assert result(wire, "after").value > 0

    def test_a_flood_of_progress_is_thinned_and_ends_with_the_newest(
        self, wire: ScriptedOrchestrator
    ) -> None:
        wire.evaluate("flood", {"how": "flood"})
        reports = []
        while not isinstance(message := wire.receive(), Result):
            assert message is not None
            if isinstance(message, Progress):
                reports.append(message)
        # Some twenty, and twenty more for each second that this takes.
        assert len(reports) < 1000
        assert reports[-1].step == 4999
        assert message.lease == "flood"

    def test_progress_that_no_frame_holds_is_passed_over_and_that_is_said(
        self, wire: ScriptedOrchestrator
    ) -> None:
        """It would end the connection."""
        wire.evaluate("big", {"how": "large progress"}, trial=31)
        answer = wire.expect(Result, passing_over=(Heartbeat,))
        assert (answer.lease, answer.value) == ("big", 1.0)
        wire.send(Acknowledge(lease="big"))
        said = self.lab.trial_file(31, "attempt-1.out").read_text()
        assert "what is reported at step 1 is passed over: expected 1,048,576 bytes at most, got 2," in said

    def test_a_lease_given_twice_is_evaluated_once(self, wire: ScriptedOrchestrator) -> None:
        wire.evaluate("twice", {"how": "well"})
        wire.evaluate("twice", {"how": "well"})
        wire.evaluate("next", {"how": "well"})
        first = wire.expect(Result)
        second = wire.expect(Result)
        assert first.lease == "twice"
        # Given again after its end but before its acknowledgement, it would be the same result again.
        assert second in (first, second if second.lease == "next" else first)
        if second.lease == "twice":
            outcome(wire, "next")
