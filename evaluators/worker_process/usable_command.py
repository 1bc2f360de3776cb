"""Whether a command can be run on this machine at all, said before it costs a trial."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from evaluators.errors import EvaluationError
from evaluators.programs.arguments import filled_arguments
from evaluators.programs.input_files import read_templates
from evaluators.programs.program import why_not_startable
from orchestrator.programs.input_template import InputTemplate, template_of, why_left_behind
from orchestrator.programs.placeholders import GIVEN, SLOTS, names_in
from orchestrator.programs.program_behind_env import program_of


def why_unusable(
    command: Sequence[str], input: object, parameters: Sequence[str], own: Collection[str]
) -> str:
    """Why no trial with these parameters can be run here, whatever their values; empty if one may be.

    ``input`` is as `evaluators.command.run` takes it, ``own`` what each slot has of its own. A program
    whose path is filled in for each trial is not looked for.
    """
    if both := [name for name in own if name in parameters]:
        return f"expected --each with a name that no parameter of the run has, got `{both[0]}`"
    known = dict.fromkeys((*parameters, *own, *GIVEN, SLOTS), 0)
    try:
        program = program_of(filled_arguments(command, known))
        templates = read_templates(input, known)
    except EvaluationError as error:
        return str(error)
    named = {name for argument in command for name in names_in(argument)}
    named = named.union(*(template.names(known) for template in templates.values()))
    if (input == "arguments" or templates) and not named & {*parameters, "parameters_file"}:
        where = "the arguments and templates" if templates else "the arguments"
        return f"expected a parameter among {where}, such as {{{parameters[0]}}}, got none"
    if templates and (complaint := why_left_behind(command[1:], templates)):
        return complaint
    return "" if names_in(program_of(command)) else _why_not_startable(program, templates)


def _why_not_startable(program: str, templates: Mapping[str, InputTemplate]) -> str:
    path = template_of(program, {name: template.path for name, template in templates.items()})
    # Without a folder before it, it would be looked for on the PATH.
    return why_not_startable(program if path is None else os.path.join(os.curdir, path))
