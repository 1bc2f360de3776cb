"""Known results as they are typed, ``x1=0.3,x2=4,value=7`` each: they say what rows of a CSV file would."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.tree import Entry, Node, Place, Source
from orchestrator.spec.results.csv_results import meant_by, named_by_text
from orchestrator.spec.results.roles import roles_of
from orchestrator.spec.results.typed_mappings import typed_pairs
from orchestrator.spelling import did_you_mean, listed

OPTION = "--result"


def results_in_words(tree: Node, written: Sequence[str]) -> tuple[Node, list[str]]:
    """The results, a mapping by names each; and that some names are nothing of the spec's, which are left
    alone as columns are, unless they look like a mistake.

    Raises:
        SpecError: for the first that is not written so.
    """
    roles, texts = roles_of(tree), named_by_text(tree)
    items: list[Node] = []
    foreign: dict[str, None] = {}
    for text in written:
        entries: dict[str, Entry] = {}
        for typed in typed_pairs(OPTION, text, roles, texts):
            name, role = typed.name, roles.get(typed.name)
            if role is None:
                if near := did_you_mean(name, roles):
                    sentence = f"expected a name of the spec's, got `{name}`{near}"
                    raise refusal([Complaint(typed.place, sentence)])
                foreign[name] = None
                continue
            content = meant_by(role, typed.cell, texts.get(name))
            if content is not None or role == ("told", "value"):
                written = content if isinstance(content, str) else typed.cell.strip()
                entries[name] = Entry(typed.place, Node(typed.at_value, content, written))
        beginning = Place(Source(OPTION, (text,)), 1, 1)
        if not entries:
            came = "expected values of parameters and what came of them, got nothing of the spec's"
            raise refusal([Complaint(beginning, came)])
        items.append(Node(beginning, entries))
    return Node(items[0].place, tuple(items)), _left_alone(list(foreign))


def _left_alone(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    told = listed(names, "and")
    left = "is left out: it is" if len(names) == 1 else "are left out: they are"
    return [f"{told} {left} nothing of the spec's"]
