"""What is said where a file of a run cannot be written."""

from __future__ import annotations

from pathlib import Path

from orchestrator.errors import JournalError


def unwritable(path: Path, error: OSError) -> JournalError:
    """To be raised, as a run neither begins nor goes on without."""
    return JournalError(
        f"expected to write to {path}, got: {error.strerror}. The folder of a run must be writable for the"
        " run to begin or go on."
    )
