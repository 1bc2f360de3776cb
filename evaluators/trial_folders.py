"""Where the files of evaluations lie: apart for every trial, also of another run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from string import ascii_letters, digits
from typing import Final

_KEPT: Final = frozenset(f"{ascii_letters}{digits}_.-".encode())


@dataclass(frozen=True, slots=True)
class TrialFolders:
    """``<root>/<run>/NNNN``; or ``<root>/NNNN``, where nothing lies there but what is of ``one_run``."""

    root: Path
    one_run: bool = False

    def of(self, run: str, trial: int) -> Path:
        """The folder of a trial, which need not be there yet."""
        trials = self.root if self.one_run else self.root / _folder_name(run)
        return trials / f"{trial:04d}"


def _folder_name(run: str) -> str:
    """A run's name as that of a folder, another for each: it comes over the wire, and may be a path."""
    name = "".join(chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in run.encode())
    return f"%{name}" if name[:1] in ("", ".") else name
