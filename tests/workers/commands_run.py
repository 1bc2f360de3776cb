"""A program run as an evaluator, for tests of what is read of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from evaluators.command import run
from evaluators.context import Context


def run_program(
    directory: Path,
    *command: str,
    parameters: dict[str, Any] | None = None,
    objective: str = "",
    compared: bool = False,
    **how: Any,
) -> Any:
    context = Context(
        trial=3,
        attempt=2,
        seed=7,
        options={},
        directory=directory / "0003",
        objective=objective,
        compared=compared,
    )
    return run(parameters or {"x": 0.25, "n": 4, "mode": "fast"}, command=command, context=context, **how)


def of_python(program: str) -> tuple[str, str, str]:
    return sys.executable, "-c", program
