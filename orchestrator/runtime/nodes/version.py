"""Which numbers a node computes, in a word: nodes and the run that asks them must agree in it.

A node outlives the run that it serves, and code can be changed in between. Then the same version of this
program would choose other points when it is resumed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import scipy

from orchestrator.version import __version__

COMPUTES = ("unit_cube", "numerics", "surrogates", "maximisers")
"""What a node computes with."""


@cache
def node_version() -> str:
    """``0.1.0 (code 5f0c2a91, numpy 2.1.3, scipy 1.14.1)``, as it was when it was first asked for."""
    code = checksum(Path(__file__).parents[2], COMPUTES)
    return f"{__version__} (code {code:08x}, numpy {np.__version__}, scipy {scipy.__version__})"


def checksum(folder: Path, parts: Iterable[str]) -> int:
    """Of the sources in some files and folders; the same wherever they are installed."""
    total = 0
    for part in parts:
        place = folder / part
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            total = zlib.crc32(file.relative_to(folder).as_posix().encode(), total)
            total = zlib.crc32(file.read_bytes().replace(b"\r\n", b"\n"), total)
    return total
