"""Whether what a table of candidates has in its cells is a value of the parameter that the column is, and
whether there are as many rows as trials.
"""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_all, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.parts import Parts
from orchestrator.spec.points.told_values import expected_words, value_of
from orchestrator.spec.sections.candidates import CandidateTable
from orchestrator.spec.sections.parameters import GivenParameter, condition_of, varies
from orchestrator.spelling import listed


def check_candidates(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong with the cells, each at its place, and with parameters beside them."""
    candidates, parameters = parts.get("candidates"), parts.get("parameters") or {}
    if candidates is None and "candidates" in tree.mapping:
        # What is wrong with them has been said.
        return
    if candidates is None:
        for name, parameter in parameters.items():
            if isinstance(parameter, GivenParameter):
                sentence = f"expected `candidates` with a column `{name}`, got none"
                yield Complaint(find_key(tree, ("parameters", name)), sentence)
        return
    for name, parameter in parameters.items():
        if condition_of(parameter) is not None:
            sentence = "expected no `when` beside `candidates`: every row has a value of each column"
            yield Complaint(find_key(tree, ("parameters", name, "when")), sentence)
        if name not in candidates.columns or isinstance(parameter, GivenParameter):
            continue
        for node in find_all(tree, ("candidates", "columns", name)):
            told = node.content
            if isinstance(told, str | int | float) and value_of(parameter, told, str(told)) is None:
                yield Complaint(node.place, expected_words(name, parameter, told))


def of_candidates(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """A remark on more trials than rows, where one may think that each is tried with several settings."""
    table, trials = spec.candidates, spec.budget.trials
    if table is None or table.again or trials is None:
        return
    rows, free = len(table.candidates), _free(spec, table)
    if free and trials > rows:
        setting = f"one setting of {listed(free, 'and')}"
        sentence = (
            f"each of the {rows} candidates is tried once, with {setting}, and so the run ends before"
            f" {trials} trials; to try them with several, say `again: true` among `candidates`"
        )
        yield Complaint(find_key(tree, ("budget", "trials")), sentence)


def are_all_tried(spec: Spec) -> bool:
    """Whether nothing is left to choose: no parameter but columns of rows that are all tried, each once."""
    table, trials = spec.candidates, spec.budget.trials
    if table is None or table.again or trials is None:
        return False
    return trials >= len(table.candidates) and not _free(spec, table)


def _free(spec: Spec, table: CandidateTable) -> list[str]:
    """What is chosen beside the rows."""
    chosen = (name for name, one in spec.parameters.items() if varies(one))
    return [name for name in chosen if name not in table.columns]
