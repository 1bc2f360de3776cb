"""Which runs, and which searches from Python, lie where somebody says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orchestrator.errors import UsageError
from orchestrator.search_files.beginning import is_search_file
from orchestrator.system.shell_lines import shell_line

START_OR_NAME = "Start one: orchestrator run SPEC; or name the folder where they lie: orchestrator runs DIR"
"""Where there are none."""


def lying_in(named: Sequence[Path], logs: Path) -> list[Path]:
    """The folders of runs, and the files of searches: those named, by their paths or their names under
    ``logs``, and those that lie in named folders; where nothing is named, in ``logs``. Each once.

    Raises UsageError for what is not there, or holds none, and for a folder that cannot be looked into.
    """
    found = [path for one in named or [logs] for path in _lying_in(one, logs)]
    return list({path.resolve(): path for path in found}.values())


def _lying_in(named: Path, logs: Path) -> list[Path]:
    try:
        place = next((path for path in (named, logs / named) if path.exists()), named)
    except OSError as error:
        raise _refused(named, error) from None
    if _is_kept(place):
        return [place]
    if not place.is_dir():
        what = "is another file" if place.exists() else "does not exist"
        if named == logs:
            raise UsageError(f"expected runs under {logs}/, which {what}. {START_OR_NAME}")
        came = f"{place}, which {what}"
        raise UsageError(
            "expected a run, the file of a search from Python, or a folder where such lie, got "
            f"{came}; those under {logs}/: {shell_line('runs', *where(logs))}"
        )
    try:
        found = [path for path in sorted(place.iterdir()) if _is_kept(path)]
    except OSError as error:
        raise _refused(place, error) from None
    if not found:
        raise UsageError(
            f"expected runs, or files of searches from Python, under {place}/, found none. {START_OR_NAME}"
        )
    return found


def _refused(path: Path, error: OSError) -> UsageError:
    return UsageError(f"expected a folder that can be looked into, got {path}: {error.strerror}")


def where(logs: Path) -> list[Path]:
    """What is to be said of where runs lie: nothing where that is where they are looked for anyway."""
    return [] if logs == Path("logs") else [logs]


def _is_kept(path: Path) -> bool:
    """Whether it is a run, as far as can be seen from outside, or a search."""
    try:
        if not path.is_dir():
            return is_search_file(path)
        # Of a run that was killed before it had a journal the lock is there.
        return any((path / name).is_file() for name in ("journal.jsonl", "lock"))
    except PermissionError:
        # Told as one that cannot be read, as it may well be a run.
        return True
