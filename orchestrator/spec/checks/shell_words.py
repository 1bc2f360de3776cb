"""What of a command only a shell would understand, and no shell reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from orchestrator.programs.placeholders import names_in
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spec.sections.parameters import Parameter

_BETWEEN_WORDS: Final = {"<", ">", ">>", "2>", "2>&1", "&>", "|", "||", "&", "&&", ";"}
_EXPANDED: Final = re.compile(r"~/.*|\$\{?[A-Z_][A-Z0-9_]*\}?(/.*)?")
_SHELLS: Final = frozenset({"sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh", "csh", "tcsh"})
_SAYS_MORE: Final = re.compile(r"[\s\"'\\]")
"""What of an argument would have to be quoted in a line for a shell."""
_READS_A_LINE: Final = re.compile(r"-[a-z]*c")
_TAKES_THE_NEXT: Final = re.compile(r"[-+][a-z]*[oO]")


def of_empty_arguments(
    tree: Node, evaluation: Evaluation, parameters: Mapping[str, Parameter]
) -> Iterator[Complaint]:
    """One for the first argument that is a parameter's value alone, which may be an empty text: a switch that
    is left out, as a rule.
    """
    command = evaluation.command or [""]
    if PurePath(command[0]).name in _SHELLS:
        return
    for i, argument in enumerate(command):
        (name, *more) = names_in(argument) or ("",)
        parameter = None if more or argument != f"{{{name}}}" else parameters.get(name)
        if parameter is None or "" not in (*getattr(parameter, "values", ()), _otherwise(parameter)):
            continue
        sentence = (
            f"where `{name}` is an empty text, the program is given an empty argument, which many take for"
            f" the name of a file; a shell leaves it out: `[sh, -c, 'exec {command[0]} ... {argument} ...']`"
        )
        yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)
        return


def _otherwise(parameter: Parameter) -> object:
    return getattr(parameter, "otherwise", None)


def of_shell_words(tree: Node, evaluation: Evaluation) -> Iterator[Complaint]:
    """One for the first argument that a program is given as it stands, and that is hardly meant so."""
    command = evaluation.command or []
    line = _line_of_a_shell(command)
    for i, argument in enumerate(command):
        if i == line:
            continue
        if argument in _BETWEEN_WORDS or _EXPANDED.fullmatch(argument):
            sentence = f"the program is given `{argument}` as it stands, for no shell reads a command"
            if line is not None:
                sentence = f"the shell is given `{argument}` as it stands, beside the line that it reads"
            elif not any(_SAYS_MORE.search(word) or word == "" for word in command):
                sentence += f'; to have one read it, say `[sh, -c, "{" ".join(command)}"]`'
            yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)
            return


def _line_of_a_shell(command: Sequence[str]) -> int | None:
    """Which argument a shell reads, as the last of ``[sh, -c, $RUN]``; a program before it may start it."""
    for i, word in enumerate(command):
        if PurePath(word).name in _SHELLS:
            for j in range(i + 1, len(command) - 1):
                if _READS_A_LINE.fullmatch(command[j]):
                    return j + 1
                if not (command[j].startswith("-") or _TAKES_THE_NEXT.fullmatch(command[j - 1])):
                    break
    return None
