"""What each slot of a worker has of its own: its evaluations find it, and no other slot's do meanwhile."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import pytest
from worker_lab import PATIENCE_S, WORKLOADS, Lab, eventually, failure, result

from orchestrator.wire.messages import Acknowledge, Goodbye, Result
from orchestrator.wire.scripted import ScriptedOrchestrator

ARMS = ("--slots", "2", "--each", "ARM_PORT=/dev/ttyUSB0", "ARM_PORT=/dev/ttyUSB1")
COMMAND = "evaluators.command:run"
PRINTS_OWN = (
    "import json, os, sys; print(json.dumps({'value': 1, 'gpu': os.environ['GPU'], 'told': sys.argv[1:]}))"
)
BESIDE_THREE_OTHERS = (
    "import os, sys, time; _, folder, x, *_ = sys.argv; open(folder + '/' + x + '.begun', 'w').close()\n"
    "while sum(name.endswith('.begun') for name in os.listdir(folder)) < 4: time.sleep(0.01)\n"
    "import json; print(json.dumps({'value': 1, 'gpu': os.environ['GPU'], 'told': sys.argv[2:]}))"
)
"""None ends before all have begun: else a slot that is free again would be given the next."""


def _held(lab: Lab, wire: ScriptedOrchestrator, lease: str) -> int:
    """An evaluation that goes on until the gate of its lease is opened; its process."""
    note = lab.directory / f"{lease}.note"
    wire.evaluate(
        lease, {"how": "hold port", "note": str(note), "open": str(lab.directory / f"{lease}.open")}
    )
    eventually(lambda: note.exists() and note.read_text())
    return int(note.read_text())


def _opened(lab: Lab, wire: ScriptedOrchestrator, lease: str) -> dict[str, Any]:
    (lab.directory / f"{lease}.open").touch()
    return result(wire, lease).extras


def test_evaluations_side_by_side_find_each_another_when_their_module_is_imported_and_later(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address, *ARMS, "--evaluator", f"{WORKLOADS}:behave")
    wire.greet()
    for lease in ("L1", "L2"):
        _held(lab, wire, lease)
    told = [_opened(lab, wire, lease) for lease in ("L1", "L2")]
    ports = ["/dev/ttyUSB0", "/dev/ttyUSB1"]
    assert told == [{"port": port, "now": port, "own": {"ARM_PORT": port}} for port in ports]


def test_a_slot_whose_process_was_killed_keeps_what_it_has(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address, *ARMS, "--evaluator", f"{WORKLOADS}:behave")
    wire.greet()
    first, second = (_held(lab, wire, lease) for lease in ("L1", "L2"))
    os.kill(first, signal.SIGKILL)
    assert failure(wire, "L1").kind == "killed"
    third = _held(lab, wire, "L3")
    assert len({first, second, third}) == 3
    assert _opened(lab, wire, "L3")["now"] == "/dev/ttyUSB0"
    assert _opened(lab, wire, "L2")["now"] == "/dev/ttyUSB1"


def test_a_value_may_hold_commas_and_equal_signs_be_empty_or_come_twice(lab: Lab) -> None:
    wire = lab.orchestrator(COMMAND, parameters=["x"])
    values = ["0,1", "a=b", "", ""]
    each = [f"--each=GPU={value}" for value in values]
    program = (sys.executable, "-c", BESIDE_THREE_OTHERS, str(lab.directory), "{x}", "{GPU}")
    lab.start(wire.address, "--slots", "4", *each, "--command", *program)
    wire.greet()
    for number in range(4):
        wire.evaluate(f"L{number}", {"x": number})
    told = {}
    for _ in range(4):
        outcome = wire.expect(Result)
        wire.send(Acknowledge(lease=outcome.lease))
        told[outcome.lease] = outcome.extras
    assert [told[f"L{number}"] for number in range(4)] == [
        {"gpu": value, "told": [str(number), value]} for number, value in enumerate(values)
    ]


def test_an_input_file_made_from_a_template_has_it_too(lab: Lab) -> None:
    (lab.directory / "in.template").write_text('{"x": {x}, "gpu": "{GPU}", "other": "{nozzle}"}')
    wire = lab.orchestrator(COMMAND, parameters=["x"])
    program = (
        "import json; told = json.load(open('x.json')); print(json.dumps({'value': told.pop('x'), **told}))"
    )
    lab.start(
        *(wire.address, "--each", "GPU=3", "--template", "x.json=in.template"),
        *("--command", sys.executable, "-c", program),
    )
    wire.greet()
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").extras == {"gpu": "3", "other": "{nozzle}"}


def test_what_a_worker_has_of_its_own_outdoes_what_it_was_started_with(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPU", "all")
    wire = lab.orchestrator(COMMAND, parameters=["x"])
    lab.start(wire.address, "--each", "GPU=3", "--command", sys.executable, "-c", PRINTS_OWN, "{x}")
    wire.greet()
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").extras["gpu"] == "3"


def test_the_worker_says_what_all_its_slots_have_as_it_joins_and_what_one_had_with_the_outcome(
    lab: Lab,
) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address, *ARMS, "--each", "GPU=3", "GPU=3", "--evaluator", f"{WORKLOADS}:behave")
    assert wire.greet().own == {"GPU": "3"}
    process, _ = _held(lab, wire, "L1"), _held(lab, wire, "L2")
    (lab.directory / "L2.open").touch()
    assert result(wire, "L2").own == {"ARM_PORT": "/dev/ttyUSB1", "GPU": "3"}
    wire.evaluate("L3", {"how": "raise"})
    assert failure(wire, "L3").own == {"ARM_PORT": "/dev/ttyUSB1", "GPU": "3"}
    os.kill(process, signal.SIGKILL)
    assert failure(wire, "L1").own == {"ARM_PORT": "/dev/ttyUSB0", "GPU": "3"}


def test_bytes_that_are_no_text_are_no_reason_to_lose_a_result(lab: Lab) -> None:
    wire = lab.orchestrator(COMMAND, parameters=["x"])
    lab.start(wire.address, "--each", "GPU=\udcff", "--command", "sh", "-c", "echo 1", "{x}")
    assert wire.greet().own == {"GPU": "?"}
    wire.evaluate("L1", {"x": 0.5})
    assert result(wire, "L1").own == {"GPU": "?"}


def _reason(lab: Lab, *arguments: str) -> str:
    """Why a worker gives up on a run of a program whose spec names its own GPU."""
    spec_says = {"command": ["echo", "{x}", "{GPU}"]}
    wire = lab.orchestrator(COMMAND, options=spec_says, parameters=["x"])
    worker = lab.start(wire.address, *arguments, "--evaluator", COMMAND)
    wire.greet()
    reason = wire.expect(Goodbye).reason
    assert worker.wait(PATIENCE_S) == 2
    return reason


def test_a_worker_that_lacks_what_the_program_asks_for_says_how_it_is_given(lab: Lab) -> None:
    assert "names no parameter {GPU}; expected one of x, seed" in (reason := _reason(lab))
    assert reason.endswith("or --each GPU=VALUE where its worker is started")


def test_a_name_that_is_also_a_parameters_is_refused_before_it_costs_a_trial(lab: Lab) -> None:
    reason = _reason(lab, "--each", "x=1")
    assert reason == "expected --each with a name that no parameter of the run has, got `x`"


def test_without_any_an_evaluation_has_nothing_of_its_own(lab: Lab) -> None:
    (lab.directory / "bare.py").write_text(
        "def drag(parameters, *, context):\n    return {'value': 1, 'own': dict(context.own)}\n"
    )
    wire = lab.orchestrator("bare:drag")
    lab.start(wire.address, "--evaluator", "bare:drag")
    wire.greet()
    wire.evaluate("L1", {"x": 1.0})
    assert result(wire, "L1").extras == {"own": {}}
