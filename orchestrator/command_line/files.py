"""Which run a command is about, and where what it has to say goes."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from orchestrator.errors import OrchestratorError
from orchestrator.system.shell_lines import shell_line
from orchestrator.system.whole_files import write_whole

if TYPE_CHECKING:
    from orchestrator.report.following.run_so_far import Kept, RunSoFar
    from orchestrator.report.tables.table import Table
    from orchestrator.runtime.folder.run_folder import RunFolder

Found = TypeVar("Found")
DONE, FAILED, INTERRUPTED = 0, 1, 130
"""Exit codes; 2 is that of a `UsageError`."""


def run_to_look_at(parsed: argparse.Namespace) -> RunSoFar:
    """The run that a command is about, as its journal tells it, or the search as its file does; and a note on
    what it does not show yet.
    """
    from orchestrator.report.following.run_so_far import run_so_far
    from orchestrator.report.words.left_requests import first_of, left_requests
    from orchestrator.runtime.folder.run_folder import RunFolder

    run = run_so_far(kept_to_look_at(parsed))
    folder = run.folder
    if isinstance(folder, RunFolder) and folder.holder() is None and (left := left_requests(folder)):
        resume = shell_line("resume", folder.path)
        say(
            f"note: not taken up yet, and so not in this: {'; '.join(first_of(left))}. {resume} does\n",
            sys.stderr,
        )
    return run


def folder_of(parsed: argparse.Namespace) -> RunFolder:
    """That run's folder: the one named, or the latest. Asked for again, it may be another. Raises UsageError
    for the file of a search from Python.
    """
    from orchestrator.report.following.runs import find_run

    return find_run(parsed.run, parsed.logs)


def folder_to_look_at(parsed: argparse.Namespace) -> RunFolder:
    """That folder, and a note for people where its spec.yaml is not what they will be shown."""
    folder = folder_of(parsed)
    _say_edits(folder)
    return folder


def kept_to_look_at(parsed: argparse.Namespace) -> Kept:
    """The same, or a search from Python by its file."""
    from orchestrator.report.following.runs import find_kept
    from orchestrator.runtime.folder.run_folder import RunFolder

    kept = find_kept(parsed.run, parsed.logs)
    if isinstance(kept, RunFolder):
        _say_edits(kept)
    return kept


def _say_edits(folder: RunFolder) -> None:
    from orchestrator.runtime.folder.begun_spec import words_on_edits

    if words := words_on_edits(folder):
        say(f"note: {words}; what follows is of the spec that it began with\n", sys.stderr)


def write_table(table: Table, parsed: argparse.Namespace) -> int:
    """In the form asked for; as wide as the terminal, if it goes to one."""
    return write(table.written(parsed.format, columns_for(parsed)), parsed.output)


def columns_for(parsed: argparse.Namespace) -> int | None:
    """Of the terminal that is written to; None where it is to be as wide as it gets."""
    to_terminal = parsed.output is None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if to_terminal else None


def write_one(table: Table, parsed: argparse.Namespace) -> int:
    """A table of one row: in JSON an object, not a list of one."""
    if parsed.format == "json":
        return write(table.as_object(), parsed.output)
    return write_table(table, parsed)


def write_found(
    found: Found,
    parsed: argparse.Namespace,
    words: Callable[[Found, int | None], str],
    table: Callable[[Found], Table],
    as_json: Callable[[Found], str],
) -> int:
    """In the form asked for: in words for people, as rows, or all of it for programs."""
    if parsed.format == "json":
        return write(as_json(found), parsed.output)
    if parsed.format == "csv":
        return write_table(table(found), parsed)
    return write(words(found, columns_for(parsed)), parsed.output)


def write(text: str, path: Path | None) -> int:
    """To a file, or to standard output. Raises OrchestratorError where it cannot be written."""
    try:
        if path is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            write_whole(path, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = "standard output" if path is None else str(path)
        raise OrchestratorError(f"expected to write to {where}, got: {error.strerror}") from None
    return DONE


def write_charts(document: str, folder: Path) -> int:
    """Those of a page, as files in a folder. Raises OrchestratorError where they cannot be written."""
    from orchestrator.report.html.drawings import drawings

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OrchestratorError(f"expected to make the folder {folder}, got: {error.strerror}") from None
    paths = {folder / name: chart for name, chart in drawings(document).items()}
    for path, chart in paths.items():
        write(chart, path)
    return write("".join(f"{path}\n" for path in paths), None)


def say(text: str, stream: TextIO) -> None:
    """To a closed terminal, or a full device, nothing is said, and all goes on as it would."""
    try:
        print(text, end="", file=stream, flush=True)
    except OSError:
        # Nothing is left to be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say_remarks(remarks: Iterable[str]) -> None:
    """What has no effect, of a spec or of results, beside what is written or drawn."""
    for remark in remarks:
        say(f"note: {remark}\n", sys.stderr)


def is_screen(stream: Any) -> bool:
    """Whether a stream is a terminal that lines can be drawn on anew."""
    return bool(stream.isatty()) and os.environ.get("TERM", "dumb") not in ("dumb", "")
