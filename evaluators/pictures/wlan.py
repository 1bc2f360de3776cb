"""The network from above: how far each access point reaches, what its stations get, and who disturbs whom."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from evaluators.pictures.svg import BLUE, FAINT, INK, ORANGE, SOFT, Drawing, Place
from evaluators.wlan.layout import ACCESS_POINTS, PARAMETERS, RANGE_M, STATIONS, heard_by, stations_of

_EDGE_DBM: Final = -75.0
"""What the rim of a disc stands for: about 20 dB above the noise, a signal that disturbs."""
_LOSS_AT_1_M_DB: Final = 46.6777
_EXPONENT: Final = 3.5
# Mb/s of one station, worst to best, with the colour up to there.
_CLASSES: Final = ((60.0, "#b3261e"), (110.0, ORANGE), (160.0, "#7fae3f"), (math.inf, "#1d7a46"))


def draw_access_points(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `evaluators.wlan:network`, from its powers and what it returned."""
    powers = [float(parameters[name]) for name in PARAMETERS]
    rates = [float(rate) for rate in extras["station_mbps"]]
    total = sum(rates)
    drawing = Drawing(-31.0, 106.0, -44.0, 81.0, width=760)
    for power, place in zip(powers, ACCESS_POINTS, strict=True):
        drawing.circle(
            _up(place),
            _reach(power),
            f'fill="{BLUE}" fill-opacity="0.09" stroke="{BLUE}" stroke-opacity="0.3"',
        )
    for number, place in enumerate(ACCESS_POINTS):
        for other in heard_by(number):
            if other > number:
                ends = [_up(place), _up(ACCESS_POINTS[other])]
                drawing.line(ends, f'stroke="{SOFT}" stroke-width="1"')
    for number, place in enumerate(ACCESS_POINTS):
        for station in stations_of(number):
            drawing.line([_up(place), _up(STATIONS[station])], f'stroke="{INK}" stroke-width="0.8"')
    for number, place in enumerate(ACCESS_POINTS):
        for station in stations_of(number):
            drawing.dot(_up(STATIONS[station]), 5.5, f'fill="{_colour(rates[station])}" stroke="#ffffff"')
        drawing.dot(_up(place), 11, f'fill="{BLUE}" stroke="#ffffff" stroke-width="1.5"')
        label = 'fill="#ffffff" font-weight="600"'
        x, y = _up(place)
        drawing.text((x, y - 4 / drawing.scale), str(number + 1), anchor="middle", style=label)
        halo = f'fill="{INK}" paint-order="stroke" stroke="#ffffff" stroke-width="3.5"'
        cell = sum(rates[station] for station in stations_of(number))
        drawing.text((x, y - 7.6), f"{powers[number]:.3g} mW", anchor="middle", style=halo)
        drawing.text((x, y - 10.0), f"{cell:.0f} Mb/s", anchor="middle", style=halo)
    _key(drawing)
    drawing.caption(f"{total:,.0f} Mb/s from twelve access points to their stations".replace(",", " "))
    return drawing.svg(
        f"Twelve access points, three stations round each, with transmit powers from {min(powers):.3g} to "
        f"{max(powers):.3g} mW and {total:.0f} Mb/s in all."
    )


def _up(place: Place) -> Place:
    """The first row above the others, as it is numbered."""
    return (place[0], ACCESS_POINTS[-1][1] - place[1])


def _reach(power_mw: float) -> float:
    """Metres within which a signal is above `_EDGE_DBM`."""
    budget_db = 10.0 * math.log10(power_mw) - _LOSS_AT_1_M_DB - _EDGE_DBM
    return min(RANGE_M, float(10.0 ** (budget_db / (10.0 * _EXPONENT))))


def _colour(rate: float) -> str:
    return next(colour for bound, colour in _CLASSES if rate < bound)


def _key(drawing: Drawing) -> None:
    x, y = -29.0, -37.0
    words = ("station below 60 Mb/s", "60 to 110", "110 to 160", "160 and above")
    for (_, colour), text in zip(_CLASSES, words, strict=True):
        drawing.dot((x, y), 5.5, f'fill="{colour}"')
        drawing.text((x + 2.0, y - 0.7), text, size=11)
        x += 7.5 + 1.15 * len(text)
    drawing.line([(-30.0, y - 3.9), (-27.0, y - 3.9)], f'stroke="{SOFT}" stroke-width="1"')
    drawing.text((-26.0, y - 4.7), "within range of one another", size=11)
    drawing.circle(
        (8.0, y - 3.9), 1.4, f'fill="{BLUE}" fill-opacity="0.12" stroke="{BLUE}" stroke-opacity="0.4"'
    )
    drawing.text((10.4, y - 4.7), f"where its signal is above −{-_EDGE_DBM:.0f} dBm", size=11)
    drawing.line([(-31.0, y + 3.5), (106.0, y + 3.5)], f'stroke="{FAINT}" stroke-width="1"')
