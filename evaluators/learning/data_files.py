"""Data files named by a spec: that they are there, and tables of numbers read strictly."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluators.errors import EvaluationError


@dataclass(frozen=True, slots=True)
class Source:
    """What a person is told about a data set: its name, and where its files are to be had."""

    name: str
    where: str

    def unusable(self, path: Path, trouble: str) -> EvaluationError:
        """The failure to raise for a file that is there and wrong."""
        return EvaluationError(
            "error", f"{path}: {trouble}; get {self.name} again from {self.where} and replace the file"
        )


def data_path(path: str, option: str, source: Source) -> Path:
    """The path, once it is known to be there. Relative ones start where the worker was started.

    Raises:
        EvaluationError: invalid where the option is no text; error where nothing is there.
    """
    if not isinstance(path, str) or not path:
        raise EvaluationError(
            "invalid", f"expected the path of {source.name} as option `{option}`, got {path!r}"
        )
    found = Path(path).expanduser()
    if not found.exists():
        from_where = "" if found.is_absolute() else f" (looked for from {Path.cwd()})"
        raise EvaluationError(
            "error",
            f"{path}: there is no such file{from_where}; get {source.name} from {source.where} and give its "
            f"path as option `{option}`",
        )
    return found


def read_bytes(path: Path, source: Source) -> bytes:
    """The file's bytes, unpacked if it is gzip by its first bytes, whatever its name.

    Raises:
        EvaluationError: (error) it cannot be read or the packed data are damaged or cut off.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or error
        raise EvaluationError(
            "error", f"{path}: expected a file that this worker can read, and it cannot: {why}"
        ) from None
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise source.unusable(path, f"the packed data are damaged or cut off ({error})") from None


def read_table(
    path: Path, source: Source, columns: int, separator: str | None, header: int
) -> NDArray[np.float64]:
    """An (n, columns) table of finite numbers, n > 0.

    Args:
        path: of a text file, packed or not.
        source: for the messages.
        columns: expected in every line.
        separator: between numbers; None for any white space.
        header: lines to skip at the start, which hold names.

    Raises:
        EvaluationError: (error) a line has other columns or what is no finite number, or there are no lines.
    """
    text = read_bytes(path, source).decode("utf-8", "replace")
    lines = text.splitlines()
    if header and lines and all(_is_finite(field) for field in lines[0].split(separator)):
        raise source.unusable(path, f"expected names of columns in line 1, got numbers: {lines[0][:80]!r}")
    lines = lines[header:]
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise source.unusable(path, f"expected lines of {columns} numbers, there are none")
    try:
        table = np.loadtxt(lines, delimiter=separator, ndmin=2, comments=None)
    except ValueError:
        table = np.empty((0, 0))
    if table.shape != (len(lines), columns) or not np.isfinite(table).all():
        raise source.unusable(path, _first_bad_line(lines, columns, separator, header))
    return np.asarray(table, dtype=np.float64)


def _first_bad_line(lines: list[str], columns: int, separator: str | None, header: int) -> str:
    for number, line in enumerate(lines, start=header + 1):
        fields = line.split(separator)
        if len(fields) != columns:
            last = ", the last, which may have been cut off" if number == header + len(lines) else ""
            return f"expected {columns} columns, line {number}{last} has {len(fields)}: {line.strip()[:80]!r}"
        for field in fields:
            if not _is_finite(field):
                return f"expected numbers, line {number} has {field.strip()[:80]!r}"
    return f"expected lines of {columns} numbers, which these are not"


def _is_finite(field: str) -> bool:
    try:
        return bool(np.isfinite(float(field)))
    except ValueError:
        return False
