"""The evaluator that runs a program, by name: what a spec means by a command and a worker offers with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from orchestrator.programs.trial_files import failing_file

COMMAND_EVALUATOR: Final = "evaluators.command:run"
COMMAND_FORM: Final = 6
"""Which options of a command are understood. From 2 on its value may be in a column or under a key, from 3 on
below a heading; and from then on templates may have values of a fixed width; from 4 on keys are
also of XML and of arrays, and of each of a list; from 5 on arguments and templates may name what is gone
on from; from 6 on a value may end above a heading, and be another where there is none, and what fails an
attempt may stand in a file of its own."""


def form_needed(options: Mapping[str, object], *, continues: bool = False) -> int:
    """That in which a command has such options: a worker of less would fail at each trial, or leave a width
    in a template as it stands, of which nobody would hear. Any template may have one, where it is read, and
    name what is gone on from, where evaluations may go on (``continues``).
    """
    output = options.get("output")
    forms = [output, *output.get("patterns", {}).values()] if isinstance(output, Mapping) else []
    if failing_file(output) or any("above" in form or "otherwise" in form for form in forms):
        return 6
    command, read = options.get("command"), options.get("input")
    has_templates = isinstance(read, Mapping) and "templates" in read
    arguments = command if isinstance(command, Sequence) else ()
    if (continues and has_templates) or any("{continued_from}" in str(argument) for argument in arguments):
        return 5
    if any(map(_is_of_more_than_json, forms)):
        return 4
    if has_templates or any("below" in form for form in forms):
        return 3
    return 2 if any("column" in form or "key" in form for form in forms) else 1


def _is_of_more_than_json(form: Mapping[str, object]) -> bool:
    """Whether it has a key of what is perhaps no JSON: what a file is shows only once it is there."""
    key, file = form.get("key"), form.get("file")
    if not isinstance(key, str):
        return False
    return "*" in key.split(".") or (isinstance(file, str) and not file.endswith(".json"))
