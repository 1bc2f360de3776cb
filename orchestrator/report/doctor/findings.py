"""`orchestrator doctor [SPEC]`: what can run here, what the rest lacks, and the command that supplies it."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.readiness.catalogue import WORKLOADS, workload_of
from evaluators.readiness.needs import Lack, one_command
from orchestrator.programs.input_template import TemplateError, template_of, templates_of
from orchestrator.programs.placeholders import filled, names_in
from orchestrator.programs.program_behind_env import program_of
from orchestrator.programs.template_folders import files_of
from orchestrator.report.tables.table import Table
from orchestrator.spec.checks.beside_the_spec import lies_beside

if TYPE_CHECKING:
    from orchestrator.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Finding:
    """One workload, or a spec's evaluator: whether it can run here, and what is missing of it."""

    name: str
    about: str
    evaluator: str
    lacks: Sequence[Lack]

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.lacks


def examine() -> list[Finding]:
    """Every workload that comes with the project, with its usual options."""
    return [Finding(w.name, w.about, w.evaluator, w.lacking()) for w in WORKLOADS]


def examine_spec(spec: Spec, folder: Path | None = None) -> Finding:
    """Whether a spec's evaluator can run here. Without local workers nobody has looked for its module yet. Of
    a program that is not here, but lies in the spec's ``folder``, it is said.
    """
    from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
    from orchestrator.spec.checks.evaluator_lookup import missing_evaluator
    from orchestrator.spec.sections.evaluation import PERSON

    evaluator, options = spec.evaluation.evaluator, spec.evaluation.options
    if evaluator == PERSON:
        return Finding(spec.experiment, "a person evaluates, and types results in", evaluator, ())
    elsewhere = "" if spec.workers.local else "; its workers dial in: ask where they run as well"
    if evaluator == COMMAND_EVALUATOR and spec.evaluation.command is None:
        return Finding(spec.experiment, f"the program that a worker brings along{elsewhere}", evaluator, ())
    if evaluator == COMMAND_EVALUATOR:
        program = program_of([str(word) for word in options["command"]])
        templates = templates_of(options.get("input"))
        lacks = [
            Lack(f"the template {path}, looked for from {os.getcwd()}", "")
            for path in templates.values()
            if not os.path.exists(path)
        ]
        lacks = lacks or _startable(program, templates, folder)
        return Finding(spec.experiment, f"the program {program}{elsewhere}", evaluator, lacks)
    workload = workload_of(evaluator)
    if workload is None:
        missing = missing_evaluator(evaluator)
        if missing is not None:
            about = "an evaluator of your own" + elsewhere
            lack = Lack(f"the evaluator `{evaluator}` ({missing})", "")
            return Finding(spec.experiment, about, evaluator, (lack,))
        about = "an evaluator of your own, which is there; what it needs is for it to say"
        return Finding(spec.experiment, about + elsewhere, evaluator, ())
    return Finding(spec.experiment, workload.about + elsewhere, evaluator, workload.lacking(options))


def examine_queue(spec: Spec) -> Finding | None:
    """Whether the commands are here by which a run submits its workers to a queue; None where it does not."""
    jobs = spec.workers.jobs
    if jobs is None:
        return None
    absent = [program for program in jobs.programs if shutil.which(program) is None]
    lacks = []
    if absent:
        lacks.append(Lack(f"of its queue's commands {', '.join(absent)}, looked for on the path", ""))
    if jobs.script is not None and not os.path.isfile(jobs.script):
        lacks.append(Lack(f"the script {jobs.script} of its jobs, looked for from {os.getcwd()}", ""))
    about = f"the queue that its workers are jobs of, by {', '.join(jobs.programs)}"
    return Finding(f"{spec.experiment} (jobs)", about, jobs.queue or jobs.programs[0], lacks)


def doctor_words(findings: Sequence[Finding]) -> str:
    """The findings for a person, ready ones first."""
    width = max(len(finding.name) for finding in findings)
    lines = [
        f"Python {platform.python_version()} at {sys.executable}, {_cores()} for this process",
        "",
    ]
    for finding in sorted(findings, key=lambda one: not one.ready):
        mark = "ready" if finding.ready else "lacks"
        lines.append(f"{mark}  {finding.name:<{width}}  {finding.about}")
        if not finding.ready:
            lines += [" " * 7 + line for line in lacks_words(finding.lacks).splitlines()]
    return "\n".join(lines) + "\n"


def lacks_words(lacks: Sequence[Lack]) -> str:
    """What is missing, and on a line of its own the command that supplies it, if one does."""
    words = _together([lack.what for lack in lacks])
    supply = one_command(lacks)
    return f"{words}\nto supply it: {supply}" if supply else words


def doctor_table(findings: Sequence[Finding]) -> Table:
    """A row a finding, for programs."""
    rows = [
        [
            one.name,
            one.ready,
            one.evaluator,
            [lack.what for lack in one.lacks],
            one_command(one.lacks) or None,
        ]
        for one in findings
    ]
    return Table(("workload", "ready", "evaluator", "lacks", "supply"), rows)


def _together(things: list[str]) -> str:
    """``the file a, the file b`` is said as ``the files a, b``."""
    files = [thing.removeprefix("the file ") for thing in things if thing.startswith("the file ")]
    if len(files) < 2:
        return ", ".join(things)
    others = [thing for thing in things if not thing.startswith("the file ")]
    return ", ".join([*others, f"the files {files[0]}", *files[1:]])


def _startable(program: str, templates: Mapping[str, str], folder: Path | None) -> list[Lack]:
    try:
        made_of = template_of(program, files_of(templates))
    except TemplateError as error:
        return [Lack(str(error), "")]
    return _program(program, folder) if made_of is None else _right_to_execute(made_of)


def _program(named: str, folder: Path | None) -> list[Lack]:
    if names_in(named):
        # With a parameter in its name it is another one in every trial.
        return []
    program = filled(named, {})
    if shutil.which(program) is not None:
        return []
    if os.path.isfile(program):
        return _right_to_execute(program)
    where = f"looked for from {os.getcwd()}" if os.sep in program else "looked for on the PATH"
    # What supplies somebody's own program is not for us to know.
    beside = lies_beside(folder, program) if os.sep in program else ""
    return [Lack(f"the program {program}, {where}{beside}", "")]


def _right_to_execute(program: str) -> list[Lack]:
    if os.access(program, os.X_OK):
        return []
    return [Lack(f"the right to execute {program}", f"chmod +x {shlex.quote(program)}")]


def _cores() -> str:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return f"{count} core{'' if count == 1 else 's'}"
