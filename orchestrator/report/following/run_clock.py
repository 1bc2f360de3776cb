"""What time it is in a run that another process works on, whatever is done to the clock of its machine.

The clock of a machine is set, by a day at times, and two machines never agree. So whoever works on a run
writes what time it is there, beside what a clock says that nobody sets and all processes of its machine read.
"""

from __future__ import annotations

import math
import time
from contextlib import suppress

import msgspec

from orchestrator.report.following.standing_file import read_standing
from orchestrator.runtime.folder.lock_words import is_elsewhere
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.system.stopped_process import is_stopped

STOPPED_AFTER_S = 2.0
"""Who is stopped has said nothing for longer, as how a run stands is written twice a second."""


class _Seen(msgspec.Struct, frozen=True):
    now: float


class Told(msgspec.Struct, frozen=True):
    """What `Standing` tells of the time; ``monotonic`` and ``again_s`` are 0 where an older version did."""

    view: _Seen
    process: int = 0
    monotonic: float = 0.0
    again_s: float = 0.0


_decoder = msgspec.json.Decoder(Told)


def time_in_run(folder: RunFolder, holder: dict[str, object] | None) -> float | None:
    """Seconds since the run began, as far as whoever works on it is known to have come; None if unknown."""
    told = read_standing(folder.standing, _decoder.decode, holder)
    if told is None or holder is None:
        return None
    return told.view.now + max(0.0, seconds_since(told.monotonic, holder) or 0.0)


def seconds_unheard(folder: RunFolder, holder: dict[str, object] | None) -> float:
    """How long ago whoever works on a run said how it stands; 0 where that is unknown, or no longer than it
    was to be.
    """
    told = read_standing(folder.standing, _decoder.decode, holder)
    if told is None or holder is None:
        return 0.0
    age = max(0.0, seconds_since(told.monotonic, holder) or 0.0)
    return age if age > told.again_s or stopped_since(age, holder) else 0.0


def heard_ago(folder: RunFolder) -> float | None:
    """Seconds since somebody wrote of a run, by the times of its files; None where they tell nothing."""
    written: list[float] = []
    for path in (folder.standing, folder.journal):
        with suppress(OSError):
            written.append(path.stat().st_mtime)
    ago_s = time.time() - max(written, default=math.inf)
    return ago_s if ago_s >= 0.0 else None


def stopped_since(age: float | None, holder: dict[str, object]) -> bool:
    """Whether whoever said nothing for ``age`` seconds, None on another machine, is stopped by all that is
    known: a number alone may be that of another process, where each container counts its own.
    """
    process = holder.get("pid")
    return age is not None and age > STOPPED_AFTER_S and isinstance(process, int) and is_stopped(process)


def seconds_since(monotonic: float, holder: dict[str, object]) -> float | None:
    """What has passed on the machine of ``holder`` since its steady clock was read; None on another one.

    It is negative where the machine was started anew since.
    """
    if not monotonic or "host" not in holder or is_elsewhere(holder):
        return None
    return time.monotonic() - monotonic
