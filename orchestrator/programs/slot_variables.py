"""Environment variables of which each slot of a worker has a value of its own: names, and what is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final

from orchestrator.programs.placeholders import GIVEN

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OURS: Final = "ORCHESTRATOR_"
TOLD_AT_MOST: Final = 100
LONGEST_TOLD: Final = 1_000
"""Characters of a value."""


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


def told_of_own(own: Mapping[str, str]) -> dict[str, str]:
    """What a worker tells of them, and what is believed of what one tells: those that may be called so, up to
    a hundred whose values are of moderate length; bytes that are no UTF-8 are replaced.
    """
    moderate = (
        (name, value.encode(errors="replace").decode())
        for name, value in own.items()
        if len(value) <= LONGEST_TOLD and not mistake_in_name(name)
    )
    return dict(islice(moderate, TOLD_AT_MOST))
