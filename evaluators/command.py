"""Any program as an evaluator: parameters as arguments or in files, the result as JSON or by a pattern.

    evaluation:
      command: [./wing, --span, "{span}", --seed, "{seed}"]
      output: {pattern: "drag = ([-+.e0-9]+)"}

An argument list, never a shell. ``{name}`` stands for a parameter, or for ``{seed}``, ``{trial}``,
``{attempt}``, ``{directory}`` (the trial's own), ``{parameters_file}``, ``{result_file}``,
``{started_in}`` (where the worker was started), ``{continued_from}`` (the directory of an earlier trial to
go on from, or nothing), ``{slots}`` (how many of the worker's it has) or what these have of their own (the
worker's ``--each``);
``{{`` and ``}}`` for braces. Braces about several words that are no parameter's name stand for themselves, as
in a line of awk. Standard output and error are kept in the trial's directory.

    evaluation:
      command: [./wing, wing.in]
      input: {templates: {wing.in: wing.in.template}}

Then each attempt has a directory of its own in the trial's: the program is started there, ``{directory}`` is
that one, and ``wing.in`` lies there with its placeholders filled in (which braces they are says
`orchestrator.programs.input_template`). The program's own path starts where the worker was started all the
same, unless the program is made from a template itself.

    evaluation:
      command: [./wing, --span, "{span}"]
      progress: 'iteration (?P<step>\\d+): residual (?P<residual>\\S+)'

Then what it prints is read while it runs, and says how it stands, or with ``{file: NAME, pattern: ...}`` what
it writes there (`evaluators.programs.progress`).
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evaluators.context import Context, Report
from evaluators.errors import EvaluationError, NoRoom
from evaluators.programs.arguments import filled_arguments
from evaluators.programs.discarded_files import discard_files, refuse_patterns_beyond
from evaluators.programs.evaluation_files import EvaluationFiles, Input, Output
from evaluators.programs.input_files import (
    no_directory,
    own_directory,
    program_in,
    read_templates,
    write_files,
)
from evaluators.programs.last_words import last_words
from evaluators.programs.program import Ended, run_program
from evaluators.programs.program_result import read_result, why_it_failed
from evaluators.programs.progress import ProgramProgress
from evaluators.programs.progress_lines import ProgressForm
from orchestrator.programs.placeholders import GIVEN, SLOTS, names_in
from orchestrator.programs.program_behind_env import program_of
from orchestrator.programs.trial_files import PARAMETERS_FILE, RESULT_FILE


def run(
    parameters: dict[str, Any],
    *,
    command: Sequence[str],
    input: Input = "arguments",
    output: Output = "json",
    progress: ProgressForm | None = None,
    discard: Sequence[str] = (),
    context: Context,
) -> object:
    """Run the program and return its result: a number, or a mapping with ``value`` or the objective's name.

    ``output``: ``json`` (the last line that is a number or a JSON object, which may span lines; or the file
    at ``{result_file}`` if the command names it), ``{"file": name}`` (a JSON file in the trial's directory)
    or ``{"pattern": regex}`` (the first group of its last match on standard output, or on standard error
    where there is none, or the groups that it names: ``value`` or the objective's name, ``variance`` or
    ``deviation``, its square root, and whatever else; beside a ``file``, in that text file there), or
    ``{"patterns": {name: form}}``, a pattern for each value (`evaluators.programs.value_patterns`). Beside
    any of these ``fails`` is a pattern of what means that the program failed, though it ended well.
    ``input``: ``arguments``, ``{"file": name}`` for a JSON file in the trial's directory, or ``{"templates":
    {name: path}}`` for files in the attempt's. ``progress``: ``json`` or ``{"pattern": regex}``, for lines
    that it prints on its way; ``{"file": name}``, perhaps with a pattern, for those of a file that it writes
    where ``output`` would have one.

    ``discard``: patterns of what is removed from the attempt's own directory, which it has for that, too,
    once it has ended, however, and its result is read.

    Where people compare trials, no number has to be found, and nothing printed; what is to be a JSON file, or
    to match a pattern, has to be there all the same, and what the pattern's groups name is returned.

    Raises `EvaluationError`: error (cannot start, exit code not 0), killed (a signal), invalid (no result).
    """
    templates = read_templates(input, (*parameters, *context.own, SLOTS))
    refuse_patterns_beyond(discard)
    # Resolved for programs that change their own working directory.
    has_own = bool(templates or discard)
    directory = own_directory(context) if has_own else _shared_directory(context)
    context.left_in = directory.name if has_own else ""
    named = {name for argument in command for name in names_in(argument)}
    named = named.union(*(template.names(GIVEN) for template in templates.values()))
    files = EvaluationFiles.of(directory, input, output, progress, named)
    known = _stood_for(parameters, context, directory, files)
    arguments = filled_arguments(command, known)
    try:
        files.make_ready(parameters)
        write_files(directory, templates, known)
    except NoRoom:
        if has_own:
            # It is tried again, in another.
            shutil.rmtree(directory, ignore_errors=True)
        raise
    program = program_of(arguments)
    if templates:
        arguments[0] = program_in(directory, arguments[0], templates)
    printed = context.directory / f"attempt-{context.attempt}"
    leave = partial(discard_files, directory, discard)
    try:
        ended = run_program(
            arguments,
            printed.with_suffix(".stdout"),
            printed.with_suffix(".stderr"),
            directory if templates else None,
            None if progress is None else ProgramProgress(progress, _reporter(context), files.followed),
            leave,
        )
        if ended.code != 0:
            raise _failed(program, ended, why_it_failed(output, ended, files, program))
        return read_result(output, ended, files, program, context)
    finally:
        leave()


def _stood_for(
    parameters: Mapping[str, Any], context: Context, directory: Path, files: EvaluationFiles
) -> dict[str, Any]:
    """What placeholders stand for, in arguments and templates."""
    return {
        "seed": context.seed,
        "trial": context.trial,
        "attempt": context.attempt,
        "directory": str(directory),
        "parameters_file": str(files.parameters or directory / PARAMETERS_FILE),
        "result_file": str(files.result or directory / RESULT_FILE),
        "started_in": os.getcwd(),
        "continued_from": str(context.continued_from or ""),
        SLOTS: context.slots,
        **context.own,
        **parameters,
    }


def _shared_directory(context: Context) -> Path:
    """The trial's, where attempts have none of their own."""
    try:
        return context.directory.resolve()
    except OSError as error:
        raise no_directory(error) from None


def _reporter(context: Context) -> Report:
    return lambda step, values: context.report(step, **values)


def _failed(program: str, ended: Ended, why: str) -> EvaluationError:
    """``why``: what it said by which it would have failed had it ended well, if it said that."""
    which, said = f", which {why}," if why else "", last_words(ended)
    if ended.code > 0:
        return EvaluationError("error", f"`{program}`{which} ended with exit code {ended.code}{said}")
    try:
        name = signal.Signals(-ended.code).name
    except ValueError:
        name = f"signal {-ended.code}"
    return EvaluationError("killed", f"`{program}`{which} was killed by {name}{said}")
