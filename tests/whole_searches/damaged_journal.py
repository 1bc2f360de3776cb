"""The journal of a run on a disk that fails, and `orchestrator fsck --repair` of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from commands_given import DONE, FAILED, said_by

Lines = list[bytes]
Damage = Callable[[Lines, int, Random], Lines]


def _garbled(lines: Lines, at: int, chance: Random) -> Lines:
    line = bytearray(lines[at])
    line[chance.randrange(len(line) - 1)] ^= 1 << chance.randrange(7)
    return [*lines[:at], bytes(line), *lines[at + 1 :]]


def _blank(lines: Lines, at: int, chance: Random) -> Lines:
    """Some hundred bytes of nothing, which may be of several lines."""
    text = b"".join(lines)
    first = len(b"".join(lines[:at]))
    size = min(chance.choice([20, 400, 2000]), len(text) - first)
    return [text[:first], bytes(size), text[first + size :]]


DAMAGES: Mapping[str, Damage] = {
    "garbled": _garbled,
    "lost": lambda lines, at, _: [*lines[:at], *lines[at + 1 :]],
    "several lost": lambda lines, at, chance: [*lines[:at], *lines[at + chance.randint(2, 5) :]],
    "there twice": lambda lines, at, _: [*lines[: at + 1], lines[at], *lines[at + 1 :]],
    "in another order": lambda lines, at, _: [*lines[:at], *reversed(lines[at : at + 2]), *lines[at + 2 :]],
    "cut short": lambda lines, at, _: [*lines[:at], lines[at][: len(lines[at]) // 2]],
    "blank": _blank,
}


HARMLESS = ("there twice", "in another order")
"""Damages of which a repair loses nothing."""


class NotMended(AssertionError):
    """A repair left a journal that is damaged, or said nothing."""


def damaged_and_mended(folder: Path, chance: Random) -> tuple[str, str]:
    """Which damage it was, and where. Raises NotMended."""
    journal = folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    name = chance.choice(sorted(DAMAGES))
    at = chance.randrange(0 if chance.random() < 0.1 else 1, len(lines))
    journal.write_bytes(b"".join(DAMAGES[name](lines, at, chance)))
    what = f"line {at + 1} of {len(lines)} {name}"
    _fsck(folder, what, DONE, FAILED)
    _fsck(folder, what, DONE, FAILED, repair=True)
    _fsck(folder, what, DONE)
    return name, what


def _fsck(folder: Path, what: str, *codes: int, repair: bool = False) -> None:
    said = said_by("fsck", str(folder), *(["--repair"] if repair else []))
    if said.code not in codes or "Traceback" in said.notes or not said.words + said.notes:
        how = "with --repair it" if repair else "it"
        raise NotMended(f"{what}: {how} ended with {said.code}\n{said.words}{said.notes}")
