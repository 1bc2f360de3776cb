"""Known results as they are typed, ``x1=0.3,x2=4,value=7`` each: they say what rows of a CSV file would."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from orchestrator.spec.complaint import Complaint, refusal
from orchestrator.spec.csv_results import meant_by, named_by_text
from orchestrator.spec.result_roles import Role, roles_of
from orchestrator.spec.tree import Entry, Node, Place, Source
from orchestrator.spelling import did_you_mean, listed


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
        source = Source("--result", (text,))
        entries: dict[str, Entry] = {}
        for name, at, cell, begin in _pairs(text, roles, texts):
            place = Place(source, 1, at + 1)
            if name in entries:
                raise refusal([Complaint(place, f"{_EXPECTED}`{name}` twice")])
            role = roles.get(name)
            if role is None:
                if near := did_you_mean(name, roles):
                    raise refusal([Complaint(place, f"expected a name of the spec's, got `{name}`{near}")])
                foreign[name] = None
                continue
            content = meant_by(role, cell, texts.get(name))
            if content is not None or role == ("told", "value"):
                entries[name] = Entry(place, Node(Place(source, 1, begin + 1), content))
        if not entries:
            came = "expected values of parameters and what came of them, got nothing of the spec's"
            raise refusal([Complaint(Place(source, 1, 1), came)])
        items.append(Node(Place(source, 1, 1), entries))
    return Node(items[0].place, tuple(items)), _left_alone(list(foreign))


_EXPECTED = "expected NAME=VALUE, each name once, got "


def _pairs(
    text: str, roles: Mapping[str, Role], texts: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, int, str, int]]:
    """Each name, and what is written as its value, with where they begin, from 0."""
    at = 0
    while at <= len(text):
        at += len(text[at:]) - len(text[at:].lstrip())
        part = text[at:].partition(",")[0]
        known = [name for name in roles if text.startswith(f"{name}=", at)]
        written, equals, _ = (max(known, key=len), "=", "") if known else part.partition("=")
        if not (equals and written.strip()):
            raise refusal([Complaint(Place(Source("--result", (text,)), 1, at + 1), f"{_EXPECTED}`{part}`")])
        name, begin = written.strip(), at + len(written) + 1
        end = _end(text, begin, texts.get(name))
        yield name, at, text[begin:end], begin
        at = end + 1


def _end(text: str, begin: int, own: Collection[str] | None) -> int:
    """Where a value ends: at a comma; of what is named by text, behind the longest of its ``own`` values that
    stands there, or before what has an equals sign.
    """
    whole = [len(one) for one in own or () if f"{text[begin:]},".startswith(f"{one},")]
    if whole:
        return begin + max(whole)
    found = re.compile("," if own is None else ",(?=[^,]*=)").search(text, begin)
    return len(text) if found is None else found.start()


def _left_alone(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    told = listed(names, "and")
    left = "is left out: it is" if len(names) == 1 else "are left out: they are"
    return [f"{told} {left} nothing of the spec's"]
