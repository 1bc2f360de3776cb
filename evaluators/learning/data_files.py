"""Data files named by a spec: that they are there, and tables of numbers read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluators.errors import EvaluationError
from evaluators.readiness.data_forms import Damaged, TableForm, unpacked


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
        return unpacked(path)
    except Damaged as damaged:
        raise source.unusable(path, str(damaged)) from None
    except OSError as error:
        why = error.strerror or error
        raise EvaluationError(
            "error", f"{path}: expected a file that this worker can read, and it cannot: {why}"
        ) from None


def read_table(path: Path, source: Source, form: TableForm) -> NDArray[np.float64]:
    """An (n, columns) table of finite numbers, n > 0, from a text file, packed or not.

    Raises:
        EvaluationError: (error) a line has other columns or what is no finite number, or there are no lines.
    """
    data = read_bytes(path, source)
    try:
        lines = form.lines(data)
        try:
            table = np.loadtxt(lines, delimiter=form.separator, ndmin=2, comments=None)
        except ValueError:
            table = np.empty((0, 0))
        if table.shape != (len(lines), form.columns) or not np.isfinite(table).all():
            form.check_lines(lines)
            raise Damaged(f"expected lines of {form.columns} numbers, which these are not")
    except Damaged as damaged:
        raise source.unusable(path, str(damaged)) from None
    return np.asarray(table, dtype=np.float64)
