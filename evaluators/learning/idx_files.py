"""The IDX format of MNIST: a header that says how many bytes follow, checked to the byte."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluators.learning.data_files import Source, read_bytes

_UNSIGNED_BYTES = 0x08


def read_idx(path: Path, source: Source, dimensions: int) -> NDArray[np.uint8]:
    """The array of unsigned bytes in an IDX file, packed with gzip or not.

    Args:
        path: of the file.
        source: for the messages.
        dimensions: how many the array must have: 3 for images, 1 for labels.

    Raises:
        EvaluationError: (error) the file is of another kind, has other dimensions, or is cut off.
    """
    data = read_bytes(path, source)
    if len(data) < 4 or data[:2] != b"\0\0":
        raise source.unusable(path, f"expected an IDX file, it begins with {data[:4]!r}")
    if data[2] != _UNSIGNED_BYTES or data[3] != dimensions:
        kind = "images" if dimensions == 3 else "labels"
        many = "dimension" if dimensions == 1 else "dimensions"
        raise source.unusable(
            path,
            f"expected {kind} (unsigned bytes in {dimensions} {many}), its header says type "
            f"0x{data[2]:02x} in {data[3]}; are images and labels exchanged?",
        )
    start = 4 + 4 * dimensions
    if len(data) < start:
        raise source.unusable(path, f"expected a header of {start} bytes, the file has {len(data)}")
    shape = struct.unpack(f">{dimensions}I", data[4:start])
    wanted = start + math.prod(shape)
    if len(data) != wanted:
        cut = "cut off" if len(data) < wanted else "too long"
        raise source.unusable(path, f"expected {wanted} bytes for {shape}, got {len(data)}: it is {cut}")
    return np.frombuffer(data, np.uint8, offset=start).reshape(shape)
