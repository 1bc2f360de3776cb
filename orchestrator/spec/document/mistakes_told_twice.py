"""Mistakes of which pydantic tells twice: each is said once, with all that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

from pydantic import BaseModel

from orchestrator.spec.document.keys_of_others import of_others
from orchestrator.spec.document.sentences import known_keys
from orchestrator.spec.document.tree import Node, find
from orchestrator.spelling import near_miss

Error: TypeAlias = Mapping[str, Any]
_UNKNOWN = "extra_forbidden"
_LISTS = ("bounds", "values")


def told_once(model: type[BaseModel], tree: Node, errors: Sequence[Error]) -> list[Error]:
    """Errors of a ``ValidationError`` without those that are about the same as an earlier one.

    Several keys in place of one, as `low` and `high` of `bounds`, are an error whose ``also`` are the others.
    A list without its brackets, as `bounds: 0, 1` in braces, is one whose ``listed`` is how it is written.
    """
    kept: dict[object, dict[str, Any]] = {}
    for error in errors:
        meant = _key_meant(model, error)
        if meant in kept:
            first = kept[meant]
            first["also"] = (*first.get("also", ()), str(error["loc"][-1]))
        else:
            kept[meant] = dict(error)
    return _with_lists_whole(tree, list(kept.values()))


def _key_meant(model: type[BaseModel], error: Error) -> object:
    """The path of the key that an unknown one is near to; of any other error something of its own."""
    path = error["loc"]
    if error["type"] != _UNKNOWN or of_others(path) is not None:
        return id(error)
    meant = near_miss(str(path[-1]), known_keys(model, path[:-1]))
    return id(error) if meant is None else (*path[:-1], meant)


def _with_lists_whole(tree: Node, errors: list[dict[str, Any]]) -> list[Error]:
    unknown = {error["loc"] for error in errors if error["type"] == _UNKNOWN}
    items: set[tuple[str | int, ...]] = set()
    for error in errors:
        *parent, key = error["loc"] or ("",)
        if key not in _LISTS or isinstance(error["input"], list | dict) or error["input"] is None:
            continue
        behind = [(*parent, item) for item in _keys_without_values_behind(find(tree, parent), str(key))]
        if behind and unknown.issuperset(behind):
            written = (str(item).strip("()") for item in (error["input"], *(path[-1] for path in behind)))
            error["listed"] = f"{key}: [{', '.join(written)}]"
            items.update(behind)
    return [error for error in errors if error["loc"] not in items]


def _keys_without_values_behind(node: Node, key: str) -> list[str]:
    """As `1` is one in `{bounds: 0, 1}`."""
    keys = list(node.mapping)
    behind = keys[keys.index(key) + 1 :] if key in keys else []
    return list(takewhile(lambda other: node.mapping[other].node.content is None, behind))
