"""What a file of named arrays has in it: groups, and arrays of which only what is wanted is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from evaluators.errors import EvaluationError

_MOST_NUMBERS: Final = 1 << 23
"""As many as 64 MiB of doubles have: more is no result."""
_MISSING: Final = ("_FillValue", "missing_value")
"""Attributes that say which number stands for none, by the conventions of NetCDF, also in HDF5."""
_NEVER_WRITTEN: Final = 15 * 2.0**119
"""What NetCDF's library has in arrays of floats before anything is written there, about 9.97e36."""
_LEAST_BYTES_OF_NETCDF: Final = 4
"""Smaller floats cannot have that number."""


@dataclass(frozen=True, slots=True)
class Named(Mapping[str, object]):
    """Arrays by their names, and in HDF5 groups and attributes; each is ``opened`` once it is asked for."""

    stored: Mapping[str, Any]
    opened: Callable[[Any], object]
    attributes: Mapping[str, Any]

    def __getitem__(self, name: str) -> object:
        if name in self.stored:
            return self.opened(self.stored[name])
        return StoredArray(np.asarray(self.attributes[name]))

    def __contains__(self, name: object) -> bool:
        return name in self.stored or name in self.attributes

    def __iter__(self) -> Iterator[str]:
        yield from self.stored
        yield from self.attributes

    def __len__(self) -> int:
        return len(self.stored) + len(self.attributes)

    def values(self) -> ValuesView[object]:
        """Without the attributes: these are of the whole group, and not one more beside its cases."""
        return ValuesView(self if not self.attributes else replace(self, attributes={}))


@dataclass(frozen=True, slots=True)
class StoredArray:
    """An array as a library has it, or what is ``at`` some places along its first axes, or all along one of
    them; ``attributes`` may say how its numbers are packed.
    """

    stored: Any
    attributes: Mapping[str, Any] | None = None
    at: tuple[int | slice, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what is there."""
        places = (*self.at, *(slice(None) for _ in self.stored.shape[len(self.at) :]))
        return tuple(size for size, at in zip(self.stored.shape, places, strict=True) if at == slice(None))

    @property
    def told(self) -> str:
        """What it is, in words."""
        return f"an array of {' x '.join(map(str, self.shape))}" if self.shape else "a single value"

    def step(self, place: int | None) -> StoredArray:
        """What is at a place along the next axis, from 0, or from -1 at its end, or all along it if None.

        Raises `IndexError` where there is none.
        """
        size = self.stored.shape[len(self.at)]
        if place is not None and not -size <= place < size:
            raise IndexError
        return replace(self, at=(*self.at, slice(None) if place is None else place))

    def read(self, wanted: str) -> object:
        """A number, a text, or a list of these, perhaps of lists; an array of one is that one, and what is
        missing NaN. Raises `EvaluationError` (invalid), which begins with what is ``wanted``.
        """
        if (count := math.prod(self.shape)) > _MOST_NUMBERS:
            most = f"of at most {_MOST_NUMBERS:,} numbers"
            raise EvaluationError("invalid", f"{wanted}, {most}, got {count:,}")
        found = np.ma.asarray(self.stored[self.at])
        if found.dtype.kind in "SUO":
            return _text(found, wanted)
        if found.dtype.kind not in "biuf":
            raise EvaluationError("invalid", f"{wanted}, real numbers, got {found.dtype}")
        numbers = _unpacked(found, self.attributes or {})
        return numbers.item() if numbers.size == 1 else numbers.tolist()


def _unpacked(found: np.ma.MaskedArray[Any, Any], attributes: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    missing = np.ma.getmaskarray(found)
    if found.dtype.kind == "f" and found.dtype.itemsize >= _LEAST_BYTES_OF_NETCDF:
        missing = missing | (found.data == _NEVER_WRITTEN)
    for name in _MISSING:
        if name in attributes:
            missing = missing | np.isin(found.data, attributes[name])
    scale, offset = (attributes.get(name) for name in ("scale_factor", "add_offset"))
    numbers = found.data if found.dtype.kind != "b" else found.data.astype(int)
    if numbers.dtype.kind == "f" and numbers.itemsize > np.dtype(float).itemsize:
        # Python has none of these.
        numbers = numbers.astype(float)
    if scale is not None or offset is not None:
        numbers = numbers * _number(scale, 1.0) + _number(offset, 0.0)
    return np.where(missing, np.nan, numbers) if missing.any() else np.asarray(numbers)


def _number(attribute: Any, otherwise: float) -> float:
    """Of one that is no number, it is none by the conventions either."""
    try:
        return otherwise if attribute is None else float(np.ravel(attribute)[0])
    except (ValueError, TypeError, IndexError):
        return otherwise


def _text(found: np.ma.MaskedArray[Any, Any], wanted: str) -> object:
    """NetCDF has texts as arrays of characters."""
    if found.dtype == "S1" and found.ndim == 1:
        return b"".join(found.data).decode("utf-8", "replace").strip()
    texts = np.frompyfunc(lambda one: _one(one, wanted), 1, 1)(found.data)
    return texts.tolist() if isinstance(texts, np.ndarray) else texts


def _one(one: object, wanted: str) -> object:
    """Cells of MATLAB's may have numbers as well, and arrays, as rows of HDF5 that are not equally long."""
    if isinstance(one, bytes):
        return one.decode("utf-8", "replace")
    if isinstance(one, np.ndarray):
        return StoredArray(one).read(wanted)
    if isinstance(one, int | float | str):
        return one
    raise EvaluationError("invalid", f"{wanted}, numbers or texts, got {type(one).__name__}")
