"""The lines of a journal in the order of their numbers, in whatever order they stand in the file."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from orchestrator.runtime.folder.journal import UnknownEvent, decode_line
from orchestrator.system.checked_lines import Damage


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file: its number from 1, the byte that it begins at, and its bytes, line feed included.

    ``before`` is the line of the file that it belongs before, where it stands too late.
    """

    number: int
    offset: int
    content: bytes
    before: int | None = None


class _Numbered(msgspec.Struct):
    n: int


_numbered = msgspec.json.Decoder(_Numbered)


def number_borne(line: bytes) -> int | None:
    """The number that a line says it has, be it damaged or not; None where it says none."""
    try:
        return _numbered.decode(line).n
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def lines_in_order(content: bytes) -> list[Line]:
    """Every line, each that can be believed and stands behind one of a higher number put before that.

    A line that is there twice stays where it is the second time, and so do those that cannot be believed.
    """
    lines = list(_lines(content))
    # Most journals are in order, and checksums take longer than all the rest.
    if _ascending(number_borne(line.content) for line in lines):
        return lines
    in_place: list[Line] = []
    late: list[tuple[int, Line]] = []
    numbers: list[int] = []
    bearers: list[int] = []
    seen: set[int] = set()
    for line in lines:
        number = _number_believed(line.content)
        if number is not None and number not in seen:
            seen.add(number)
            if numbers and number < numbers[-1]:
                late.append((number, line))
                continue
            numbers.append(number)
            bearers.append(len(in_place))
        in_place.append(line)
    ordered: list[Line] = []
    begin = 0
    for number, line in sorted(late, key=lambda one: one[0]):
        place = bearers[bisect(numbers, number)]
        ordered += in_place[begin:place]
        ordered.append(replace(line, before=in_place[place].number))
        begin = place
    return ordered + in_place[begin:]


def _lines(content: bytes) -> Iterator[Line]:
    start, number = 0, 1
    while start < len(content):
        end = content.find(b"\n", start) + 1 or len(content)
        yield Line(number, start, content[start:end])
        start, number = end, number + 1


def _ascending(numbers: Iterator[int | None]) -> bool:
    highest = -1
    for number in numbers:
        if number is not None and number < highest:
            return False
        highest = highest if number is None else number
    return True


def _number_believed(line: bytes) -> int | None:
    """The number of a whole line whose checksum matches."""
    number = number_borne(line)
    if number is None or not line.endswith(b"\n"):
        return None
    try:
        decode_line(line[:-1], number)
    except UnknownEvent:
        return number
    except Damage:
        return None
    return number
