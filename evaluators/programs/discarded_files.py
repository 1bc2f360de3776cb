"""What of an evaluation's own directory is not worth its place on the disk once the evaluation has ended."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path


def discard_files(directory: Path, patterns: Sequence[str]) -> None:
    """Remove the files and directories there that match one of the patterns, such as `*.frd` or `scratch`.

    What cannot be removed stays: the result does not hang on it. A link goes, and not what it leads to.
    """
    for pattern in patterns:
        with contextlib.suppress(OSError):
            for path in list(directory.glob(pattern)):
                if path == directory or not path.parent.resolve().is_relative_to(directory):
                    continue
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
