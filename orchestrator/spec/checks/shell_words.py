"""What of a command only a shell would understand, and no shell reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find
from orchestrator.spec.sections.evaluation import Evaluation

_BETWEEN_WORDS: Final = {"<", ">", ">>", "2>", "2>&1", "&>", "|", "||", "&", "&&", ";"}
_EXPANDED: Final = re.compile(r"~/.*|\$\{?[A-Z_][A-Z0-9_]*\}?(/.*)?")
_SAYS_MORE: Final = re.compile(r"[\s\"'\\]")
"""What of an argument would have to be quoted in a line for a shell."""


def of_shell_words(tree: Node, evaluation: Evaluation) -> Iterator[Complaint]:
    """One for the first argument that a program is given as it stands, and that is hardly meant so."""
    command = evaluation.command or []
    for i, argument in enumerate(command):
        if argument in _BETWEEN_WORDS or _EXPANDED.fullmatch(argument):
            sentence = f"the program is given `{argument}` as it stands, for no shell reads a command"
            if not any(_SAYS_MORE.search(word) or word == "" for word in command):
                sentence += f'; to have one read it, say `[sh, -c, "{" ".join(command)}"]`'
            yield Complaint(find(tree, ("evaluation", "command", i)).place, sentence)
            return
