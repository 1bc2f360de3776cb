"""The evaluator that runs a program, by name: what a spec means by a command and a worker offers with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COMMAND_EVALUATOR: Final = "evaluators.command:run"
COMMAND_FORM: Final = 3
"""Which options of a command are understood. From 2 on its value may be in a column or under a key, from 3 on
below a heading; and from then on templates may have values of a fixed width."""


def form_needed(options: Mapping[str, object]) -> int:
    """That in which a command has such options: a worker of less would fail at each trial, or leave a width
    in a template as it stands, of which nobody would hear. Any template may have one, where it is read.
    """
    read = options.get("input")
    if isinstance(read, Mapping) and "templates" in read:
        return 3
    output = options.get("output")
    if not isinstance(output, Mapping):
        return 1
    forms = [output, *output.get("patterns", {}).values()]
    if any("below" in form for form in forms):
        return 3
    return 2 if any("column" in form or "key" in form for form in forms) else 1
