"""Reading a text that somebody else wrote: bounded, UTF-8, and every failure a sentence."""

from __future__ import annotations

from pathlib import Path

from orchestrator.errors import SpecError
from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.tree import Place

OF_TABLES = (".csv", ".tsv", ".txt", ".xls", ".xlsx")
"""Ends of names of files that a spreadsheet may have written."""


def read_text(path: Path, limit: int, named_at: Place | None = None, *, or_pipe: bool = False) -> str:
    """The text of a file of at most ``limit`` bytes; a byte order mark is left out.

    ``named_at`` is where the spec names the file, for the error. ``or_pipe``: it may be a pipe too, whose
    end is waited for.

    Raises:
        SpecError: there is no such file, it cannot be read, is too long, or is not UTF-8.
    """
    # Named once: in front of the sentence, unless what stands there is where the spec names it.
    there, inside = ("", "") if named_at is None else (f" at {path}", f" in {path}")
    try:
        if not (path.is_file() or (or_pipe and path.is_fifo())):
            what = "a folder" if path.is_dir() else "something else" if path.exists() else "nothing there"
            raise _refusal(path, f"expected a file{there}, got {what}", named_at)
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except OSError as error:
        sentence = f"expected a file that can be read{there}, got: {error.strerror or error}"
        raise _refusal(path, sentence, named_at) from None
    if len(raw) > limit:
        raise _refusal(path, f"expected at most {limit:,} bytes{inside}, got more", named_at)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        came = f"the byte 0x{raw[error.start]:02x} on line {line}"
        how = "save it as UTF-8" + (", in Excel as `CSV UTF-8`" if path.suffix.lower() in OF_TABLES else "")
        sentence = f"expected UTF-8 text{inside}, got {came}; {how}"
        raise _refusal(path, sentence, named_at) from None


def _refusal(path: Path, sentence: str, named_at: Place | None) -> SpecError:
    return SpecError(f"{path}: {sentence}") if named_at is None else refusal([Complaint(named_at, sentence)])
