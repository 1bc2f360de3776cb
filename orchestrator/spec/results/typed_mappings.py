"""``X=1,Y=2`` as it is typed behind an option: names with their values, each at its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.tree import Entry, Node, Place, Source
from orchestrator.spec.model import Spec
from orchestrator.spec.results.csv_results import NAMED_BY_TEXT, meant_by
from orchestrator.values.typed_pairs import name_and_value


@dataclass(frozen=True, slots=True)
class Typed:
    """What is typed as the value of a ``name``, and where each of them begins."""

    name: str
    place: Place
    cell: str
    at_value: Place


def typed_pairs(
    option: str, text: str, names: Collection[str], texts: Mapping[str, Collection[str]]
) -> list[Typed]:
    """Those of a text, which may be of other ``names`` as well. ``texts`` are those among the values of each
    parameter that is named by text: they may have commas, equals signs and spaces.

    Raises:
        SpecError: with the first that is not written so, or a name that comes twice.
    """
    source = Source(option, (text,))
    found: dict[str, Typed] = {}
    for at, name, begin, end in _bounds(source, text, names, texts):
        place = Place(source, 1, at + 1)
        if name in found:
            raise refusal([Complaint(place, said_twice(name))])
        found[name] = Typed(name, place, text[begin:end], Place(source, 1, begin + 1))
    return list(found.values())


def typed_mappings(spec: Spec, option: str, written: Sequence[str]) -> list[Node]:
    """A mapping for each, of the parameters of a spec. Raises SpecError as `typed_pairs`."""
    texts = {
        name: frozenset(value for value in getattr(parameter, "values", ()) if isinstance(value, str))
        for name, parameter in spec.parameters.items()
        if parameter.type in NAMED_BY_TEXT
    }
    items = []
    for text in written:
        entries = {}
        for typed in typed_pairs(option, text, spec.parameters, texts):
            content = meant_by(("parameter", typed.name), typed.cell, texts.get(typed.name))
            entries[typed.name] = Entry(typed.place, Node(typed.at_value, content))
        items.append(Node(Place(Source(option, (text,)), 1, 1), entries))
    return items


def said_twice(name: str) -> str:
    """Why a name that comes again is refused."""
    return f"{_EXPECTED}`{name}` twice"


_EXPECTED = "expected NAME=VALUE, each name once, got "


def _bounds(
    source: Source, text: str, names: Collection[str], texts: Mapping[str, Collection[str]]
) -> Iterator[tuple[int, str, int, int]]:
    """Where each name begins, the name, and where its value begins and ends, from 0."""
    at = 0
    while at <= len(text):
        at += len(text[at:]) - len(text[at:].lstrip())
        written, equals, _ = name_and_value(text[at:], names)
        name, part = written.strip(), text[at:].partition(",")[0]
        if not equals or not name or (name not in names and "," in written):
            raise refusal([Complaint(Place(source, 1, at + 1), f"{_EXPECTED}`{part}`")])
        begin = at + len(written) + 1
        end = _end(text, begin, texts.get(name))
        yield at, name, begin, end
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
