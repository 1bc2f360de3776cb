"""Our own worker keeps every rule of the kit, and the kit notices workers that do not."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from orchestrator.wire.conformance import check_worker, main
from orchestrator.wire.messages import Heartbeat, Welcome
from orchestrator.wire.scripted import ScriptedOrchestrator, ScriptedWorker

NAP = "import time\ndef nap(parameters):\n    time.sleep(parameters['s'])\n    return parameters['s']\n"


def test_our_worker_keeps_every_rule(tmp_path: Path, monkeypatch, capfd) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "naps.py").write_text(NAP)
    monkeypatch.chdir(tmp_path)
    worker = [sys.executable, "-m", "evaluators.worker", "--connect", "{address}", "--evaluator", "naps:nap"]
    code = main(
        [
            *("worker", "--evaluator", "naps:nap", "--parameters", '{"s": 0.0}', "--slow", '{"s": 600}'),
            *("--", *worker, "--directory", str(tmp_path / "files"), "--grace", "0.3"),
        ]
    )
    printed = capfd.readouterr().out
    assert "BROKEN" not in printed
    assert "not tried" not in printed
    assert printed.count("kept  ") == 17
    assert code == 0


def test_the_kits_help_shows_command_lines_that_can_be_copied(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    last = (
        "    python -m orchestrator.wire.conformance orchestrator tcp://127.0.0.1:5555 --evaluator wing:drag"
    )
    assert last in capsys.readouterr().out.splitlines()


def test_a_worker_whose_evaluator_calls_the_value_as_the_kit_does_keeps_them_too(  # type: ignore[no-untyped-def]
    tmp_path: Path, monkeypatch, capfd
) -> None:
    (tmp_path / "wings.py").write_text("def drag(parameters):\n    return {'drag': 1.5, 'lift': 2.0}\n")
    monkeypatch.chdir(tmp_path)
    worker = [
        sys.executable,
        "-m",
        "evaluators.worker",
        "--connect",
        "{address}",
        "--evaluator",
        "wings:drag",
    ]
    command = [*worker, "--directory", str(tmp_path / "files"), "--grace", "0.3"]
    assert main(["worker", "--evaluator", "wings:drag", "--objective", "drag", "--", *command]) == 0
    assert main(["worker", "--evaluator", "wings:drag", "--", *command, "--name", "unnamed"]) == 1
    assert "expected a mapping with `value`, got one with `drag`, `lift`" in capfd.readouterr().out


def test_what_a_worker_keeps_of_a_check_that_was_broken_off_is_not_held_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "naps.py").write_text(NAP)
    monkeypatch.chdir(tmp_path)
    worker = [sys.executable, "-m", "evaluators.worker", "--connect", "{address}", "--evaluator", "naps:nap"]
    command = [*worker, "--directory", str(tmp_path / "files"), "--grace", "0.3"]
    broken_off = check_worker(command, "naps:nap", {"s": 0.0})
    assert isinstance(broken_off, Generator)
    assert next(f for f in broken_off if f.rule.startswith("answers an evaluation")).kept
    broken_off.close()
    assert [
        finding.rule for finding in check_worker(command, "naps:nap", {"s": 0.0}) if not finding.kept
    ] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["worker", "--", "./no_such_worker", "{address}"], "can be started after --, got ./no_such_worker"),
        (["worker", "--parameters", "span=3"], "expected a JSON object, such as '{\"span\": 3}', got span=3"),
        (["worker", "--slow", "9"], "expected a JSON object, such as '{\"span\": 3}', got 9"),
        (["orchestrator", "localhost"], "expected an address such as tcp://127.0.0.1:5555, got localhost"),
    ],
)
def test_a_mistake_on_the_command_line_is_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    side, *others = arguments
    with pytest.raises(SystemExit, match="2"):
        main([side, "--evaluator", "m:f", *others])
    assert said in capsys.readouterr().err


RUDE = """
import sys, time, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1])
socket.send(b'{"type":"hello","protocol":1,"worker":"rude","session":"s","evaluators":["m:f"]}')
session = 0
while True:
    if b'"reject"' in socket.recv():
        session += 1
        hello = '{"type":"hello","protocol":1,"worker":"rude","session":"%d","evaluators":["m:f"]}' % session
        socket.send(hello.encode())
"""


def test_a_worker_that_breaks_a_rule_is_told_which() -> None:
    findings = list(check_worker([sys.executable, "-c", RUDE, "{address}"], "m:f", {}))
    assert [finding.kept for finding in findings] == [True, False]
    assert findings[-1].rule.startswith("says hello again, of the same session")
    assert findings[-1].breach == "expected session s again, got 1"


SPEAKER = """
import sys, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1])
socket.send_multipart([frame.encode() for frame in sys.argv[2:]])
socket.recv()
"""


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        (
            ['{"protocol":"1"}'],
            'expected a message of the protocol, got b\'{"protocol":"1"}\': Object missing',
        ),
        (["", '{"type":"heartbeat"}'], "expected a message of one frame, without a delimiter, got 2 frames"),
    ],
    ids=["no message", "a delimiter"],
)
def test_a_worker_that_sends_what_is_no_message_is_told_what_it_sent(frames: list[str], said: str) -> None:
    (finding,) = check_worker([sys.executable, "-c", SPEAKER, "{address}", *frames], "m:f", {})
    assert finding.breach.startswith(said)


def test_what_is_not_tried_without_a_slow_evaluation_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["worker", "--evaluator", "m:f", "--", sys.executable, "-c", "0", "{address}"]) == 1
    said = "not tried, without --slow: leases in heartbeats, cancelling, timeouts, draining at work"
    assert capfd.readouterr().out.startswith(said)


def test_a_worker_that_dies_is_not_waited_for() -> None:
    (finding,) = check_worker([sys.executable, "-c", "raise SystemExit(3)", "{address}"], "m:f", {})
    assert finding.breach == "expected Hello, none came: the worker's process has ended, with exit code 3"


HASTY = """
import json, sys, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1])
hello = b'{"type":"hello","protocol":1,"worker":"hasty","session":"s","evaluators":["m:f"]}'
socket.send(hello)
kept, welcomed = {}, False
while True:
    if welcomed and not socket.poll(200):
        socket.send(b'{"type":"heartbeat"}')
        continue
    try:
        message = json.loads(socket.recv())
        kind = message["type"]
    except (ValueError, KeyError, TypeError):
        continue
    if kind == "reject":
        welcomed = False
        socket.send(hello)
    elif kind == "welcome":
        welcomed = True
        socket.send(b'{"type":"heartbeat"}')
        for frame in kept.values():
            socket.send(frame)
    elif kind == "evaluate" and "lease" in message:
        lease = message["lease"]
        outcome = {key: message[key] for key in ("run", "lease", "trial")}
        kept.setdefault(lease, json.dumps({"type": "result", "value": 1.0, **outcome}).encode())
        socket.send(kept[lease])
    elif kind == "acknowledge":
        kept.pop(message["lease"], None)
"""


def test_a_worker_that_beats_before_it_delivers_is_told_so() -> None:
    findings = list(check_worker([sys.executable, "-c", HASTY, "{address}"], "m:f", {}))
    assert findings[-1].rule.startswith("sends all that it keeps, oldest first, before its first beat")
    assert findings[-1].breach.startswith("expected Result or Failure, got Heartbeat(")


def test_a_hello_that_crossed_its_welcome_is_not_held_against_a_worker() -> None:
    """As of one that repeats it each second without an answer: what it repeats may be on its way already."""
    in_order = HASTY.replace(
        """        socket.send(b'{"type":"heartbeat"}')\n        for frame""", "        for frame"
    )
    repeating = in_order.replace("socket.send(hello)", "socket.send(hello); socket.send(hello)")
    findings = list(check_worker([sys.executable, "-c", repeating, "{address}"], "m:f", {}))
    assert [finding.rule for finding in findings if not finding.kept] == [
        "keeps results of another run, and sends them only to that run"
    ]


def test_a_hello_said_again_over_another_connection_is_welcomed_again_before_anything_else_was_said() -> None:
    """As of one that was held up right after its welcome, and took the other side for gone."""
    with ScriptedOrchestrator("m:f") as wire:
        first, again = (ScriptedWorker(wire.address, "held-up", "m:f") for _ in range(2))
        with first, again:
            first.hello()
            wire.greet()
            assert first.expect(Welcome) == wire.assignment
            first.hello()
            assert wire.receive(0.2) is None
            again.hello()
            again.send(Heartbeat())
            assert wire.receive() == Heartbeat()
            assert again.expect(Welcome) == wire.assignment
            assert first.receive(0.0) is None, "over the same one its welcome is on its way"


def test_a_worker_that_says_hello_after_it_was_heard_is_told_so() -> None:
    talkative = HASTY.replace(
        """socket.send(b'{"type":"heartbeat"}')\n        continue""",
        'socket.send(b\'{"type":"heartbeat"}\'); socket.send(hello)\n        continue',
    )
    findings = list(check_worker([sys.executable, "-c", talkative, "{address}"], "m:f", {}))
    assert findings[-1].rule.startswith("beats at the interval")
    assert findings[-1].breach.startswith("expected Heartbeat, got Hello")
