"""Files that an evaluation reads or writes in its trial's folder, as a spec names them."""

from __future__ import annotations

from pathlib import PurePath

from orchestrator.spec.document.section import refuse, shown


def beside_the_trial(name: object) -> str:
    """The name, unless it is none or leads out of that folder. Raises an error of pydantic's with a
    sentence.
    """
    path = PurePath(name if isinstance(name, str) else "")
    if not isinstance(name, str) or not name or path.is_absolute() or ".." in path.parts:
        raise refuse(f"expected the name of a file inside the trial's folder, got {shown(name)}")
    return name
