"""How a run stood when it ended: kept beside its journal, so that asking for it later replays nothing.

It is believed only beside the very journal that it was made from, to the byte; and kept only of a run that is
over, because what can be said of another depends on more than its journal.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path

import msgspec

from orchestrator.report.following.run_so_far import Kept, run_so_far
from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import Standing, standing_of, written_standing
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.wording import counted
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.journal import read_journal
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.version import __version__

CHUNK = 1 << 20


class LastStanding(msgspec.Struct, frozen=True):
    """The last word on a run; of which journal, by its bytes and their CRC-32; and of which software."""

    standing: Standing
    length: int
    crc: int
    software: str


_decoder = msgspec.json.Decoder(LastStanding)


def keep_last_standing(folder: RunFolder, standing: Standing) -> None:
    """Keep it, in the place of what was said while the run went on. A full disk is no reason to complain."""
    draft = folder.standing.with_suffix(".draft")
    with suppress(OSError):
        length, crc = _fingerprint(folder.journal)
        content = msgspec.json.encode(LastStanding(standing, length, crc, __version__))
        draft.write_bytes(content)
        draft.replace(folder.standing)


def last_standing(folder: RunFolder) -> Standing | None:
    """What was kept, if nobody works on the run and its journal is as it was."""
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        last = _decoder.decode(folder.standing.read_bytes())
        known = last.software == __version__ and last.length == folder.journal.stat().st_size
        if known and (last.length, last.crc) == _fingerprint(folder.journal):
            return msgspec.structs.replace(last.standing, folder=str(folder.path))
    return None


def had_begun(folder: RunFolder) -> Standing | None:
    """What was last said of a run that had begun, whatever its journal holds now: at its end, or before."""
    said = _said_last(folder)
    standing = said.standing if isinstance(said, LastStanding) else said
    return standing if standing is not None and standing.view.phase is not Phase.WAITING else None


def why_cut_short(folder: RunFolder, standing: Standing | None = None) -> str:
    """How a journal that can be read holds less than was known of its run, in words; empty if it does not.

    A line is on disk before anything is said of it, so that nothing said can be ahead of the journal.
    ``standing`` is how the run stands by it, where that was read already.
    """
    said, why = _said_last(folder), ""
    if isinstance(said, LastStanding):
        why = _why_shorter(folder.journal, said)
    elif said is not None:
        # One that seems to hold less may have gone on since it was read.
        if standing is None or _why_behind(standing, said):
            standing = standing_of(read_run(folder), None)
        why = _why_behind(standing, said)
    if not why:
        return ""
    lost = amended_no_more(folder, run_so_far(folder).state)
    return why + "".join(f", and not `{line}`" for line in lost)


def _why_shorter(journal: Path, last: LastStanding) -> str:
    size = journal.stat().st_size
    if size < last.length:
        return f"by standing.json it had {last.length:,} bytes when the run ended, and has {size:,}"
    if (last.length, last.crc) == _fingerprint(journal):
        return ""
    # What follows the last whole line may have been part of one.
    if (whole := read_journal(journal).length) < last.length:
        return f"by standing.json it had {last.length:,} bytes when the run ended, and {whole:,} can be read"
    return ""


def _why_behind(standing: Standing, said: Standing) -> str:
    """``standing``: by the journal."""
    told, held = said.view.trials.completed, standing.view.trials.completed
    if held < told:
        verb = "was" if told == 1 else "were"
        return f"by standing.json {counted(told, 'trial')} {verb} completed, by the journal {held:,}"
    if standing.requests < said.requests:
        requests = counted(said.requests, "request")
        return f"by standing.json {requests} of people had taken effect, by the journal {standing.requests:,}"
    return ""


def amended_no_more(folder: RunFolder, state: State) -> list[str]:
    """What was last said to be amended of a run, in words, and is not in a ``state`` in which less of what
    people asked for has taken effect.
    """
    standing = had_begun(folder)
    if standing is None or standing.requests <= len(state.requests):
        return []
    now = amendment_words(read_spec(folder).spec, state)
    return [line for line in standing.view.amended if line not in now]


def _said_last(folder: RunFolder) -> LastStanding | Standing | None:
    with suppress(OSError):
        content = folder.standing.read_bytes()
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            return _decoder.decode(content)
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(content, type=Standing)
    return None


def standing_now(folder: Kept, holder: dict[str, object] | None) -> Standing:
    """As whoever works on the run wrote it, or as it was kept; else from the journal, or from the file of a
    search.

    Raises `JournalError` if that cannot be read.
    """
    if not isinstance(folder, RunFolder):
        return standing_of(read_run(folder), holder)
    told = written_standing(folder, holder) if holder is not None else last_standing(folder)
    return told or standing_of(read_run(folder), holder)


def _fingerprint(journal: Path) -> tuple[int, int]:
    length = crc = 0
    with journal.open("rb") as file:
        while chunk := file.read(CHUNK):
            length += len(chunk)
            crc = zlib.crc32(chunk, crc)
    return length, crc
