"""The worker in C++ with several slots, each of which may have variables of its own."""

from __future__ import annotations

import os
import signal

import pytest
from native_lab import NEEDS_A_COMPILER, NativeLab, arm_of, children, evaluating
from worker_lab import eventually, failure, result

from orchestrator.wire.messages import Heartbeat
from orchestrator.wire.scripted import ScriptedOrchestrator

pytestmark = NEEDS_A_COMPILER


def test_two_slots_work_at_a_time_and_a_third_lease_waits(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    worker = native.start(wire.address, "--slots", "2")
    assert wire.greet().slots == 2
    for lease in ("L1", "L2", "L3"):
        wire.evaluate(lease, {"x": 0.5, "nap_s": 600})
    while sorted(wire.expect(Heartbeat).leases) != ["L1", "L2", "L3"]:
        pass
    assert len(children(worker)) == 2


def test_each_slot_has_variables_of_its_own_and_says_so(
    wire: ScriptedOrchestrator, native: NativeLab
) -> None:
    worker = native.start(
        wire.address, "--slots", "2", "--each", "ARM=left", "ARM=right", "--each=GPU=3", "--each=GPU=3"
    )
    assert wire.greet().own == {"GPU": "3"}
    for trial in (1, 2):
        wire.evaluate(f"L{trial}", {"x": 0.5, "nap_s": 600}, trial=trial)
    eventually(lambda: len(children(worker)) == 2)
    arms = {arm_of(child): child for child in children(worker)}
    assert arms.keys() == {"left", "right"}
    os.kill(arms["left"], signal.SIGKILL)
    assert failure(wire, "L1").own == {"ARM": "left", "GPU": "3"}
    wire.evaluate("L3", {"x": 0.5}, trial=3)
    assert result(wire, "L3").own == {"ARM": "left", "GPU": "3"}


def test_its_slots_own_outdoes_what_it_was_started_with(
    wire: ScriptedOrchestrator, native: NativeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARM", "any")
    assert arm_of(evaluating(wire, native.start(wire.address, "--each", "ARM=a=b"))) == "a=b"


def test_without_any_of_its_own_it_says_nothing_of_it(wire: ScriptedOrchestrator, native: NativeLab) -> None:
    native.start(wire.address)
    assert wire.greet().own == {}
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").own == {}
