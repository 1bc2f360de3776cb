"""A number with its unit, as programs write it for people: `1h 1m 33s`, `980.00us` or `12.3 MB`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from evaluators.programs.written_number import read_number

_SECONDS: Final[Mapping[str, Fraction]] = {
    name: seconds
    for names, seconds in (
        ("ns nanosecond nanoseconds", Fraction(1, 10**9)),
        ("us µs μs usec usecs microsecond microseconds", Fraction(1, 10**6)),
        ("ms msec msecs millisecond milliseconds", Fraction(1, 1000)),
        ("s sec secs second seconds", Fraction(1)),
        ("m min mins minute minutes", Fraction(60)),
        ("h hr hrs hour hours", Fraction(3600)),
        ("d day days", Fraction(86400)),
    )
    for name in names.split()
}
_ALSO_OTHERS: Final = frozenset("mMSHD")
"""Metres, millions, siemens and henries, where they stand alone."""
_PREFIXES: Final[Mapping[str, Fraction]] = {
    **{
        prefix: Fraction(10) ** power
        for prefixes, power in (
            ("p", -12),
            ("n", -9),
            ("u µ μ", -6),
            ("m", -3),
            ("c", -2),
            ("d", -1),
            ("da", 1),
            ("h", 2),
            ("k K", 3),
        )
        for prefix in prefixes.split()
    },
    **{prefix: Fraction(1000) ** power for power, prefix in enumerate("MGTP", 2)},
    **{f"{prefix}i": Fraction(1024) ** power for power, prefix in enumerate("KMGTP", 1)},
    "": Fraction(1),
}
_BINARY: Final = frozenset(prefix for prefix in _PREFIXES if prefix.endswith("i"))
_ALONE: Final = frozenset("kKMGT") | _BINARY
"""Those in which counts are written, of no unit."""
_COUNTED: Final = frozenset("kM") | _BINARY
"""Those in which counts without any are had: K, G and T are units of their own, too."""
_LONGEST: Final = 200
"""Characters: what has more is no quantity, and may be any part of a file."""
# Whole or not at all: `1e1e1e1e` has many ways else, all of which would be tried.
_NUMBER: Final = r"(?>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)"
_ONE: Final = re.compile(rf"\s*([-+]?)({_NUMBER})\s*([^\s\d.,+-]\S*)?\s*")
_TIMES: Final = re.compile(rf"\s*([-+]?)\s*((?:{_NUMBER}\s*[^\W\d_]+[\s,]*)*)([\d:.-]*)\s*")
_PART: Final = re.compile(rf"({_NUMBER})\s*([^\W\d_]+)")
_CLOCK: Final = re.compile(r"(?:(\d+)-(?=\d+:\d+:))?(?:(\d+):)?(\d+):(\d+\.?\d*)")
"""Days before a hyphen, as Slurm has them, hours, minutes and seconds."""
_POWER: Final = re.compile(r"[^\W\d_](?:\^|\*\*)?(-?\d)(?!\d)")
_POWER_OF_SOME: Final = re.compile(r"[^\W\d_]{2,}(?:\^|\*\*)?-?\d(?![^\W_])")
_RAISED: Final = str.maketrans("⁻¹²³⁴", "-1234")


def read_quantity(written: str, unit: str) -> float | None:
    """The number that a text is in a ``unit``, or None where it is none of the kind.

    A time, where the unit is one, may have several parts, or be a clock's. Others are a number and a unit
    that differs from the one wanted by its prefix at most: a power of 1000, or of 1024 where it is written
    with an `i`; where the unit wanted has one, as MiB, that of the others is taken for 1024, too. Where the
    unit is one letter that is raised to a power, as in cm2, so is its prefix. What longer names are raised
    to, as Nm2, is not known: they are read where nothing differs alone. Without a unit only 0 is read, and
    what counts in `k` or `M`.
    """
    if (number := read_number(written)) == 0:
        return number
    # Metres, of which m is the name: minutes are `min` where they are wanted.
    wanted = None if unit == "m" else _SECONDS.get(unit)
    found = _other(written, unit) if wanted is None else _seconds(written)
    if found is None:
        return None
    try:
        return float(found if wanted is None else found / wanted)
    except OverflowError:
        return None


def is_time(written: str) -> bool:
    """Whether a text is a time, with a unit or as a clock shows it, and hardly anything else, as 10 m are."""
    one = _ONE.fullmatch(written) if len(written) <= _LONGEST else None
    if one is not None and one[3] in _ALSO_OTHERS:
        return False
    return read_number(written) is None and _seconds(written) is not None


def _seconds(written: str) -> Fraction | None:
    parted = _TIMES.fullmatch(written) if len(written) <= _LONGEST else None
    if parted is None:
        return None
    sign, parts, shown = parted.groups()
    total, last = Fraction(0), None
    for number, name in _PART.findall(parts):
        scale = _SECONDS.get(name.casefold().replace("μ", "µ"))
        if scale is None or (last is not None and scale >= last):
            return None
        total, last = total + Fraction(number) * scale, scale
    if shown:
        clock = _CLOCK.fullmatch(shown)
        # Behind so many days; `5 min 1:02` is no time.
        if clock is None or (last is not None and (last != _SECONDS["d"] or clock[2] is None)):
            return None
        days, hours, minutes, seconds = (Fraction(part or 0) for part in clock.groups())
        total += ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    elif last is None:
        return None
    return -total if sign == "-" else total


def _other(written: str, unit: str) -> Fraction | None:
    one = _ONE.fullmatch(written) if len(written) <= _LONGEST else None
    ratio = None if one is None else _ratio(one[3] or "", unit)
    if one is None or ratio is None:
        return None
    return Fraction(one[1] + one[2]) * ratio


def _ratio(written: str, wanted: str) -> Fraction | None:
    """How many of the unit that is ``wanted`` one of those ``written`` is."""
    if written == wanted:
        return Fraction(1)
    # Decibels are no tenths of bytes.
    if "dB" in (written, wanted):
        return None
    # The longest that both may end with: mol, and not l, of mmol.
    for begin in range(len(wanted) + 1):
        base, prefix = wanted[begin:], wanted[:begin]
        if not base and prefix not in (_ALONE if written else _COUNTED):
            return None
        if not written.endswith(base) or prefix not in _PREFIXES:
            continue
        if base.startswith("i") and f"{prefix}i" in _BINARY:
            continue
        own = written.removesuffix(base)
        if own in (_PREFIXES if base else {"", *_ALONE}):
            by_1024, power = prefix.endswith("i"), _power(base)
            return None if power is None else (_scale(own, by_1024) / _scale(prefix, by_1024)) ** power
    return None


def _power(base: str) -> int | None:
    """What a unit without its prefix is raised to, or None where it is not known."""
    raised = base.translate(_RAISED)
    if _POWER_OF_SOME.match(raised):
        return None
    power = _POWER.match(raised)
    return 1 if power is None else int(power[1])


def _scale(prefix: str, by_1024: bool) -> Fraction:
    binary = f"{prefix.replace('k', 'K')}i"
    return _PREFIXES[binary if by_1024 and binary in _PREFIXES else prefix]
