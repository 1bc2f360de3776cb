"""Grey images as PNG, to be put inside an SVG."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def grey_png(image: NDArray[np.uint8]) -> bytes:
    """An (h, w) image as an 8-bit grey PNG file."""
    height, width = image.shape
    # Each row begins with its filter, 0: none.
    rows = np.hstack([np.zeros((height, 1), np.uint8), image]).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def data_address(png: bytes) -> str:
    """The PNG file as an address that an SVG or HTML page can hold."""
    return "data:image/png;base64," + base64.b64encode(png).decode()
