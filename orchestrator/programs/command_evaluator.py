"""The evaluator that runs a program, by name: what a spec means by a command and a worker offers with one."""

from __future__ import annotations

from typing import Final

COMMAND_EVALUATOR: Final = "evaluators.command:run"
