"""What of a command only a shell would understand, and no shell reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.sections.evaluation import Evaluation

_BETWEEN_WORDS: Final = {"<", ">", ">>", "2>", "2>&1", "&>", "|", "||", "&", "&&", ";"}
_EXPANDED: Final = re.compile(r"~/.*|\$\{?[A-Z_][A-Z0-9_]*\}?(/.*)?")
_SAYS_MORE: Final = re.compile(r"[\s\"'\\]")
"""What of an argument would have to be quoted in a line for a shell."""

_SHELLS: Final = {"sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh", "csh", "tcsh"}
_READS_A_LINE: Final = re.compile(r"-[a-z]*c")
_TAKES_THE_NEXT: Final = re.compile(r"[-+][a-z]*[oO]")


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
