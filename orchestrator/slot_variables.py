"""Environment variables of which each slot of the workers has a value of its own: how they may be called."""

from __future__ import annotations

import re
from typing import Final

from orchestrator.placeholders import GIVEN

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OURS: Final = "ORCHESTRATOR_"


def mistake_in_name(name: str) -> str:
    """Why no such variable can be called so, in a sentence; empty if one can."""
    if not _NAME.fullmatch(name):
        expected = "the name of an environment variable, of letters, `_` and, not first, digits"
    elif name.startswith(_OURS):
        expected = f"a name that does not begin with `{_OURS}`, as those of the orchestrator do"
    elif name in GIVEN:
        expected = f"another name, as `{{{name}}}` in a command stands for something else"
    elif name == "PATH":
        expected = "another name, as a command's program is looked for on the worker's own `PATH`"
    else:
        return ""
    return f"expected {expected}, got `{name}`"
