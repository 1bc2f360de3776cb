"""Any program as an evaluator: parameters as arguments or in files, the result as JSON or by a pattern.

    evaluation:
      command: [./wing, --span, "{span}", --seed, "{seed}"]
      output: {pattern: "drag = ([-+.e0-9]+)"}

An argument list, never a shell. ``{name}`` stands for a parameter, or for ``{seed}``, ``{trial}``,
``{attempt}``, ``{directory}`` (the trial's own), ``{parameters_file}``, ``{result_file}``,
``{started_in}`` (where the worker was started) or what the worker's slot has of its own (its ``--each``);
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

import json
import os
import re
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from evaluators.context import Context, Report
from evaluators.errors import EvaluationError, NoRoom
from evaluators.programs.arguments import filled_arguments
from evaluators.programs.evaluation_files import EvaluationFiles, Input, Output
from evaluators.programs.input_files import (
    no_directory,
    own_directory,
    program_in,
    read_templates,
    write_files,
)
from evaluators.programs.last_words import NOTHING_PRINTED, last_line, last_words
from evaluators.programs.pattern_result import by_pattern, named_by_pattern
from evaluators.programs.program import TAIL, Ended, run_program
from evaluators.programs.progress import ProgramProgress
from evaluators.programs.progress_lines import ProgressForm
from orchestrator.programs.placeholders import GIVEN, names_in
from orchestrator.programs.trial_files import PARAMETERS_FILE, RESULT_FILE

_LARGEST_RESULT: Final = 1 << 26
"""Bytes: more is no result, but another file, too much for the memory. A pattern is looked for in the end."""
_ENDS_WHAT_BEGAN_BEFORE: Final = re.compile(r"\s*[\]}]")
"""Behind the last number of an object whose beginning is not at hand."""


def run(
    parameters: dict[str, Any],
    *,
    command: Sequence[str],
    input: Input = "arguments",
    output: Output = "json",
    progress: ProgressForm | None = None,
    context: Context,
) -> object:
    """Run the program and return its result: a number, or a mapping with ``value`` or the objective's name.

    ``output``: ``json`` (the last line that is a number or a JSON object, which may span lines; or the file
    at ``{result_file}`` if the command names it), ``{"file": name}`` (a JSON file in the trial's directory)
    or ``{"pattern": regex}`` (the first group of its last match on standard output, or the groups that it
    names: ``value`` or the objective's name, ``variance`` or ``deviation``, its square root, and whatever
    else; beside a ``file``, in that text file there). ``input``: ``arguments``, ``{"file": name}`` for a JSON
    file in the trial's directory, or ``{"templates": {name: path}}`` for files in the attempt's.
    ``progress``: ``json`` or ``{"pattern": regex}``, for lines that it prints on its way; ``{"file": name}``,
    perhaps with a pattern, for those of a file that it writes where ``output`` would have one.

    Where people compare trials, no number has to be found, and nothing printed; what is to be a JSON file, or
    to match a pattern, has to be there all the same, and what the pattern's groups name is returned.

    Raises `EvaluationError`: error (cannot start, exit code not 0), killed (a signal), invalid (no result).
    """
    templates = read_templates(input, (*parameters, *context.own))
    # Resolved for programs that change their own working directory.
    directory = own_directory(context) if templates else _shared_directory(context)
    named = {name for argument in command for name in names_in(argument)}
    named = named.union(*(template.names(GIVEN) for template in templates.values()))
    files = EvaluationFiles.of(directory, input, output, progress, named)
    known: dict[str, Any] = {
        "seed": context.seed,
        "trial": context.trial,
        "attempt": context.attempt,
        "directory": str(directory),
        "parameters_file": str(files.parameters or directory / PARAMETERS_FILE),
        "result_file": str(files.result or directory / RESULT_FILE),
        "started_in": os.getcwd(),
        **context.own,
        **parameters,
    }
    arguments = filled_arguments(command, known)
    try:
        files.make_ready(parameters)
        write_files(directory, templates, known)
    except NoRoom:
        if templates:
            # It is tried again, in another.
            shutil.rmtree(directory, ignore_errors=True)
        raise
    program = arguments[0]
    if templates:
        arguments[0] = program_in(directory, program, templates)
    printed = context.directory / f"attempt-{context.attempt}"
    ended = run_program(
        arguments,
        printed.with_suffix(".stdout"),
        printed.with_suffix(".stderr"),
        directory if templates else None,
        None if progress is None else ProgramProgress(progress, _reporter(context), files.followed),
    )
    _check(program, ended)
    return _result(output, ended, files.result, program, context)


def _result(output: Output, ended: Ended, file: Path | None, program: str, context: Context) -> object:
    """What the program printed, or wrote to its file, read as ``output`` says."""
    if isinstance(output, dict) and "pattern" in output:
        if file is None:
            told, said, nothing = *_printed(ended, program), NOTHING_PRINTED
        else:
            told, said, nothing = *_written(file, program), "the file is empty"
        if context.compared:
            return named_by_pattern(output["pattern"], said, told=told, nothing=nothing)
        return by_pattern(output["pattern"], said, context.objective, told=told, nothing=nothing)
    if file is not None:
        return _from_file(file, program)
    return _from_stdout(ended, program, needed=not context.compared)


def _shared_directory(context: Context) -> Path:
    """The trial's, where attempts have none of their own."""
    try:
        return context.directory.resolve()
    except OSError as error:
        raise no_directory(error) from None


def _reporter(context: Context) -> Report:
    return lambda step, values: context.report(step, **values)


def _check(program: str, ended: Ended) -> None:
    if ended.code == 0:
        return
    said = last_words(ended)
    if ended.code < 0:
        try:
            name = signal.Signals(-ended.code).name
        except ValueError:
            name = f"signal {-ended.code}"
        raise EvaluationError("killed", f"`{program}` was killed by {name}{said}")
    raise EvaluationError("error", f"`{program}` ended with exit code {ended.code}{said}")


def _printed(ended: Ended, program: str) -> tuple[str, bytes]:
    """What a program was to do, and what is looked through of what it printed."""
    within = f", within the last {TAIL:,} bytes," if len(ended.stdout) == TAIL else ""
    return f"`{program}` to print{within}", ended.stdout


def _written(path: Path, program: str) -> tuple[str, bytes]:
    """The same of what it wrote to a text file."""
    size, said = _end_of(path, program)
    within = f", within the last {len(said):,} of its {size:,} bytes," if size > len(said) else ""
    return f"`{program}` to write to {path}{within}", said


def _end_of(path: Path, program: str, hint: str = "") -> tuple[int, bytes]:
    """The size of a result file, in bytes, and its end, as much as is read."""
    wanted = f"expected `{program}` to write its result to {path}"
    try:
        if not path.is_file() and path.exists():
            # A pipe may never end, and some devices do not.
            raise EvaluationError("invalid", f"{wanted}; what is there is no file")
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LARGEST_RESULT))
            return size, file.read(_LARGEST_RESULT)
    except FileNotFoundError:
        raise EvaluationError("invalid", f"{wanted}; it did not{hint}") from None
    except OSError as error:
        raise EvaluationError("error", f"{wanted}, and it cannot be read: {error.strerror}") from None


def _from_file(path: Path, program: str) -> object:
    size, content = _end_of(path, program, ". Pass it {result_file}")
    if size > _LARGEST_RESULT:
        wanted = f"expected `{program}` to write its result to {path}, of at most {_LARGEST_RESULT:,} bytes"
        raise EvaluationError("invalid", f"{wanted}; what is there has {size:,}")
    try:
        return json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise EvaluationError(
            "invalid",
            f"expected JSON in {path}, which is no text: have a script print what matters of it, as JSON",
        ) from None
    except (ValueError, RecursionError) as error:
        raise EvaluationError("invalid", f"expected JSON in {path}: {error}") from None


class _Printed(str):
    """Text whose lines no error counts: each that begins as JSON does and is none would count all before it.

    `json.JSONDecodeError` names the line of its document, and a program may print a MiB of `Iteration 12`.
    """

    __slots__ = ()

    def count(self, *_: object) -> int:
        return 0


def _from_stdout(ended: Ended, program: str, needed: bool) -> object:
    """The last line that is a number, or the last object that begins a line, whichever comes later; None
    where there is neither and none is ``needed``.
    """
    text = _Printed(ended.stdout.decode("utf-8", "replace"))
    decoder = json.JSONDecoder()
    found: object = None
    resume = 0
    for match in re.finditer(r"^[ \t]*([-{0-9NI])", text, re.MULTILINE):
        if match.start() < resume:
            continue
        try:
            read, end = decoder.raw_decode(text, match.start(1))
        except (ValueError, RecursionError):
            continue
        line_end = text.find("\n", end)
        rest = text[end:] if line_end < 0 else text[end:line_end]
        if isinstance(read, dict | int | float) and not rest.strip():
            found, resume = read, end
    cut = len(ended.stdout) == TAIL
    if cut and _ENDS_WHAT_BEGAN_BEFORE.match(text, resume):
        found = None
    if found is None and needed:
        where = f", among the last {TAIL:,} bytes that it prints, which alone are read" if cut else ""
        raise EvaluationError(
            "invalid",
            f"expected `{program}` to print a number or a JSON object on its last line{where}; "
            f"{last_line(ended.stdout)}",
        )
    return found
