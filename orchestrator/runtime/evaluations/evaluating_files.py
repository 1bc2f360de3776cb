"""The files here that evaluations are made with, by their checksums: a program, its templates, or a module.

A simulator that was edited gives values that may not go with those from before. It may be meant so, and may
change nothing: so it is only said, once, when the run is resumed.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from orchestrator.programs.input_template import TemplateError, template_of, templates_of
from orchestrator.programs.template_folders import files_of
from orchestrator.spec.checks.evaluator_lookup import source_file
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spelling import listed
from orchestrator.system.shell_lines import shell_line

_BESIDE_THE_START: Final = re.compile(r"\{started_in\}/+([^\s{}\"'`;&|()<>$]+)")
"""A file of the folder where the run was started, as an argument or a shell's line within one names it."""
_READ_AT_MOST: Final = 64 * 2**20
"""Bytes of a file; of a larger one, as of data, its size and time stand for what is in it."""


def evaluating_files(spec: Spec) -> dict[str, str]:
    """The checksum of each such file, by its path as the spec has it; empty where workers are all elsewhere.

    Of a Python function it is that of its module alone; a program that is looked for on the PATH has none.
    """
    if not spec.workers.local or spec.evaluation.evaluator == PERSON:
        return {}
    checksums = ((path, checksum_of(path)) for path in dict.fromkeys(_named(spec)))
    return {path: checksum for path, checksum in checksums if checksum}


def changed_files(spec: Spec, before: Mapping[str, str], left_at: float) -> dict[str, str]:
    """Those that were others before. What was not looked at then is not known to have changed.

    What is no program, as a log that it is told of, an evaluation may have written itself: it counts only if
    it was changed after nobody worked on the run any more, by the time of files.
    """
    now = evaluating_files(spec)
    changed = {path: checksum for path, checksum in now.items() if before.get(path, checksum) != checksum}
    programs = programs_among(spec, now)
    return {path: checksum for path, checksum in changed.items() if path in programs or _since(path, left_at)}


def words_on_changed(changed: Mapping[str, str], folder: Path, *, meanwhile: bool = False) -> str:
    """What is to be said of them to whoever resumes the run in that folder, or, ``meanwhile``, watches it;
    empty where there are none.
    """
    if not changed:
        return ""
    files = listed(list(changed), "and")
    verb = "was" if len(changed) == 1 else "were"
    when = "while this run goes on" if meanwhile else "since this run was last begun or resumed"
    return (
        f"{files} {verb} changed {when}: values from before may not go with"
        f" those that follow. What does not hold any more can be forgotten: {shell_line('amend', folder)}"
        " --forget TRIAL; where little does, begin a new run"
    )


def _named(spec: Spec) -> Iterator[str]:
    evaluation = spec.evaluation
    if evaluation.command is None:
        module = source_file(evaluation.evaluator)
        if module is not None:
            yield str(module.relative_to(Path.cwd()) if module.is_relative_to(Path.cwd()) else module)
        return
    templates = _templates(spec)
    program, *arguments = evaluation.command
    if os.sep in program and template_of(program, templates) is None:
        yield program
    yield from templates.values()
    for argument in evaluation.command:
        yield from _BESIDE_THE_START.findall(argument)
    if not templates:
        # With templates it is started elsewhere, and what is named without a folder is not from here.
        yield from arguments


def programs_among(spec: Spec, files: Mapping[str, str]) -> set[str]:
    """Of all the ``files`` those that run, or that what runs is made from: no evaluation writes them."""
    command, templates = spec.evaluation.command, _templates(spec).values()
    if command is None:
        return set(files)
    programs = {path for path in files if path in templates or os.access(path, os.X_OK)}
    beside = [path for path in files if path not in templates]
    if os.sep in command[0]:
        programs.add(command[0])
    else:
        # An interpreter's, which need not be executable.
        programs.update(beside[:1])
    return programs


def _templates(spec: Spec) -> dict[str, str]:
    """By the files made of them, as far as they can all be."""
    templates = templates_of(spec.evaluation.input)
    try:
        return files_of(templates)
    except TemplateError:
        return templates


def _since(path: str, time: float) -> bool:
    try:
        return os.stat(path).st_mtime > time
    except OSError:
        return False


def checksum_of(path: str) -> str:
    """That of a file as it is now; empty where there is no such file that can be read."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return ""
        if status.st_size > _READ_AT_MOST:
            return f"{status.st_size} bytes of {status.st_mtime_ns}"
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""
