"""Whether a command, and the templates of the files that it reads, name the parameters, and nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.input_template import (
    InputTemplate,
    TemplateError,
    read_template,
    templates_of,
    why_left_behind,
)
from orchestrator.programs.placeholders import GIVEN, before_format, is_word, names_in
from orchestrator.programs.slot_variables import mistake_in_name
from orchestrator.programs.template_folders import files_of
from orchestrator.programs.trial_files import (
    another_than,
    failing_file,
    file_of,
    parameters_file,
    result_files,
)
from orchestrator.spec.checks.beside_the_spec import lies_beside
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.command_output import names_found
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spec.sections.workers import Workers
from orchestrator.spelling import did_you_mean, listed, near_miss

Kinds = Mapping[str, Any]
"""The type of each parameter as it is written."""


def check_command(
    evaluation: Evaluation | None, tree: Node, kinds: Kinds, own: Collection[str], workers: Workers | None
) -> Iterator[Complaint]:
    """What of a command is wrong whatever lies on this machine. ``own`` are the names of what each worker has
    of its own, as in `check_templates`.
    """
    if evaluation is None or evaluation.command is None or not kinds:
        return
    absent, meant_by_another = _absent(tree), set[str | None]()
    for i, argument in enumerate(evaluation.command):
        for name in names_in(argument):
            near = did_you_mean(name, (*kinds, *own))
            # Braces about anything else are the program's own.
            meant = is_word(name) or near
            if meant and name not in (*kinds, *own, *GIVEN):
                how = near or _how_it_may_be_own(name, workers)
                meant_by_another.add(near_miss(name, (*kinds, *own)))
                sentence = f"expected `{{...}}` about a parameter, got `{{{name}}}`{how}"
                yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)
            elif name in absent:
                yield Complaint(find(tree, ("evaluation", "command", i)).place, _may_be_absent(name))
    if evaluation.input != "arguments":
        return
    # One that is misspelt is said once, where it was misspelt.
    unnamed = [name for name in _unnamed(evaluation.command, kinds) if name not in meant_by_another]
    if unnamed:
        sentence = f"expected `{{{unnamed[0]}}}` among the arguments, but none names {listed(unnamed, 'and')}"
        if formatted := _formatted(evaluation.command, unnamed):
            sentence += f": `{{{formatted}}}` is left as it is, for values come with every digit they have"
        else:
            sentence += "; add what is missing, or say `input: {file: input.json}`"
        yield Complaint(find(tree, ("evaluation", "command")).place, sentence)


def check_long_form(evaluation: Evaluation, tree: Node, *, brought_along: bool) -> Iterator[Complaint]:
    """That a command is written as one, and not among options, where nothing of it would be checked.

    ``brought_along``: whether all workers are elsewhere, and may have commands of their own.
    """
    if evaluation.evaluator != COMMAND_EVALUATOR or evaluation.command is not None:
        return
    options = find(tree, ("evaluation",)).get("options")
    if (options is not None and options.mapping) or not brought_along:
        sentence = f"expected `command: [program, ...]` in the place of `{COMMAND_EVALUATOR}`, which runs it"
        yield Complaint(find(tree, ("evaluation", "evaluator")).place, f"{sentence}, got none")


def check_pattern(
    evaluation: Evaluation | None, tree: Node, outcomes: Collection[str]
) -> Iterator[Complaint]:
    """That a pattern names every outcome: what it does not name is not read."""
    if evaluation is None or (names := names_found(evaluation.output)) is None:
        return
    place = find(tree, ("evaluation", "output")).place
    for name in outcomes:
        if name in names:
            continue
        if "patterns" in evaluation.output:
            near = did_you_mean(name, [found for found in names if found not in outcomes])
            yield Complaint(
                place, f"expected a pattern for the outcome `{name}` among `patterns`, got none{near}"
            )
        else:
            how = f", as `(?P<{name}>...)`" if name.isidentifier() else "; its name cannot be that of a group"
            yield Complaint(place, f"expected a group of the pattern for the outcome `{name}`{how}, got none")


def check_named_value(evaluation: Evaluation | None, tree: Node, parts: Parts) -> Iterator[Complaint]:
    """That a pattern does not take a group named as an outcome for the value, where evaluations return one.
    Not asked of runs begun so.
    """
    objective, outcomes = parts.get("objective"), parts.get("outcomes") or ()
    if evaluation is None or (names := names_found(evaluation.output)) is None:
        return
    # Of one that is wrong it is not known whether it is returned.
    if objective is None or not objective.is_returned:
        return
    own_names = ["value", *([objective.own_name] if objective.own_name else [])]
    if any(name in names for name in own_names):
        return
    place = find(tree, ("evaluation", "output")).place
    if "patterns" in evaluation.output:
        own = listed(dict.fromkeys(own_names))
        sentence = (
            f"expected a pattern for the value among `patterns`, called {own}, got {listed(names, 'and')}"
        )
        yield Complaint(place, sentence)
        return
    groups = re.compile(evaluation.output["pattern"]).groupindex
    first = next((name for name, number in groups.items() if number == 1), None)
    if first in outcomes:
        own = " or ".join(f"`(?P<{name}>...)`" for name in dict.fromkeys(own_names) if name.isidentifier())
        yield Complaint(
            place, f"expected a group of the pattern for the value, as {own}, got `{first}` as its first"
        )


def check_parameters_file(evaluation: Evaluation, tree: Node) -> Iterator[Complaint]:
    """That a program does not write what it reads the parameters from. Not asked of runs begun so."""
    named = {name for argument in evaluation.command or () for name in names_in(argument)}
    read = parameters_file(evaluation.input, named)
    written = [("output", file) for file in result_files(evaluation.output, named)]
    if (failing := failing_file(evaluation.output)) is not None:
        written.append(("output", failing))
    if (followed := file_of(evaluation.progress)) is not None:
        written.append(("progress", followed))
    for part, file in written:
        if read is not None and os.path.normpath(file) == os.path.normpath(read):
            said = part if find(tree, ("evaluation",)).get(part) else "input"
            yield Complaint(find(tree, ("evaluation", said)).place, f"{another_than(read)}, got `{file}`")


def check_templates(
    evaluation: Evaluation,
    tree: Node,
    kinds: Kinds,
    own: Collection[str],
    *,
    must_be_here: bool,
    folder: Path | None = None,
) -> Iterator[Complaint]:
    """What of a command's templates is wrong, as far as they lie on this machine.

    ``must_be_here``: whether workers of this machine are to read them. ``folder`` is the spec's.
    """
    if evaluation.command is None or not kinds:
        return
    read: list[InputTemplate] = []
    absent = _absent(tree)
    told = templates_of(evaluation.input)
    try:
        paths = files_of(told)
    except TemplateError as error:
        yield Complaint(find(tree, ("evaluation", "input", "templates")).place, str(error))
        return
    for file, path in paths.items():
        if not must_be_here and not os.path.exists(path):
            continue
        # Those of a folder are told of where it stands.
        place = find(tree, ("evaluation", "input", "templates", *([file] if file in told else []))).place
        try:
            template = read_template(path)
            template.check((*kinds, *own, *GIVEN))
        except TemplateError as error:
            yield Complaint(place, f"{error}{lies_beside(folder, path)}")
        else:
            read.append(template)
            for name in sorted(template.names(absent)):
                yield Complaint(place, f"{_may_be_absent(name)} in the template `{path}`")
    if must_be_here and paths:
        for i, argument in enumerate(evaluation.command[1:], start=1):
            if sentence := why_left_behind([argument], paths):
                yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)
    if not paths or len(read) < len(paths):
        return
    named = set[str]().union(*(template.names((*kinds, "parameters_file")) for template in read))
    if unnamed := _unnamed(evaluation.command, kinds, named):
        sentence = f"expected `{{{unnamed[0]}}}` in a template or among the arguments, but none names"
        place = find(tree, ("evaluation", "input", "templates")).place
        yield Complaint(place, f"{sentence} {listed(unnamed, 'and')}")


def _how_it_may_be_own(name: str, workers: Workers | None) -> str:
    """What to do about a name that looks like that of a variable which each worker has a value of."""
    if workers is None or not name.isupper() or mistake_in_name(name):
        return ""
    if workers.local:
        how = f"`workers: {{each: {{{name}: [...]}}}}`"
        return f"; if it is an environment variable of each worker's own, say {how}"
    return (
        "; no worker is local: those elsewhere that have it of their own bring the command along,"
        f" `orchestrator worker --each {name}=VALUE --command PROGRAM ...`, where this says `evaluator:"
        f" {COMMAND_EVALUATOR}` in its place"
    )


def _absent(tree: Node) -> list[str]:
    """The parameters that an evaluation is not given where they do not count."""
    parameters = tree.get("parameters")
    told = {name: entry.node for name, entry in parameters.mapping.items()} if parameters else {}
    return [name for name, node in told.items() if node.get("when") and not node.get("otherwise")]


def _may_be_absent(name: str) -> str:
    return (
        f"expected a value of `{name}` for where it does not count, as `otherwise: 0` beside its `when`, to"
        f" fill in `{{{name}}}`"
    )


def _formatted(command: list[str], unnamed: Collection[str]) -> str:
    """What stands in braces with an unnamed parameter's name before a format."""
    in_braces = (name for argument in command for name in names_in(argument))
    return next((name for name in in_braces if before_format(name) in unnamed), "")


def _unnamed(command: list[str], kinds: Kinds, in_templates: Collection[str] = ()) -> list[str]:
    """The parameters whose values the program would not get."""
    named = {*in_templates, *(name for argument in command for name in names_in(argument))}
    if "parameters_file" in named:
        return []
    return [name for name, kind in kinds.items() if kind != "fixed" and name not in named]
