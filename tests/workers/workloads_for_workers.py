"""Evaluators that do what real ones do on bad days. Imported by evaluation processes, not by tests."""

from __future__ import annotations

import atexit
import itertools
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from evaluators.context import Context
from evaluators.errors import NoRoom

print("a library that chatters when it is imported", file=sys.stderr)
_calls = itertools.count(1)
_port_at_import = os.environ.get("ARM_PORT")


def total(parameters: dict[str, float]) -> float:
    return sum(parameters.values())


def in_full(parameters: dict[str, Any], *, offset: float = 0.0, context: Context) -> dict[str, Any]:
    for step in range(3):
        context.report(step, loss=1.0 / (step + 1))
    return {
        "value": np.float32(parameters["x"] + offset),
        "variance": 0.25,
        "factors": np.array([1.0, 2.0]),
        "seed": context.seed,
        "attempt": context.attempt,
        "history": np.array([[1, 2], [3, 4]]),
        "process": os.getpid(),
        "calls": next(_calls),
    }


def shifted(parameters: dict[str, Any], *, shift: float, context: Context) -> float:
    """What the spec's option says, as soon as it may end."""
    _gate(parameters, context)
    return shift


def behave(parameters: dict[str, Any], *, context: Context) -> Any:
    """Whatever ``how`` says."""
    return _BEHAVIOURS[parameters["how"]](parameters, context)


def _note(parameters: dict[str, Any], text: str) -> None:
    """Leave a note, which is whole as soon as it is there."""
    draft = Path(f"{parameters['note']}.draft")
    draft.write_text(text)
    draft.rename(parameters["note"])


def _grandchild(parameters: dict[str, Any], context: Context) -> float:
    started = subprocess.Popen(["sleep", "600"])
    _note(parameters, f"{os.getpid()} {started.pid}")
    time.sleep(600)
    return 0.0


def _program(parameters: dict[str, Any], context: Context) -> float:
    """That ends when the gate's file appears."""
    waits = ["sh", "-c", 'until [ -e "$0" ]; do sleep 0.01; done', parameters["open"]]
    with subprocess.Popen(waits) as started:
        _note(parameters, f"{started.pid} {os.getpid()}")
    if started.returncode < 0:
        # Whoever ended the program ends this process as well.
        time.sleep(600)
    return float(started.returncode)


def _daemon(parameters: dict[str, Any], context: Context) -> float:
    """Has a process in a session of its own, whose parent has gone; and another that asked to be let be."""
    start = ["sh", "-c", "setsid sleep 600 > /dev/null & echo $!"]
    unmarked = {name: value for name, value in os.environ.items() if name != "ORCHESTRATOR_EVALUATION"}
    started = [
        int(subprocess.run(start, env=environment, stdout=subprocess.PIPE, check=True).stdout)
        for environment in (None, unmarked)
    ]
    _note(parameters, " ".join(map(str, started)))
    time.sleep(600)
    return 0.0


def _fork(parameters: dict[str, Any], context: Context) -> dict[str, Any]:
    """Has a copy of itself do some of the work, which then comes back from here as the original does."""
    copy = os.fork()
    if copy == 0:
        if parameters["copy"] == "raises":
            raise ValueError("the copy has nothing to do")
        if parameters["copy"] == "exits":
            sys.exit(7)
        return {"value": -1.0}
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    return {"value": 1.0, "code": code, "process": os.getpid()}


def _stubborn(parameters: dict[str, Any], context: Context) -> float:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
    return 0.0


def _gate(parameters: dict[str, Any], context: Context) -> float:
    """Says that it runs, then waits until it may end."""
    _note(parameters, str(os.getpid()))
    while not Path(parameters["open"]).exists():
        time.sleep(0.005)
    return float(os.getpid())


def _gate_and_report(parameters: dict[str, Any], context: Context) -> float:
    value = _gate(parameters, context)
    context.report(1, loss=0.5)
    return value


def _holds_port(parameters: dict[str, Any], context: Context) -> dict[str, Any]:
    """As `_gate`, on an arm whose port was opened when this module was imported."""
    process = _gate(parameters, context)
    now = os.environ["ARM_PORT"]
    return {"value": process, "port": _port_at_import, "now": now, "own": dict(context.own)}


def _holds_hardware(parameters: dict[str, Any], context: Context) -> float:
    """Leaves something open that its process is to close."""
    atexit.register(_note, parameters, "closed")
    return 1.0


def _brakes(parameters: dict[str, Any], context: Context) -> float:
    """Moves until it is told to stop, and takes its time to."""

    def brake(_number: int, _frame: object) -> None:
        time.sleep(0.05)
        _note(parameters, "stands still")
        os._exit(0)

    signal.signal(signal.SIGTERM, brake)
    _note(parameters, "moves")
    time.sleep(600)
    return 0.0


def _chatter(parameters: dict[str, Any], context: Context) -> float:
    """Prints so many megabytes, then waits until it may end with a last word."""
    for _ in range(parameters["megabytes"]):
        os.write(1, b"x" * (1 << 20))
    os.write(1, b"\nchatter ends\n")
    value = _gate(parameters, context)
    print("farewell")
    return value


def _binary(parameters: dict[str, Any], context: Context) -> float:
    os.write(1, bytes(range(256)) * 300)
    sys.stdout.write("text after it")
    return 1.0


def _odd_name(parameters: dict[str, Any], context: Context) -> float:
    print("reading", os.fsdecode(b"h\xf6he.dat"))
    return 1.0


def _no_room(parameters: dict[str, Any], context: Context) -> float:
    """To whoever writes, as a disk that is full."""
    _, most = before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most))
    for number in range(1000):
        print(f"line {number} {'x' * 100}")
        print(f"line {number}", file=sys.stderr)
    sys.stdout.flush()
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    return 1.0


def _no_room_at_first(parameters: dict[str, Any], context: Context) -> float:
    """As a program whose input files a full disk does not take, twice."""
    tries = context.directory / "tries"
    tries.touch()
    if len(tries.read_text()) < 2:
        tries.write_text(tries.read_text() + "x")
        raise NoRoom("cannot write the input file `wing.in`: No space left on device, wing.in")
    return 1.0


def _close_outputs(parameters: dict[str, Any], context: Context) -> float:
    print("before")
    sys.stdout.close()
    os.close(2)
    return 1.0


def _hungry(parameters: dict[str, Any], context: Context) -> float:
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    return float(len(bytearray(1 << 34)))


def _raise(parameters: dict[str, Any], context: Context) -> float:
    print("about to divide")
    return 1 / 0


def _segfault(parameters: dict[str, Any], context: Context) -> float:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0.0


def _close_all(parameters: dict[str, Any], context: Context) -> float:
    os.closerange(3, 1000)
    time.sleep(600)
    return 0.0


_BEHAVIOURS: dict[str, Any] = {
    "no room at first": _no_room_at_first,
    "well": lambda _p, _c: os.getpid(),
    "print": lambda p, _c: print("printed", p["what"]) or 1.0,
    "raise": _raise,
    "hold hardware": _holds_hardware,
    "brake": _brakes,
    "sys.exit": lambda _p, _c: sys.exit(3),
    "os._exit": lambda _p, _c: os._exit(3),
    "segfault": _segfault,
    "kill": lambda _p, _c: os.kill(os.getpid(), signal.SIGKILL),
    "hang": lambda _p, _c: time.sleep(600),
    "fork": _fork,
    "a program": _program,
    "stubborn": _stubborn,
    "grandchild": _grandchild,
    "daemon": _daemon,
    "gate": _gate,
    "gate and report": _gate_and_report,
    "hold port": _holds_port,
    "chatter": _chatter,
    "binary": _binary,
    "odd name": _odd_name,
    "no room": _no_room,
    "close outputs": _close_outputs,
    "close all": _close_all,
    "hungry": _hungry,
    "wordy progress": lambda _p, c: c.report(1, loss="low"),
    "flood": lambda _p, c: [c.report(i, i=i) for i in range(5000)] and 1.0,
    "large progress": lambda _p, c: c.report(1, **{"q" * 40 + str(i): 0.5 for i in range(40_000)}) or 1.0,
    "large": lambda _p, _c: {"value": 1.0, "table": "x" * (2 << 20)},
    "surrogate": lambda _p, _c: {"value": 1.0, "name": "\udcff"},
    "none": lambda _p, _c: None,
    "text": lambda _p, _c: "0.5",
    "true": lambda _p, _c: True,
    "nan": lambda _p, _c: float("nan"),
    "infinity": lambda _p, _c: -np.inf,
    "complex": lambda _p, _c: 1j,
    "array": lambda _p, _c: np.zeros(3),
    "negative variance": lambda _p, _c: {"value": 1.0, "variance": -1.0},
    "no value": lambda _p, _c: {"accuracy": 0.9},
}
