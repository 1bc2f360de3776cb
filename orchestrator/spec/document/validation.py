"""A tree against a pydantic model: an instance, or every error at its place. American spellings are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.decimal_commas import decimal_comma_hint
from orchestrator.spec.document.keys_elsewhere import places_of
from orchestrator.spec.document.keys_of_others import of_others
from orchestrator.spec.document.mistakes_told_twice import told_once
from orchestrator.spec.document.sentences import expected_words, known_keys, sentence
from orchestrator.spec.document.tree import Node, Place, changed, find, find_key, plain
from orchestrator.spelling import british, near_miss

M = TypeVar("M", bound=BaseModel)
_INSTEAD: Mapping[tuple[str | int, ...], tuple[str | int, ...]] = {
    ("objectives",): ("objective",),
    ("evaluation", "command"): ("evaluation", "evaluator"),
}
"""Keys, and those that are missing where neither is told."""
_ABOUT_THE_KEY = {"missing", "extra_forbidden", "union_tag_not_found"}


@dataclass(frozen=True, slots=True)
class Validated(Generic[M]):
    """A model's instance, or None with complaints.

    ``tree`` has American spellings turned British; ``wrong`` are the first keys of the paths of errors.
    """

    tree: Node
    value: M | None
    complaints: list[Complaint]
    wrong: frozenset[str | int] = frozenset()


def validate(model: type[M], tree: Node) -> Validated[M]:
    """The tree as an instance of the model, or all that is wrong with it."""
    while True:
        try:
            return Validated(tree, model.model_validate(plain(tree)), [])
        except ValidationError as found:
            errors = found.errors(include_url=False)
        respelt = tree
        for error in errors:
            respelt = _respelt(model, respelt, error)
        if respelt is tree:
            foreign = [e["loc"] for e in errors if e["type"] == "extra_forbidden"]
            meant = {_meant(model, path) for path in foreign}
            meant |= {place for path in foreign for place in places_of(model, path)}
            meant |= {_INSTEAD[place] for place in meant if place in _INSTEAD}
            # A key that is missing because it was misspelt, or put elsewhere, is said once, where it stands.
            errors = [e for e in errors if e["type"] != "missing" or e["loc"] not in meant]
            errors = [e for e in errors if not _is_long_enough(e)]
            complaints = [_complaint(model, tree, e) for e in told_once(model, tree, errors)]
            return Validated(tree, None, complaints, frozenset(e["loc"][0] for e in errors if e["loc"]))
        tree = respelt


def _complaint(model: type[BaseModel], tree: Node, error: Mapping[str, Any]) -> Complaint:
    place = _place(tree, error)
    in_brackets = f"; is it `{error['listed']}`?" if "listed" in error else ""
    return Complaint(place, f"{sentence(model, error)}{in_brackets}{decimal_comma_hint(place)}")


def _is_long_enough(error: Mapping[str, Any]) -> bool:
    """Whether a list is called too short for what is wrong in it, as pydantic counts what is right alone."""
    return error["type"] == "too_short" and bool(len(error["input"]) >= error["ctx"]["min_length"])


def _respelt(model: type[BaseModel], tree: Node, error: Mapping[str, Any]) -> Node:
    """The tree with the American key or value that this error is about turned British, if it is one."""
    path = _steps(tree, error["loc"])
    if error["type"] == "extra_forbidden":
        parent, key = find(tree, path[:-1]), str(path[-1])
        form = british(key)
        if form in known_keys(model, error["loc"][:-1]) and form not in parent.mapping:
            return changed(tree, path[:-1], parent.renamed(key, form))
    elif error["type"] in ("literal_error", "enum"):
        node = find(tree, path)
        form = british(node.content) if isinstance(node.content, str) else ""
        if form != node.content and form in expected_words(error):
            return changed(tree, path, Node(node.place, form))
    return tree


def _meant(model: type[BaseModel], path: Sequence[str | int]) -> tuple[str | int, ...]:
    *parent, key = path
    written = of_others(path)
    meant = near_miss(str(key), known_keys(model, parent)) if written is None else written.partition(":")[0]
    return (*parent, meant or key)


def _steps(tree: Node, path: Sequence[str | int]) -> list[str | int]:
    """The steps of a path that lead somewhere: those of pydantic's that are tags of unions do not."""
    steps: list[str | int] = []
    node = tree
    for step in path:
        following = find(node, [step])
        if following is not node:
            steps.append(step)
            node = following
    return steps


def _place(tree: Node, error: Mapping[str, Any]) -> Place:
    path: Sequence[str | int] = (*error["loc"], *error.get("ctx", {}).get("within", ()))
    if error["type"] in _ABOUT_THE_KEY:
        return find_key(tree, path)
    if error["type"] == "union_tag_invalid":
        path = [*path, "type"]
    node = find(tree, path)
    # Nothing was written there, so the key is what can be pointed at; likewise a mapping as a whole.
    return find_key(tree, path) if node.content is None or isinstance(node.content, dict) else node.place
