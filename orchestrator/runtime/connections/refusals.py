"""What is said of those that were turned away at a door: what they came with, how often, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.runtime.said_seldom import next_said_at
from orchestrator.system.shell_lines import shell_line

if TYPE_CHECKING:
    # Who says how a run stands need not load ZeroMQ for it.
    from orchestrator.runtime.connections.keyring import Keyring


class Refusals:
    """Those of a ``caller``, a worker or a node, at a door that lets in whom a ``keyring`` has. Whoever is
    refused dials again and again.
    """

    def __init__(self, caller: str, keyring: Keyring) -> None:
        self._caller = caller
        self._keyring = keyring
        self._say_refused_at = self._say_keyless_at = next_said_at(0)

    @property
    def last_key(self) -> str:
        """That of the last one, in words."""
        return self._keyring.last_refused

    def to_be_said(self, refused: int, keyless: int) -> Iterator[str]:
        """What is due of it once so many were refused in all for their key, and so many for having none."""
        if refused >= self._say_refused_at:
            self._say_refused_at = next_said_at(refused)
            yield refused_for_key(self._caller, refused, self.last_key, self._keyring.path)
        if keyless >= self._say_keyless_at:
            self._say_keyless_at = next_said_at(keyless)
            yield refused_without_key(self._caller, keyless, self._keyring.path)


def refused_for_key(caller: str, times: int, key: str, keys: Path | str) -> str:
    """Of those whose key may not. ``caller``: a worker or a node; ``key``: that of the last one, in words;
    ``keys``: the folder of those that may.
    """
    make = shell_line("keys", "new", "NAME", "--keys", keys)
    return (
        f"a {caller} was refused{_how_often(times)} for {key}; make another ({make}), and start the {caller} "
        "with it: --key FILE"
    )


def refused_without_key(caller: str, times: int, keys: Path | str) -> str:
    """Of those without a key, or with one for another orchestrator; they need not have been a ``caller``."""
    make = shell_line("keys", "new", "NAME", "--keys", keys)
    return (
        f"somebody was refused{_how_often(times)} for having no key, or one for another orchestrator; if it "
        f"was a {caller}, make a key here ({make}), and start the {caller} with it: --key FILE"
    )


def _how_often(times: int) -> str:
    return "" if times == 1 else f" {times:,} times, the last time"
