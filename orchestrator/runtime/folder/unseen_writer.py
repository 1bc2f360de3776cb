"""A writer whose locks are not seen from here, as each machine that mounts a folder by sshfs has its own.

Whoever works on a run says how it stands about twice a second, in a file that machines do see.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from orchestrator.runtime.folder.lock_words import another_in

WATCHED_S: Final = 3.0
"""For so long, and twice as long as it says it takes, whoever works on a run does not keep silent."""
WATCHED_AT_MOST_S: Final = 30.0
LOOKS_EVERY_S: Final = 0.25
CHANGES: Final = 2
CLAIMED_S: Final = 2.0
"""Longer than between two looks of whoever has a run whether it has it still (`held_lock`)."""
USUALLY_AGAIN_S: Final = 0.5
OF_LATE_S: Final = 5.0
"""By the clocks of two machines, for those who only look."""


def is_written(standing: Path) -> bool:
    """Whether another writes to the file that says how a run stands; it is watched for some seconds.

    Where it is not there, or was the last word of a run that ended, nothing is waited for. One change may be
    from what this machine remembers of the file to what is there, and its end may be missing as long as a
    shorter length is remembered.
    """
    seen = _read(standing)
    again_s = _again_s(seen)
    if not again_s:
        return False
    until = time.monotonic() + min(WATCHED_AT_MOST_S, WATCHED_S + 2.0 * again_s)
    changes = 0
    while time.monotonic() < until and changes < CHANGES:
        time.sleep(LOOKS_EVERY_S)
        now = _read(standing)
        both = min(len(seen), len(now))
        changes += now[:both] != seen[:both]
        seen = now
    return changes >= CHANGES


def claimed_by_another(lock: Path, own: Mapping[str, object]) -> dict[str, object] | None:
    """Whoever else has taken a run in the same moment, that nobody had: of several the last to write itself
    into the lock has it, and the others see that for some time.
    """
    until = time.monotonic() + CLAIMED_S
    while (another := another_in(lock, own)) is None and time.monotonic() < until:
        time.sleep(LOOKS_EVERY_S)
    return another


def was_written_of_late(standing: Path) -> bool:
    """Whether that file seems to be written, by a single look, if the clocks of both machines agree."""
    with suppress(OSError):
        return bool(_again_s(_read(standing))) and abs(time.time() - standing.stat().st_mtime) < OF_LATE_S
    return False


def _read(standing: Path) -> bytes:
    with suppress(OSError):
        return standing.read_bytes()
    return b""


def _again_s(content: bytes) -> float:
    """After how many seconds it was to be written again; 0 where it was not to be, or is not there.

    What is half there is being written, or has grown since this machine looked how long it is.
    """
    if not content.strip():
        return 0.0
    try:
        again_s = json.loads(content).get("again_s", 0.0)
        return float(again_s) if isinstance(again_s, int | float) else 0.0
    except (ValueError, AttributeError, OverflowError):
        return USUALLY_AGAIN_S
