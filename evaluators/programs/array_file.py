"""Files of named arrays that programs write, as HDF5, NetCDF, MATLAB's or NumPy's, and what is under a key.

Which it is says how the file begins, and not its name: NetCDF 4 is HDF5, and both may be called `wing.nc`; so
is what MATLAB keeps from version 7.3 on, behind a line of its own. Only what a key leads to is read, but of
older files of MATLAB's, and of zipped ones of NumPy's, the whole variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evaluators.errors import EvaluationError
from evaluators.programs.json_key import under_key

_UNREAD: Final = "NetCDF 5"
_FORMS: Final = {
    b"PK\x03\x04": "NumPy",
    b"\x93NUMPY": "NumPy",
    b"MATLAB 5.0 MAT-file": "MATLAB",
    b"MATLAB 7.3 MAT-file": "HDF5",
    b"CDF\x01": "NetCDF",
    b"CDF\x02": "NetCDF",
    b"CDF\x05": _UNREAD,
    b"\x89HDF\r\n\x1a\n": "HDF5",
}


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """Such a file; ``form`` is what its beginning says."""

    path: Path
    form: str

    @classmethod
    def at(cls, path: Path) -> ArrayFile | None:
        """None where it is no such file, or none that can be read."""
        try:
            if not path.is_file():
                return None
            with path.open("rb") as file:
                begins = file.read(max(map(len, _FORMS)))
        except OSError:
            return None
        form = next((form for mark, form in _FORMS.items() if begins.startswith(mark)), None)
        return None if form is None else cls(path, form)

    def no_text(self, wanted: str) -> EvaluationError:
        """Of one that was to be read as something else."""
        return EvaluationError(
            "invalid", f"expected {wanted} in {self.path}, which is of {self.form}: say a `key` of it"
        )

    def under(self, key: str, told: str) -> object:
        """As `under_key` has it, of arrays numbers, or lists, perhaps of lists.

        Raises `EvaluationError`: invalid where there is none, error where a library is missing.
        """
        expected = f"expected arrays in {self.path}, of {self.form}"
        if self.form == _UNREAD:
            hint = "which is not read; `nccopy -k classic` writes what is"
            raise EvaluationError("invalid", f"{expected}, {hint}")
        # With the libraries of arrays: programs that have none of them begin sooner without.
        from evaluators.programs.array_readers import opened_arrays

        try:
            with opened_arrays(self.path, self.form) as content:
                found = under_key(content, key, told)
                group = _group_in(found)
                names = None if group is None else list(group)
        except EvaluationError:
            raise
        except Exception as error:
            # Each of the libraries has errors of its own for what is cut off.
            said = str(error).rstrip(".") or type(error).__name__
            raise EvaluationError("invalid", f"{expected}: {said}") from None
        if names is not None:
            listed = ", ".join(f"`{name}`" for name in names[:10]) or "nothing"
            raise EvaluationError(
                "invalid", f"expected {told} an array under `{key}`, got a group of {listed}"
            )
        return found


def _group_in(found: object) -> Mapping[str, object] | None:
    """What is no array: a group, or the first in a list of such."""
    if isinstance(found, list):
        # Numbers may be millions.
        others = (one for one in found if type(one) is not float and type(one) is not int)
        return next((group for one in others if (group := _group_in(one)) is not None), None)
    return found if isinstance(found, Mapping) else None
