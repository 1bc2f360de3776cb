"""What is looked for where a run is started, is not there, and lies beside the spec."""

from __future__ import annotations

import shlex
from pathlib import Path


def lies_beside(folder: Path | None, *names: str) -> str:
    """What to do, as the end of a sentence on a file that is not there, of one of the ``names``, which are
    relative; empty where the spec's ``folder`` has none of them, or nobody knows that folder.
    """
    if folder is None:
        return ""
    found = next((name for name in names if not Path(name).exists() and (folder / name).exists()), None)
    return f"; `{found}` lies beside the spec: first cd {shlex.quote(str(folder))}" if found else ""
