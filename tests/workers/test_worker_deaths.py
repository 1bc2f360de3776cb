"""An evaluation that dies or hangs costs one attempt: a failure of the right kind, then a fresh process."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest
from worker_lab import Lab, eventually, failure, is_alive, outcome, result

from orchestrator.wire.messages import Cancel, Failure
from orchestrator.wire.scripted import ScriptedOrchestrator


def noted_before_its_timeout(lab: Lab, wire: ScriptedOrchestrator, how: str) -> list[int]:
    """The processes that an evaluation started before it was killed; it has longer where it started none."""
    note = lab.directory / "note"
    for timeout_s in (0.5, 3.0, 12.0, 48.0):
        wire.evaluate(f"{timeout_s}", {"how": how, "note": str(note)}, timeout_s=timeout_s)
        assert failure(wire, f"{timeout_s}").kind == "timeout"
        if note.exists():
            break
    return [int(pid) for pid in note.read_text().split()]


@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("segfault", "killed", "killed by SIGSEGV"),
        ("kill", "killed", "killed by SIGKILL (often the kernel, when memory runs out)"),
        ("os._exit", "error", "ended its process with exit code 3"),
        ("hungry", "error", "MemoryError"),
        ("close all", "error", "closed the pipe to its worker"),
    ],
)
def test_a_death_is_one_failure_and_the_next_evaluation_gets_a_fresh_process(
    lab: Lab, how: str, kind: str, words: str
) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address, grace_s=0.3)
    wire.greet()
    wire.evaluate("before", {"how": "well"})
    before = result(wire, "before").value
    wire.evaluate("death", {"how": how})
    wire.evaluate("after", {"how": "well"})
    answer = failure(wire, "death")
    assert answer.kind == kind
    assert words in answer.message
    assert result(wire, "after").value != before


@pytest.mark.parametrize("how", ["hang", "stubborn"])
def test_an_evaluation_is_killed_at_its_timeout(lab: Lab, how: str) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address, grace_s=0.3)
    wire.greet()
    wire.evaluate("late", {"how": how}, timeout_s=0.3)
    answer = failure(wire, "late")
    assert answer.kind == "timeout"
    assert "timeout of 0.3 s" in answer.message
    assert answer.elapsed_s >= 0.3
    wire.evaluate("after", {"how": "well"}, timeout_s=60)
    result(wire, "after")


def test_the_first_of_a_process_is_told_that_what_it_set_up_counted_towards_its_timeout(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("first", {"how": "hang"}, timeout_s=0.3)
    assert "the first in its process: what it set up counted" in failure(wire, "first").message
    wire.evaluate("second", {"how": "well"}, timeout_s=60)
    result(wire, "second")
    wire.evaluate("third", {"how": "hang"}, timeout_s=0.3)
    assert failure(wire, "third").message == "the evaluation was killed after its timeout of 0.3 s"


def test_importing_the_evaluator_does_not_count(lab: Lab) -> None:
    source = "import time\ntime.sleep(2.5)\ndef drag(parameters):\n    return 0.02\n"
    (lab.directory / "heavy.py").write_text(source)
    wire = lab.orchestrator("heavy:drag")
    lab.start(wire.address, "--evaluator", "heavy:drag")
    wire.greet()
    wire.evaluate("first", {"x": 0.5}, timeout_s=2.0)
    assert result(wire, "first").value == 0.02


def test_a_program_has_nothing_set_up_before_it_and_is_told_no_such_thing(lab: Lab) -> None:
    wire = lab.orchestrator("evaluators.command:run", parameters=["x"])
    lab.start(wire.address, "--command", "sh", "-c", "sleep {x}")
    wire.greet()
    wire.evaluate("first", {"x": 60.0}, timeout_s=0.3)
    assert failure(wire, "first").message == "the evaluation was killed after its timeout of 0.3 s"


def test_what_an_evaluation_started_is_killed_with_it(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    child, grandchild = noted_before_its_timeout(lab, wire, "grandchild")
    eventually(lambda: not is_alive(child) and not is_alive(grandchild))


@pytest.mark.skipif(sys.platform != "linux", reason="they are found by /proc")
def test_what_an_evaluation_started_in_a_session_of_its_own_is_killed_with_it(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    daemon, unmarked = noted_before_its_timeout(lab, wire, "daemon")
    try:
        eventually(lambda: not is_alive(daemon))
        assert is_alive(unmarked)
    finally:
        for process in (daemon, unmarked):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def test_a_cancelled_evaluation_is_killed_and_nothing_more_is_said_of_it(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    note = lab.directory / "note"
    wire.evaluate("unwanted", {"how": "grandchild", "note": str(note)})
    eventually(lambda: note.exists() and note.read_text())
    wire.evaluate("queued", {"how": "well"})
    wire.evaluate("next", {"how": "well"})
    wire.send(Cancel(lease="unwanted"))
    wire.send(Cancel(lease="queued"))
    wire.send(Cancel(lease="never heard of"))
    result(wire, "next")
    eventually(lambda: not any(is_alive(int(pid)) for pid in note.read_text().split()))


def test_a_process_killed_between_evaluations_is_replaced_unnoticed(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    pid = int(result(wire, "L1").value)
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not Path(f"/proc/{pid}").exists())
    wire.evaluate("L2", {"how": "well"})
    assert result(wire, "L2").value != pid


def test_children_die_with_a_worker_that_is_killed(lab: Lab) -> None:
    wire = lab.orchestrator()
    worker = lab.start(wire.address)
    wire.greet()
    note = lab.directory / "note"
    wire.evaluate("running", {"how": "grandchild", "note": str(note)})
    eventually(lambda: note.exists() and note.read_text())
    worker.kill()
    eventually(lambda: not any(is_alive(int(pid)) for pid in note.read_text().split()))


def test_a_queue_longer_than_the_slots_survives_a_death_in_its_middle(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    for number in range(6):
        wire.evaluate(f"L{number}", {"how": "segfault" if number == 2 else "well"}, trial=number)
    answers = [outcome(wire, f"L{number}") for number in range(6)]
    assert [isinstance(answer, Failure) for answer in answers] == [False, False, True, False, False, False]
