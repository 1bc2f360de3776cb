"""What is under a key, or under several, one within the other: `wing.drag`, `cases.0.drag`, `cases.*.drag`.

So it is in JSON, and in files of arrays, whose axes are as lists within lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from evaluators.errors import EvaluationError, NothingFound
from evaluators.programs.written_number import read_number
from orchestrator.spelling import did_you_mean

_EACH: Final = "*"


@runtime_checkable
class Axes(Protocol):
    """An array that is not read yet, as those of `evaluators.programs.stored_array`."""

    @property
    def told(self) -> str:
        """What it is, in words."""

    def step(self, place: int | None) -> Axes:
        """What is at a place along the next axis, or all along it if None. Raises `IndexError`."""

    def read(self, wanted: str) -> object:
        """Its numbers; raises `EvaluationError`, which begins with what is ``wanted``."""


class Keyed(Protocol):
    """What has something under keys."""

    def under(self, key: str, told: str) -> object:
        """As `under_key` has it."""


@dataclass(frozen=True, slots=True)
class Json:
    """JSON that was read."""

    content: object

    def under(self, key: str, told: str) -> object:
        """Raises `NothingFound` where there is nothing."""
        return under_key(self.content, key, told)


def under_key(content: object, key: str, told: str) -> object:
    """It may be anything; a text that is a number is one. The place in a list counts from 0, or from -1 at
    its end; `*` stands for each of a list, or of an object's values, and what is under these is a list. A key
    that has a point in it is found as well. Arrays are read.

    Raises `NothingFound` where there is none, and says which there are; `EvaluationError` (invalid) where
    some of each have it and others do not. ``told`` says what the program was to do, as to write the file.
    """
    return _under(content, key, key, told)


def nothing_under(key: str, told: str) -> EvaluationError:
    """Of a value that is null."""
    return EvaluationError(
        "invalid", f"expected {told} a value under `{key}`, got null, as which some programs write NaN"
    )


def _under(found: object, rest: str, key: str, told: str) -> object:
    while rest:
        step = _step(found, rest)
        if step is not None:
            found, rest = step
            continue
        first, _, others = rest.partition(".")
        if first == _EACH and isinstance(found, list | Mapping):
            return _under_each(found if isinstance(found, list) else found.values(), others, key, told)
        raise NothingFound(f"expected {told} `{key}`{_instead(found, rest, key)}")
    if isinstance(found, Axes):
        found = found.read(f"expected {told} `{key}`")
    number = read_number(found) if isinstance(found, str) else None
    return found if number is None else number


def _under_each(each: Iterable[object], rest: str, key: str, told: str) -> list[object]:
    """Raises `NothingFound` where none has it, and `EvaluationError` (invalid) where some lack it."""
    what: list[object] = []
    missing: NothingFound | None = None
    for one in each:
        try:
            what.append(_under(one, rest, key, told))
        except NothingFound as error:
            missing = missing or error
    if missing is not None:
        raise EvaluationError("invalid", str(missing)) if what else missing
    return what


def _step(found: object, rest: str) -> tuple[object, str] | None:
    """What the first of the keys leads to, and those that are left; None where it leads nowhere."""
    if isinstance(found, Mapping):
        parts = rest.split(".")
        for count in range(len(parts), 0, -1):
            if (name := ".".join(parts[:count])) in found:
                return found[name], ".".join(parts[count:])
    if isinstance(found, list | Axes):
        first, _, others = rest.partition(".")
        try:
            if isinstance(found, list):
                return found[int(first)], others
            return found.step(None if first == _EACH else int(first)), others
        except (ValueError, IndexError):
            return None
    return None


def _instead(found: object, rest: str, key: str) -> str:
    where = key.removesuffix(rest).removesuffix(".")
    under = f" under `{where}`" if where else ""
    if isinstance(found, Mapping):
        names = [str(name) for name in found]
        listed = ", ".join(f"`{name}`" for name in names[:10]) or "nothing"
        near = did_you_mean(rest.partition(".")[0], names)
        return f", got {listed}{', …' if len(names) > 10 else ''}{under}{near}"
    if isinstance(found, Axes):
        return f", got {found.told}{under}"
    what = f"a list of {len(found)}" if isinstance(found, list) else repr(found)[:60]
    what = "null" if found is None else what
    return f", got {what}{under}"
