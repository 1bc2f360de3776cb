"""`run.log`: what the orchestrator had to say, and what its processes printed, with the time of day."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from orchestrator.runtime.folder.unwritable import unwritable
from orchestrator.runtime.monitor import Level


class RunLog:
    """Appends lines to a file, unbuffered, so that a killed process has said what it said.

    Attributes:
        path: where it lies.
        file: for child processes to print to.
    """

    def __init__(self, path: Path) -> None:
        """Raises `JournalError` if the file cannot be written."""
        self.path = path
        try:
            self.file: BinaryIO = path.open("ab", buffering=0)
        except OSError as error:
            raise unwritable(path, error) from None

    def write(self, level: Level, sentence: str) -> None:
        """One line, or several where the sentence ends in a traceback; what commands a terminal is left out.

        A full disk must not stop the run from saying so elsewhere: errors are swallowed.
        """
        shown = "".join(c if c.isprintable() or c in "\n\t" else " " for c in sentence)
        line = f"{datetime.now().astimezone().isoformat(timespec='milliseconds')} {level:7} {shown}\n"
        try:
            self.file.write(line.encode("utf-8", "replace"))
        except OSError:
            return

    def close(self) -> None:
        """Close the file."""
        self.file.close()
