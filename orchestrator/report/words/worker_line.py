"""The command that starts a worker for a run, as whoever looks at the run may copy it."""

from __future__ import annotations

import re

from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.input_template import templates_of
from orchestrator.spec.model import Spec
from orchestrator.system.shell_lines import shell_line


def worker_line(spec: Spec, address: str) -> str:
    """With ``HERE`` for an address that only this machine understands, ``FILE`` for the worker's key,
    ``VALUE`` for what it has of its own, where local ones have, and ``PROGRAM`` for one that it brings along.

    A program comes last, as the rest of the line belongs to it.
    """
    reached = re.sub(r"//(0\.0\.0\.0|\*|\[::\]):", "//HERE:", address)
    key = ["--key", "FILE"] if spec.workers.keys is not None else []
    own = [f"--each={name}=VALUE" for name in spec.workers.each]
    evaluation = spec.evaluation
    if evaluation.evaluator == COMMAND_EVALUATOR and evaluation.command is None:
        offered = ["--command", "PROGRAM", *(f"{{{name}}}" for name in spec.parameters)]
    elif evaluation.command is not None:
        templates = [f"--template={file}={path}" for file, path in templates_of(evaluation.input).items()]
        offered = [*templates, "--command", *evaluation.command]
    else:
        offered = ["--evaluator", evaluation.evaluator]
    return shell_line("worker", "--connect", reached, *key, *own, *offered)
