"""How a run stands at the moment: a small file beside its journal, for `status` and `watch` elsewhere.

So that looking on costs the same however long the journal is, and tells what stands in no journal. The
journal is the truth: without this file, or with an old one, it is replayed.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

import msgspec

from orchestrator.report.following.run_clock import seconds_since, stopped_since
from orchestrator.report.following.run_so_far import Kept
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.following.standing_file import read_standing
from orchestrator.report.seen.view import View
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase

BELIEVED_FOR_S = 10.0
"""An older file is that of an orchestrator that hangs, or of a disk that does."""


class Standing(msgspec.Struct, frozen=True):
    """A run at a moment, and where it lies.

    ``process`` is that which works on it, ``monotonic`` what its machine's steady clock said at that moment;
    after ``again_s`` seconds it is to be written anew. ``requests`` counts those of people that took effect.
    """

    name: str
    folder: str
    view: View
    late: int
    refits: int
    process: int = 0
    monotonic: float = 0.0
    requests: int = 0
    again_s: float = 0.0

    @classmethod
    def of(cls, folder: Kept, state: State, view: View) -> Standing:
        """As somebody saw it."""
        name, path, requests = folder.name, str(folder.path), len(state.requests)
        return cls(name, path, view, state.tally.late, state.optimiser.refits, requests=requests)

    def said_now(self, again_s: float) -> Standing:
        """By this process, which is to say it anew so many seconds later."""
        now = time.monotonic()
        return msgspec.structs.replace(self, process=os.getpid(), monotonic=now, again_s=again_s)


_decoder = msgspec.json.Decoder(Standing)


def standing_of(run: FollowedRun, holder: dict[str, object] | None) -> Standing:
    """From its journal, which was read."""
    held = holder is not None and run.state.phase is not Phase.FINISHED
    return Standing.of(run.folder, run.state, run.view(held))


def written_standing(folder: RunFolder, holder: dict[str, object] | None) -> Standing | None:
    """From the file, if whoever works on the run wrote it just now."""
    standing = read_standing(folder.standing, _decoder.decode, holder)
    if standing is None or holder is None:
        return None
    age = seconds_since(standing.monotonic, holder)
    if stopped_since(age, holder):
        return None
    with suppress(OSError):
        if age is None:
            # Of another machine, whose clock may be behind ours, or ahead.
            age = abs(time.time() - folder.standing.stat().st_mtime)
    if age is None or not 0.0 <= age < BELIEVED_FOR_S:
        return None
    return msgspec.structs.replace(standing, folder=str(folder.path))
