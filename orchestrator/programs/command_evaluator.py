"""The evaluator that runs a program, by name: what a spec means by a command and a worker offers with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from orchestrator.programs.placeholders import SLOTS
from orchestrator.programs.trial_files import failing_file

COMMAND_EVALUATOR: Final = "evaluators.command:run"
COMMAND_FORM: Final = 7
"""Which options of a command are understood. From 2 on its value may be in a column or under a key, from 3 on
below a heading; and from then on templates may have values of a fixed width; from 4 on keys are
also of XML and of arrays, and of each of a list; from 5 on arguments and templates may name what is gone
on from; from 6 on a value may end above a heading, and be another where there is none, and what fails an
attempt may stand in a file of its own; from 7 on arguments and templates may name how many slots an
evaluation has, and a number that has a unit of its own is had in another."""


def form_needed(
    options: Mapping[str, object], *, continues: bool = False, several_slots: bool = False
) -> int:
    """That in which a command has such options: a worker of less would fail at each trial, or leave a width
    in a template as it stands, of which nobody would hear. Any template may have one, where it is read, and
    name what is gone on from, where evaluations may go on (``continues``), and how many slots one has, where
    that is said (``several_slots``).
    """
    command, read = options.get("command"), options.get("input")
    has_templates = isinstance(read, Mapping) and "templates" in read
    arguments = [str(argument) for argument in command] if isinstance(command, Sequence) else []
    output = options.get("output")
    forms = [output, *output.get("patterns", {}).values()] if isinstance(output, Mapping) else []
    names_slots = several_slots and (has_templates or _is_named(SLOTS, arguments))
    if names_slots or any("in" in form for form in forms):
        return 7
    if failing_file(output) or any("above" in form or "otherwise" in form for form in forms):
        return 6
    if (continues and has_templates) or _is_named("continued_from", arguments):
        return 5
    if any(map(_is_of_more_than_json, forms)):
        return 4
    if has_templates or any("below" in form for form in forms):
        return 3
    return 2 if any("column" in form or "key" in form for form in forms) else 1


def _is_named(name: str, arguments: Sequence[str]) -> bool:
    return any(f"{{{name}}}" in argument for argument in arguments)


def _is_of_more_than_json(form: Mapping[str, object]) -> bool:
    """Whether it has a key of what is perhaps no JSON: what a file is shows only once it is there."""
    key, file = form.get("key"), form.get("file")
    if not isinstance(key, str):
        return False
    return "*" in key.split(".") or (isinstance(file, str) and not file.endswith(".json"))
