"""How numbers, durations and parameters are written for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orchestrator.values.finite import is_number
from orchestrator.values.named import Values
from orchestrator.values.printable import printable

if TYPE_CHECKING:
    from orchestrator.spec.model import Spec

PARAMETERS_SHOWN = 24
"""Of a point, where nobody asked for all of it."""
NAMED = 6
"""Members, parameters and factors that are named; the others are counted."""
# What is added to a value in the last digits of a float is rounding.
LEAST_DIGITS, MOST_DIGITS = 6, 12


CURVE_SHOWN = 4
"""Points of a curve that are written out."""


def number(value: object, digits: int = 5) -> str:
    """A value as people write it: floats to so many significant digits, anything else as it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # The zero of a negative number has a sign, which says nothing.
        return f"{value + 0.0:.{digits}g}"
    if isinstance(value, list | tuple) and len(value) > CURVE_SHOWN:
        return f"{len(value):,} points{_range_of(value, digits)}"
    if isinstance(value, list | tuple) and all(map(is_number, value)):
        return f"[{', '.join(number(one, digits) for one in value)}]"
    return str(value)


def _range_of(points: Sequence[object], digits: int) -> str:
    """The least and the greatest of a curve, in words; nothing of what is none."""
    numbers = [one for one in points if isinstance(one, int | float) and is_number(one)]
    if len(numbers) < len(points):
        return ""
    least, greatest = number(min(numbers), digits), number(max(numbers), digits)
    return f", all {least}" if least == greatest else f" between {least} and {greatest}"


def number_beside(value: float, other: float | None, digits: int = 5, *, unsure: float = 0.0) -> str:
    """A value as people write it, with as many more digits as tell it from ``other``, if there is one.

    Energies, say, differ where an offset leaves no room. The second digit in which they differ is the last,
    or that of how ``unsure`` it is by how much they do.
    """
    needed = 0 if other is None else _telling((value, other), max(abs(value - other), unsure))
    return number(value, max(digits, needed))


def column_digits(values: Sequence[float]) -> int:
    """How many significant digits tell values of a column apart: three of what the middle half spans, but no
    fewer than `LEAST_DIGITS`. How far off the others are asks for no more, as of one that is wild.
    """
    known = sorted(value for value in values if math.isfinite(value))
    if len(known) < 4:
        return LEAST_DIGITS
    middle = known[len(known) // 4 : 3 * len(known) // 4 + 1]
    return max(LEAST_DIGITS, _telling(middle, middle[-1] - middle[0]) + 1)


def _telling(values: Sequence[float], difference: float) -> int:
    """Significant digits of the largest value, down to the second of a difference."""
    largest = max(abs(value) for value in values)
    if not (0.0 < difference <= largest < math.inf):
        return 0
    return min(math.floor(math.log10(largest)) - math.floor(math.log10(difference)) + 2, MOST_DIGITS)


def duration(seconds: float) -> str:
    """A duration in the two units that matter: ``0.25 s``, ``43 s``, ``2 min 05 s``, ``3 h 12 min``."""
    seconds = max(0.0, seconds)
    if seconds < 0.001:
        return "0 s" if seconds < 1e-6 else f"{seconds * 1e6:.0f} µs"
    if seconds < 1.0:
        return f"{seconds * 1e3:.0f} ms" if seconds < 0.0995 else f"{seconds:.2g} s"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / 3600)
    return f"{hours // 24} d {hours % 24} h"


def passing(seconds: float) -> str:
    """A duration that is growing while it is read: tenths of a second at most, whole ones from ten on."""
    return f"{max(0.0, seconds):.1f} s" if seconds < 9.95 else duration(seconds)


def clock(seconds: float) -> str:
    """A time of the run in whole seconds, of one width for an hour: ``2:05``, ``1:02:05``."""
    whole = int(max(0.0, seconds))
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d}"
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def uncertain(mean: float, deviation: float) -> str:
    """``-0.052 ± 0.0065``: no more digits than the deviation allows, and ``50 ± 120`` without exponents; what
    lies below all of these, as of rounding, is 0.
    """
    if not (deviation > 0.0 and math.isfinite(deviation) and math.isfinite(mean)):
        return number(mean, 6)
    places = math.floor(math.log10(deviation)) - 1
    known = math.floor(math.log10(abs(mean))) - places + 1 if mean else 1
    mean = mean if known >= 0 else 0.0
    return f"{_rounded(mean, min(max(known, 1), 8))} ± {_rounded(deviation, 2)}"


def _rounded(value: float, digits: int) -> str:
    """Rounded to so many digits, with an exponent only from a million on."""
    return number(float(number(value, digits)), max(digits, 6))


def counted(count: int, noun: str) -> str:
    """``1 trial``, ``2,041 trials``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(items: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, without its middle: the ends of names that begin alike tell
    which it is.
    """
    if len(text) <= most:
        return text
    behind = (most - 1) // 2
    return f"{text[: most - 1 - behind]}…{text[len(text) - behind :]}"


def first_line(text: str) -> str:
    """The first line that says anything; what follows, a traceback mostly, has its place elsewhere."""
    lines = (printable(line).strip() for line in text.splitlines())
    return next((line for line in lines if line), "")


def where_words(trial: int) -> str:
    """Which trial it is, or that it is none: known before the run, or told by an amendment."""
    return "known from elsewhere" if trial < 1 else f"trial {trial}"


def which_in_a_cell(trial: int) -> int | str:
    """The same in a cell of a table."""
    return "known" if trial < 1 else trial


def setting(value: object, digits: int = 5) -> str:
    """The value of a parameter in a sentence, where an empty text would not be seen."""
    return number(value, digits) if value != "" else '""'


def settings_words(settings: Values, units: Mapping[str, str]) -> str:
    """``span = 4 m, sweep = 10``."""
    each = (f"{name} = {setting(told)} {units.get(name, '')}".rstrip() for name, told in settings.items())
    return printable(", ".join(each))


def parameter_words(spec: Spec, values: Values, digits: int = 5) -> Iterator[tuple[str, str]]:
    """The parameters of a point with their values and units, in the order of the spec."""
    for name, parameter in spec.parameters.items():
        if name in values:
            unit = f" {parameter.unit}" if parameter.unit else ""
            yield name, printable(f"{setting(values[name], digits)}{unit}")


def outcome_words(spec: Spec, extras: Mapping[str, object], digits: int = 5) -> Iterator[tuple[str, str]]:
    """The outcomes of a trial with their values, in the order of the spec."""
    for name in spec.outcomes:
        if name in extras:
            yield name, printable(number(extras[name], digits))


def first_of(words: Sequence[tuple[str, str]]) -> tuple[Sequence[tuple[str, str]], str]:
    """The first of many parameters, and what is to be said of the rest: nothing where these are all."""
    rest = len(words) - PARAMETERS_SHOWN
    return words[:PARAMETERS_SHOWN], f"and {rest:,} more: orchestrator best" if rest > 0 else ""


def varied_parameters(spec: Spec) -> tuple[str, ...]:
    """The names of the parameters that are chosen, as algorithms number them."""
    # Who has a spec has loaded it; who has none, as `doctor`, is to load nothing heavy.
    from orchestrator.spec.sections.parameters import varies

    return tuple(name for name, parameter in spec.parameters.items() if varies(parameter))


def searched_parameters(spec: Spec, insight: Mapping[str, Any]) -> tuple[str, ...]:
    """Those of them that an algorithm chose when it had such an insight, as it numbers them."""
    fixed = insight.get("fixed") or ()
    return tuple(name for name in varied_parameters(spec) if name not in fixed)


def finite_number(value: Any) -> float | None:
    """``value`` if it is a finite number, and no truth value."""
    return float(value) if is_number(value) else None


def plainly(value: object) -> str:
    """What an optimiser or an evaluator told, whatever it is; of many items the first twelve."""
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return f"[{', '.join(plainly(item) for item in value[:12])}{', …' if len(value) > 12 else ''}]"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plainly(item)}" for key, item in value.items())
    return number(value, 3)
