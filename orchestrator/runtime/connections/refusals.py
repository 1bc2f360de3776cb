"""What is said of those that were turned away at a door: what they came with, how often, and what to do."""

from __future__ import annotations

from pathlib import Path

from orchestrator.system.shell_lines import shell_line


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
