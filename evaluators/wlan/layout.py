"""Where the access points and stations of the network stand, and which access points disturb which.

Twelve access points on a grid of three rows and four columns, 25 m apart, and round each of them three
stations at distances of 3 to 5 m (Figure 6 of Bardou et al. 2024, whose own positions are not printed). The
stations were drawn once and are kept in ``stations.inc``, which the C++ program includes and this module
reads: there is one layout, whatever the seed of a run.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Final, TypeAlias

Position: TypeAlias = tuple[float, float]
"""Metres east and north of the first access point."""

COLUMNS: Final = 4
ROWS: Final = 3
SPACING_M: Final = 25.0
RANGE_M: Final = 30.0
"""No signal reaches further."""
STATIONS_EACH: Final = 3

ACCESS_POINTS: Final[tuple[Position, ...]] = tuple(
    (column * SPACING_M, row * SPACING_M) for row in range(ROWS) for column in range(COLUMNS)
)
PARAMETERS: Final = tuple(f"power_{number + 1}" for number in range(len(ACCESS_POINTS)))
"""The transmit powers, in mW, of the access points in order: row by row."""


def _stations() -> tuple[Position, ...]:
    text = Path(__file__).with_name("stations.inc").read_text(encoding="utf-8")
    offsets = re.findall(r"\{(-?[0-9.]+), (-?[0-9.]+)\}", text)
    return tuple(
        (centre[0] + float(x), centre[1] + float(y))
        for number, (x, y) in enumerate(offsets)
        for centre in [ACCESS_POINTS[number // STATIONS_EACH]]
    )


STATIONS: Final = _stations()
"""Station ``s`` belongs to access point ``s // STATIONS_EACH``."""


def stations_of(access_point: int) -> range:
    """The stations of one access point, all counted from 0."""
    return range(access_point * STATIONS_EACH, (access_point + 1) * STATIONS_EACH)


def heard_by(access_point: int) -> tuple[int, ...]:
    """The access points whose signal reaches a station of this one, itself included, in order."""
    return tuple(
        other
        for other, position in enumerate(ACCESS_POINTS)
        if any(math.dist(position, STATIONS[station]) <= RANGE_M for station in stations_of(access_point))
    )


def factors() -> list[list[str]]:
    """The factor graph: for each access point, the powers that its stations' capacities depend on.

    Twelve factors of 3 to 5 parameters; the capacity of access point ``i`` is the value of factor ``i``.
    """
    return [[PARAMETERS[other] for other in heard_by(number)] for number in range(len(ACCESS_POINTS))]
