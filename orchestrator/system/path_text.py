"""Paths that can be said: in JSON, which is UTF-8, between processes and in files."""

from __future__ import annotations

import os
from pathlib import Path

from orchestrator.errors import UsageError


def refuse_unsayable(path: Path, otherwise: str) -> None:
    """Raises `UsageError` for a path with bytes that are no UTF-8; ``otherwise`` is what to do."""
    whole = ""
    try:
        whole = str(path.resolve())
        whole.encode()
    except OSError:
        return  # whoever goes there says what is wrong with it
    except UnicodeEncodeError:
        shown = os.fsencode(whole).decode(errors="backslashreplace")
        raise UsageError(f"expected a folder whose path is UTF-8, got {shown}: {otherwise}") from None
