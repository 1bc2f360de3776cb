"""A document as a tree in which everything knows its place, and finding the node that an error is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Source:
    """A text that errors are shown in: its name, for people, and its lines."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A character of a source; ``line`` and ``column`` count from 1."""

    source: Source
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping, where the key stands, and its value."""

    key_place: Place
    node: Node


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the document: a scalar, a sequence of nodes, or a mapping of entries.

    ``written`` is a scalar to the letter, where it was written in YAML.
    """

    place: Place
    content: Scalar | tuple[Node, ...] | dict[str, Entry]
    written: str = field(default="", compare=False)

    @property
    def mapping(self) -> dict[str, Entry]:
        """The entries of a mapping; empty for anything else."""
        return self.content if isinstance(self.content, dict) else {}

    @property
    def sequence(self) -> tuple[Node, ...]:
        """The items of a sequence; empty for anything else."""
        return self.content if isinstance(self.content, tuple) else ()

    def get(self, key: str) -> Node | None:
        """The value under a key, or None."""
        entry = self.mapping.get(key)
        return entry.node if entry else None

    def having(self, key: str, entry: Entry) -> Node:
        """This mapping with one entry set."""
        return replace(self, content={**self.mapping, key: entry})

    def without(self, *keys: str) -> Node:
        """This mapping with some keys left out."""
        return replace(self, content={k: e for k, e in self.mapping.items() if k not in keys})

    def renamed(self, old: str, new: str) -> Node:
        """This mapping with a key renamed, in its place."""
        return replace(self, content={new if k == old else k: e for k, e in self.mapping.items()})


def plain(node: Node) -> Any:
    """The values alone: dicts, lists and scalars."""
    if isinstance(node.content, dict):
        return {key: plain(entry.node) for key, entry in node.content.items()}
    if isinstance(node.content, tuple):
        return [plain(item) for item in node.content]
    return node.content


def positioned(value: Any, place: Place) -> Node:
    """Plain values as a tree that lies at one place all over: for what a short form stands for."""
    if isinstance(value, dict):
        return Node(place, {str(key): Entry(place, positioned(item, place)) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return Node(place, tuple(positioned(item, place) for item in value))
    return Node(place, value)


def find(root: Node, path: Sequence[str | int]) -> Node:
    """The node that a path leads to, or the last one on the way that exists.

    Steps that lead nowhere are skipped: a path from pydantic holds the tags of unions as well.
    """
    node = root
    for step in path:
        if isinstance(step, str) and step in node.mapping:
            node = node.mapping[step].node
        elif isinstance(step, int) and -1 < step < len(node.sequence):
            node = node.sequence[step]
    return node


def find_all(root: Node, path: Sequence[str]) -> tuple[Node, ...]:
    """The items of the sequence at a path; none where there is no such sequence."""
    node: Node | None = root
    for key in path:
        node = node.get(key) if node else None
    return node.sequence if node else ()


def find_key(root: Node, path: Sequence[str | int]) -> Place:
    """Where the last key on a path stands: for errors on the key, or on a value that is not there."""
    node, place = root, root.place
    for step in path:
        if isinstance(step, str) and step in node.mapping:
            place, node = node.mapping[step].key_place, node.mapping[step].node
        elif isinstance(step, int) and -1 < step < len(node.sequence):
            node = node.sequence[step]
            place = node.place
    return place


def changed(root: Node, path: Sequence[str | int], node: Node) -> Node:
    """The tree with the node at a path, all of whose steps exist, put in place of what was there."""
    if not path:
        return node
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        entry = root.mapping[step]
        return root.having(step, Entry(entry.key_place, changed(entry.node, rest, node)))
    items = list(root.sequence)
    items[step] = changed(items[step], rest, node)
    return replace(root, content=tuple(items))
