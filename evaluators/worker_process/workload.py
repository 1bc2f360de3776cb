"""What a run that welcomes a worker is to it: what its children load, or why it cannot serve the run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.options import WorkerOptions
from evaluators.worker_process.slot_parts import Workload
from evaluators.worker_process.usable_command import why_unusable
from orchestrator.errors import UsageError
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.input_template import TemplateError
from orchestrator.programs.template_folders import files_of
from orchestrator.wire.messages import Welcome


def workload_of(welcome: Welcome, worker: WorkerOptions, trials: TrialFolders) -> Workload:
    """What children load; a worker that brings a command and its templates runs those.

    Raises:
        UsageError: a command would fail at every trial, which would cost the run its budget.
    """
    options: dict[str, Any] = dict(welcome.options)
    if welcome.evaluator == COMMAND_EVALUATOR:
        if worker.command:
            if complaint := _why_short_of_templates(worker, options.get("input")):
                raise UsageError(complaint)
            options["command"] = list(worker.command)
            if worker.templates:
                options["input"] = {"templates": dict(worker.templates)}
        if welcome.parameters and options.get("command"):
            read = options.get("input", "arguments")
            if complaint := why_unusable(options["command"], read, welcome.parameters, worker.each):
                raise UsageError(complaint)
    return Workload(welcome.evaluator, options, trials, welcome.objective, welcome.compared)


def _files_of(templates: Mapping[str, str]) -> Iterable[str]:
    """What its templates, folders among them, make here, if they are as they were when it began."""
    try:
        return files_of(templates)
    except TemplateError:
        return ()


def _why_short_of_templates(worker: WorkerOptions, input: object) -> str:
    """Why a run whose spec has this ``input`` cannot be served: its paths are another machine's."""
    if not isinstance(input, dict) or not isinstance(input.get("templates"), dict):
        return ""
    templates = dict(worker.templates)
    given = {os.path.normpath(file) for file in (*templates, *_files_of(templates))}
    lacking = [file for file in input["templates"] if os.path.normpath(file) not in given]
    if not lacking:
        return ""
    return (
        f"the run's program reads {', '.join(f'`{file}`' for file in lacking)}, made from templates; "
        f"expected where they lie here: --template {lacking[0]}=PATH before --command"
    )
