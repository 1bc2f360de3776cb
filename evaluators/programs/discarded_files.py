"""What of an evaluation's own directory is not worth its place on the disk once the evaluation has ended."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path, PurePath

from evaluators.errors import EvaluationError
from orchestrator.programs.trial_files import is_pattern_within


def refuse_patterns_beyond(patterns: Sequence[str]) -> None:
    """Raises `EvaluationError` for one that reaches beyond the evaluation's own directory."""
    # They come over the wire: a worker that offers one command offers no more than that.
    for pattern in patterns:
        if not is_pattern_within(pattern):
            raise EvaluationError(
                "error",
                f"expected patterns of files inside the trial's directory to discard, got `{pattern}`",
            )


def discard_files(directory: Path, patterns: Sequence[str]) -> None:
    """Remove the files and directories there that match one of the patterns, such as `*.frd` or `scratch`.

    What cannot be removed stays: the result does not hang on it. A link goes, and not what it leads to.
    """
    for pattern in patterns:
        with contextlib.suppress(OSError):
            for path in _matching(directory, pattern):
                if path == directory or not path.parent.resolve().is_relative_to(directory):
                    continue
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _matching(directory: Path, pattern: str) -> list[Path]:
    """Two stars at the end are files as well, which they are to Python itself from 3.13 on."""
    found = list(directory.glob(pattern))
    if PurePath(pattern).name == "**":
        found += directory.glob(f"{pattern}/*")
    return found
