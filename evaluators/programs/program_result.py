"""The result of a program that ended well: what it printed, or wrote to files, read as ``output`` says."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.programs.array_file import ArrayFile
from evaluators.programs.decoded import decoded, encoding_of
from evaluators.programs.evaluation_files import EvaluationFiles, Output
from evaluators.programs.json_key import Json, Keyed, nothing_under
from evaluators.programs.last_words import NOTHING_PRINTED, last_line, line_at_the_end
from evaluators.programs.number_amid_text import how_to_read
from evaluators.programs.pattern_result import by_pattern, named_by_pattern
from evaluators.programs.program import TAIL, Ended
from evaluators.programs.said import Said
from evaluators.programs.said_to_fail import check_said, what_it_said
from evaluators.programs.value_patterns import by_value_patterns
from evaluators.programs.written_number import read_number
from evaluators.programs.xml_path import Xml
from orchestrator.spelling import did_you_mean

_LARGEST_RESULT: Final = 1 << 26
"""Bytes: more is no result, but another file, too much for the memory. A pattern is looked for in the end."""
_ENDS_WHAT_BEGAN_BEFORE: Final = re.compile(r"\s*[\]}]")
"""Behind the last number of an object whose beginning is not at hand."""


def read_result(
    output: Output, ended: Ended, files: EvaluationFiles, program: str, context: Context
) -> object:
    """A number or a mapping; perhaps None where people compare.

    Raises `EvaluationError`: invalid where there is no result, error where what was said means a failure.
    """
    said = cache(lambda file: _said(file, ended, files, program))
    form: dict[Any, Any] = output if isinstance(output, dict) else {}
    if "fails" in form:
        searched = _texts(files) if _is_of_text(form) else ()
        texts = ((file, said(file).text) for file in searched)
        pattern, beside = _failing(form["fails"]), _said_to_fail(files, program)
        check_said(pattern, program, ended, chain(beside, texts))
    content = cache(lambda file: _content(file, ended, files, program))
    if "patterns" in form:
        return by_value_patterns(form["patterns"], context.objective, said, content)
    if "key" in form:
        file = next(iter(files.results), None)
        told = f"`{program}` to print" if file is None else f"`{program}` to write to {file}"
        found = content(file).under(form["key"], told)
        if found is None and not context.compared:
            raise nothing_under(form["key"], told)
        return found
    if "pattern" in form:
        text = said(next(iter(files.results), None)).part(form)
        if context.compared:
            return named_by_pattern(form["pattern"], text)
        return by_pattern(form["pattern"], text, context.objective)
    if files.result is not None:
        return _from_file(files.result, program)
    return _from_stdout(ended, program, needed=not context.compared)


def why_it_failed(output: Output, ended: Ended, files: EvaluationFiles, program: str) -> str:
    """Of a program that ended with an error, what it said by which it would have failed had it ended well;
    empty where it said nothing of the kind.
    """
    if not isinstance(output, dict) or "fails" not in output:
        return ""
    searched = [file for file in _texts(files) if _is_of_text(output) and files.results[file].is_file()]
    texts = ((file, _said(file, ended, files, program).text) for file in searched)
    try:
        beside = _said_to_fail(files, program)
        return what_it_said(_failing(output["fails"]), program, ended, chain(beside, texts))
    except EvaluationError:
        return ""


def _failing(fails: Any) -> str:
    """The pattern of what a program says by which it failed."""
    return fails if isinstance(fails, str) else fails["pattern"]


def _said_to_fail(files: EvaluationFiles, program: str) -> Iterator[tuple[str, str]]:
    """The file that is looked through for that alone, if the program wrote it."""
    for name, path in files.failing.items():
        if path.is_file():
            yield name, decoded(_end_of(path, program)[1])


def _is_of_text(form: Mapping[Any, Any]) -> bool:
    return "pattern" in form or "patterns" in form


def _texts(files: EvaluationFiles) -> Iterator[str]:
    """Those of the files of a result that are no arrays."""
    return (file for file, path in files.results.items() if ArrayFile.at(path) is None)


def _content(file: str | None, ended: Ended, files: EvaluationFiles, program: str) -> Keyed:
    """What is under keys: in a file that a program wrote, or in the last object that it printed."""
    if file is None:
        return Json(_from_stdout(ended, program, needed=True))
    path = files.results[file]
    if (arrays := ArrayFile.at(path)) is not None:
        return arrays
    content = _whole(path, program)
    return Xml.read(content, path.name) if Xml.begins(content) else Json(_read_json(content, path))


def _said(file: str | None, ended: Ended, files: EvaluationFiles, program: str) -> Said:
    """What is looked through for patterns: of what a program printed, or of a text file that it wrote."""
    if file is None:
        printed = decoded(ended.stdout), NOTHING_PRINTED, decoded(ended.stderr)
        within = f", within the last {TAIL:,} bytes," if len(ended.stdout) == TAIL else ""
        return Said(f"`{program}` to print{within}", *printed)
    path = files.results[file]
    if (arrays := ArrayFile.at(path)) is not None:
        raise arrays.no_text("text")
    size, end = _end_of(path, program)
    within = f", within the last {len(end):,} of its {size:,} bytes," if size > len(end) else ""
    return Said(f"`{program}` to write to {path}{within}", decoded(end), "the file is empty")


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
        near = did_you_mean(path.name, _beside(path))
        raise EvaluationError("invalid", f"{wanted}; it did not{near or hint}") from None
    except OSError as error:
        raise EvaluationError("error", f"{wanted}, and it cannot be read: {error.strerror}") from None


def _beside(path: Path) -> list[str]:
    """The names of the files in the folder of one that is not there."""
    try:
        return [entry.name for entry in os.scandir(path.parent) if entry.is_file()]
    except OSError:
        return []


def _from_file(path: Path, program: str) -> object:
    if (arrays := ArrayFile.at(path)) is not None:
        raise arrays.no_text("JSON")
    return _read_json(_whole(path, program), path)


def _whole(path: Path, program: str) -> bytes:
    size, content = _end_of(path, program, ". Pass it {result_file}")
    if size > _LARGEST_RESULT:
        wanted = f"expected `{program}` to write its result to {path}, of at most {_LARGEST_RESULT:,} bytes"
        raise EvaluationError("invalid", f"{wanted}; what is there has {size:,}")
    if not content.strip():
        wanted = f"expected `{program}` to write its result to {path}"
        raise EvaluationError("invalid", f"{wanted}; the file is empty")
    return content


def _read_json(content: bytes, path: Path) -> object:
    try:
        return json.loads(content.decode(encoding_of(content)))
    except UnicodeDecodeError:
        raise EvaluationError(
            "invalid",
            f"expected JSON in {path}, which is no text: have a script print what matters of it, as JSON",
        ) from None
    except (ValueError, RecursionError) as error:
        other = "; of another file say a `column`, or a `pattern`"
        if Xml.begins(content):
            other = "; of XML say a `key`, as `wing/@drag`"
        raise EvaluationError("invalid", f"expected JSON in {path}: {error}{other}") from None


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
    text = _Printed(decoded(ended.stdout))
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
        above, _, last = text.rstrip().rpartition("\n")
        # As Fortran writes one, which is none in JSON: 1.5D-03.
        found = read_number(last) if above or not cut else None
    if found is None and needed:
        where = f", among the last {TAIL:,} bytes that it prints, which alone are read" if cut else ""
        elsewhere = "it printed to standard error alone, where JSON is not looked for"
        raise EvaluationError(
            "invalid",
            f"expected `{program}` to print a number or a JSON object on its last line{where}; "
            f"{last_line(ended.stdout, elsewhere if ended.stderr.strip() else NOTHING_PRINTED)}"
            f"{how_to_read(line_at_the_end(ended.stdout))}",
        )
    return found
