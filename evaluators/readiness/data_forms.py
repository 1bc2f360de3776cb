"""What a data file must look like, and whether it does: told without numpy, so that `doctor` can ask as well.

The evaluators read their files by the same rules, and by what only they know of the contents.
"""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Protocol

_UNSIGNED_BYTES: Final = 0x08
_GZIP: Final = b"\x1f\x8b"


class Damaged(Exception):
    """What is wrong with a file, in words that can follow its name."""


class Form(Protocol):
    """How a file or folder must be."""

    def check(self, path: Path) -> None:
        """Raises `Damaged` where it is otherwise, `OSError` where it cannot be read."""


@dataclass(frozen=True, slots=True)
class TableForm:
    """Lines of so many ``columns`` of finite numbers, after ``header`` lines of names.

    ``separator`` is None for any white space.
    """

    columns: int
    separator: str | None = None
    header: int = 0

    def lines(self, data: bytes) -> list[str]:
        """The lines of numbers, not looked at one by one. Raises `Damaged`."""
        lines = data.decode("utf-8", "replace").splitlines()
        if self.header and lines and all(_is_finite(field) for field in lines[0].split(self.separator)):
            raise Damaged(f"expected names of columns in line 1, got numbers: {lines[0][:80]!r}")
        lines = lines[self.header :]
        while lines and not lines[-1].strip():
            lines.pop()
        if not lines:
            raise Damaged(f"expected lines of {self.columns} numbers, there are none")
        return lines

    def check_lines(self, lines: Sequence[str]) -> None:
        """Raises `Damaged` about the first line that is wrong."""
        for number, line in enumerate(lines, start=self.header + 1):
            fields = line.split(self.separator)
            if len(fields) != self.columns:
                is_last = number == self.header + len(lines)
                last = ", the last, which may have been cut off" if is_last else ""
                raise Damaged(
                    f"expected {self.columns} columns, line {number}{last} has {len(fields)}: "
                    f"{line.strip()[:80]!r}"
                )
            for field in fields:
                if not _is_finite(field):
                    raise Damaged(f"expected numbers, line {number} has {field.strip()[:80]!r}")

    def check(self, path: Path) -> None:
        """See `Form.check`."""
        self.check_lines(self.lines(unpacked(path)))


@dataclass(frozen=True, slots=True)
class IdxForm:
    """MNIST's format: unsigned bytes, 3 ``dimensions`` for images and 1 for labels."""

    dimensions: int

    def shape(self, data: bytes) -> tuple[int, ...]:
        """What the header says, checked to the byte. Raises `Damaged`."""
        dimensions = self.dimensions
        if len(data) < 4 or data[:2] != b"\0\0":
            raise Damaged(f"expected an IDX file, it begins with {data[:4]!r}")
        if data[2] != _UNSIGNED_BYTES or data[3] != dimensions:
            kind = "images" if dimensions == 3 else "labels"
            many = "dimension" if dimensions == 1 else "dimensions"
            raise Damaged(
                f"expected {kind} (unsigned bytes in {dimensions} {many}), its header says type "
                f"0x{data[2]:02x} in {data[3]}; are images and labels exchanged?"
            )
        if len(data) < self.start:
            raise Damaged(f"expected a header of {self.start} bytes, the file has {len(data)}")
        shape = struct.unpack(f">{dimensions}I", data[4 : self.start])
        wanted = self.start + math.prod(shape)
        if len(data) != wanted:
            cut = "cut off" if len(data) < wanted else "too long"
            raise Damaged(f"expected {wanted} bytes for {shape}, got {len(data)}: it is {cut}")
        return shape

    @property
    def start(self) -> int:
        """Where the data begin."""
        return 4 + 4 * self.dimensions

    def check(self, path: Path) -> None:
        """See `Form.check`."""
        self.shape(unpacked(path))


@dataclass(frozen=True, slots=True)
class CifarForm:
    """CIFAR-10's binary version: a folder of files of records, a label and 3 x 32 x 32 bytes each."""

    record: ClassVar[int] = 1 + 3 * 32 * 32
    test_batch: ClassVar[str] = "test_batch.bin"

    def batches(self, folder: Path) -> list[Path]:
        """The files of training images. Raises `Damaged` where there are none."""
        batches = sorted(folder.glob("data_batch_*.bin"))
        if not batches:
            raise Damaged("expected a folder with data_batch_1.bin and so on, it has none")
        return batches

    def check_size(self, size: int) -> None:
        """Raises `Damaged` unless a file of so many bytes holds whole records."""
        if not size or size % self.record:
            raise Damaged(
                f"expected records of {self.record} bytes, {size} bytes are no multiple of that: "
                "it is cut off"
            )

    def check(self, path: Path) -> None:
        """See `Form.check`."""
        for batch in [*self.batches(path), path / self.test_batch]:
            if not batch.exists():
                raise Damaged(f"there is no {batch.name} in it")
            try:
                self.check_size(_size(batch))
            except Damaged as damaged:
                raise Damaged(f"{batch.name}: {damaged}") from None


def unpacked(path: Path) -> bytes:
    """A file's bytes, unpacked if it is gzip by its first bytes, whatever its name.

    Raises `Damaged` where packed data are damaged or cut off, `OSError` where it cannot be read.
    """
    data = path.read_bytes()
    if data[:2] != _GZIP:
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise Damaged(f"the packed data are damaged or cut off ({error})") from None


def _size(path: Path) -> int:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    return len(unpacked(path)) if packed else path.stat().st_size


def _is_finite(field: str) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False


SKIN_PIXELS: Final = TableForm(columns=4)
"""Skin_NonSkin.txt: blue, green, red, and what it is of."""
PROTEINS: Final = TableForm(columns=10, separator=",", header=1)
"""CASP.csv: the distance, then nine attributes."""
IMAGES: Final = IdxForm(dimensions=3)
LABELS: Final = IdxForm(dimensions=1)
PHOTOGRAPHS: Final = CifarForm()
