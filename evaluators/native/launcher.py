"""Builds the worker in C++ on first use, and becomes it: `python -m evaluators.native --connect ADDRESS`.

Without ns-3 it is built all the same and offers what needs no simulator. `make` builds it where there is no
Python.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from evaluators.compiled import Package, Program, built, install_command, missing
from evaluators.errors import EvaluationError
from evaluators.wlan.network import HEADERS, NS3, SIMULATION

_HERE: Final = Path(__file__).parent
_NAMES: Final = (
    *(
        "worker",
        "worker_messages",
        "worker_leaving",
        "worker_delivery",
        "pieces",
        "link",
        "refusals",
        "credentials",
    ),
    *("messages", "outbox", "evaluation", "own_variables", "trial_left", "workloads"),
)
_SOURCES: Final = (_HERE / "main.cpp", *(_HERE / f"{name}.cpp" for name in _NAMES))
_HEADERS: Final = (*sorted(_HERE.glob("*.hpp")), *HEADERS)
_PACKAGES: Final = (
    Package("libzmq3-dev", "zmq.h", ("zmq",)),
    Package("nlohmann-json3-dev", "nlohmann/json.hpp"),
)

WITHOUT_NS3: Final = Program(
    "native-worker-without-ns3", _SOURCES, _HEADERS, _PACKAGES, definitions=("WITHOUT_NS3",)
)
PROGRAM: Final = Program("native-worker", (*_SOURCES, SIMULATION), _HEADERS, (*_PACKAGES, NS3))


def program_for_here() -> Program:
    """The worker with ns-3, or without where ns-3 is all that is missing."""
    return WITHOUT_NS3 if missing(PROGRAM) == [NS3.name] else PROGRAM


def main(arguments: Sequence[str]) -> int:  # noqa: RET503
    """Build, say what is lacking, and become the worker. The exit code, 1, if it cannot be built."""
    program = program_for_here()
    if program is WITHOUT_NS3:
        say(
            f"built without {NS3.name}, it does not offer the wireless network; "
            f"to supply it: {install_command([NS3.name])}"
        )
    try:
        path = built(program)
    except EvaluationError as error:
        say(str(error))
        return 1
    os.execv(path, [str(path), *arguments])  # does not return


def say(sentence: str) -> None:
    """For people, on standard error."""
    print(f"native worker: {sentence}", file=sys.stderr, flush=True)
