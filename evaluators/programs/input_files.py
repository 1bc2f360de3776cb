"""The input files of one evaluation, made from templates in a directory of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluators.context import Context
from evaluators.errors import EvaluationError, not_written
from orchestrator.programs.fixed_width import NoRoomForValue
from orchestrator.programs.input_template import (
    InputTemplate,
    TemplateError,
    read_template,
    template_of,
    templates_of,
)
from orchestrator.programs.placeholders import GIVEN
from orchestrator.programs.template_folders import files_of


def read_templates(input: object, names: Iterable[str]) -> dict[str, InputTemplate]:
    """The templates by the files to be made, read and checked. Raises `EvaluationError`.

    ``names`` are those that placeholders may have beside what is `GIVEN`.
    """
    try:
        templates = {name: read_template(path) for name, path in files_of(templates_of(input)).items()}
        for template in templates.values():
            template.check((*names, *GIVEN))
    except TemplateError as error:
        raise EvaluationError("error", str(error)) from None
    return templates


def own_directory(context: Context) -> Path:
    """A new directory beside what the attempt prints: ``attempt-2``.

    Or ``attempt-2-2`` where an earlier one has left one, as before a run's journal was mended: two
    evaluations share none. Raises `EvaluationError`.
    """
    try:
        first = context.directory.resolve() / f"attempt-{context.attempt}"
        directory = first
        for copy in itertools.count(2):
            try:
                directory.mkdir()
                break
            except FileExistsError:
                directory = first.with_name(f"{first.name}-{copy}")
    except OSError as error:
        raise no_directory(error) from None
    return directory


def directory_of(trial: Path, attempt: int) -> Path:
    """Where the files of an attempt lie in a trial's: in its `own_directory`, if it has one, of several the
    last.
    """
    first = trial / f"attempt-{attempt}"
    copies = [path for path in trial.glob(f"{first.name}-*") if path.is_dir()]
    own = [*([first] if first.is_dir() else []), *sorted(copies, key=lambda path: path.stat().st_mtime)]
    return own[-1] if own else trial


def no_directory(error: OSError) -> EvaluationError:
    """There is none for the files of an evaluation, which cannot begin."""
    where = f"{error.strerror}, {error.filename}"
    return not_written(f"make a directory for the evaluation's files: {where}", error)


def write_files(
    directory: Path, templates: Mapping[str, InputTemplate], values: Mapping[str, object]
) -> None:
    """Make every file, as executable or as secret as its template. Raises `EvaluationError`."""
    for name, template in templates.items():
        path = directory / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                file.writelines(template.filled(values))
            path.chmod(template.mode)
        except OSError as error:
            where = f"{error.strerror}, {error.filename or path}"
            raise not_written(f"write the input file `{name}`: {where}", error) from None
        except NoRoomForValue as error:
            raise EvaluationError("error", f"cannot write the input file `{name}`: {error}") from None
        except UnicodeError:
            raise EvaluationError(
                "error", f"cannot write the input file `{name}`: a value is no text that UTF-8 can hold"
            ) from None


def program_in(directory: Path, program: str, templates: Mapping[str, InputTemplate]) -> str:
    """Where a program of the command lies, for one that is started in ``directory``.

    There, if it is made from a template; any other where it is seen from the worker's own directory.
    """
    if os.sep not in program:
        return program
    made = template_of(program, {name: template.path for name, template in templates.items()}) is not None
    return str(directory / program) if made else os.path.abspath(program)
