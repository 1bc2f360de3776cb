"""What options an evaluator takes, read from its source: nothing is imported for it.

Of an evaluator that only workers elsewhere run nothing is presumed, unless it is the project's own: theirs
may be another one of the same name. They say what it takes when they load it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.spec.checks.evaluator_lookup import definition
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spelling import did_you_mean, listed, near_miss

OURS = "evaluators."
_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "text"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
}


@dataclass(frozen=True, slots=True)
class Takes:
    """The values of an option: of a type, called by its ``words``, or of some ``choices``; or none at all."""

    types: tuple[type, ...] = ()
    words: str = ""
    choices: tuple[str, ...] = ()
    none: bool = False

    def refusal(self, option: str, value: object) -> str:
        """Why a value cannot be, or nothing."""
        if value is None and self.none:
            return ""
        if self.choices:
            if value in self.choices:
                return ""
            return (
                f"expected {listed(self.choices)}, got {shown(value)}{did_you_mean(str(value), self.choices)}"
            )
        is_one = isinstance(value, self.types) and (not isinstance(value, bool) or bool in self.types)
        return "" if is_one else f"expected {self.words} as the option `{option}`, got {shown(value)}"


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """A keyword of an evaluator. ``takes`` is None where its annotation is of no simple kind."""

    name: str
    required: bool
    takes: Takes | None


def declared_options(evaluator: str) -> list[DeclaredOption] | None:
    """The options of ``module:function``; None where its source is not here, or does not tell."""
    if evaluator in (COMMAND_EVALUATOR, PERSON):
        return None
    function = definition(evaluator)
    if function is None or function.args.kwarg is not None or function.args.vararg is not None:
        return None
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    told = [(argument, index < first_default) for index, argument in enumerate(positional)][1:]
    told += [
        (argument, default is None)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return [
        DeclaredOption(argument.arg, required, _takes(argument.annotation))
        for argument, required in told
        if argument.arg != "context"
    ]


def check_finite(tree: Node) -> Iterator[Complaint]:
    """Whether the options can be sent to workers as they are written: JSON has no NaN and no infinity."""
    options = find(tree, ("evaluation",)).get("options")
    for name, entry in options.mapping.items() if options is not None else ():
        for node in _not_finite(entry.node):
            sentence = f"expected finite numbers in the option `{name}`, got {shown(node.content)}"
            yield Complaint(node.place, f"{sentence}; leave it out, or write it as text, in quotation marks")


def _not_finite(node: Node) -> Iterator[Node]:
    if isinstance(node.content, float) and not math.isfinite(node.content):
        yield node
    for entry in node.mapping.values():
        yield from _not_finite(entry.node)
    for item in node.sequence:
        yield from _not_finite(item)


def check_options(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """Whether the options are those of the evaluator, where it is ours or this machine's workers run it."""
    evaluation, workers = parts.get("evaluation"), parts.get("workers")
    if evaluation is None or workers is None:
        return
    if not evaluation.evaluator.startswith(OURS) and workers.local == 0:
        return
    if (declared := declared_options(evaluation.evaluator)) is None:
        return
    evaluator, options = evaluation.evaluator, evaluation.options
    path = ("evaluation", "options")
    by_name = {option.name: option for option in declared}
    meant = set()
    for name, value in options.items():
        if name in by_name:
            takes = by_name[name].takes
            node = find(tree, (*path, name))
            if any(_not_finite(node)):
                continue  # That is said already.
            if takes is not None and (sentence := takes.refusal(name, value)):
                place = node.place if node.content is not None else find_key(tree, (*path, name))
                yield Complaint(place, sentence)
            continue
        meant.add(near_miss(name, by_name))
        expected = (
            f"one of the options {listed(by_name)} of `{evaluator}`"
            if by_name
            else f"no options of `{evaluator}`, which takes none"
        )
        sentence = f"expected {expected}, got `{name}`{did_you_mean(name, by_name)}"
        yield Complaint(find_key(tree, (*path, name)), sentence)
    written = find(tree, ("evaluation",)).get("options") is not None
    # One that is missing because it was misspelt is said once, where it was misspelt.
    missing = [one for one in declared if one.required and one.name not in {*options, *meant}]
    parameters = parts.get("parameters") or {}
    if by_their_names := [one.name for one in missing if one.name in parameters]:
        function = evaluator.partition(":")[2]
        yield Complaint(
            find(tree, ("evaluation", "evaluator")).place,
            f"expected a function of one mapping of the parameters, got `{evaluator}`, which takes "
            f"{listed(by_their_names, 'and')} by name; in its place: def evaluate(parameters): return "
            f"{function}(**parameters)",
        )
    for option in missing:
        if option.name not in parameters:
            place = find_key(tree, path) if written else find(tree, ("evaluation", "evaluator")).place
            sentence = f"expected the option `{option.name}`, which `{evaluator}` needs, but it is missing"
            yield Complaint(place, sentence)


def _takes(annotation: ast.expr | None) -> Takes | None:
    match annotation:
        case ast.Name(id=name) if name in _TYPES:
            return Takes(*_TYPES[name])
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            inner = _takes(left)
            return None if inner is None else Takes(inner.types, inner.words, inner.choices, none=True)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inside):
            items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            words = [i.value for i in items if isinstance(i, ast.Constant) and isinstance(i.value, str)]
            return Takes(choices=tuple(words)) if len(words) == len(items) else None
    return None
