"""Which sections of a model take a key: a person who wrote it in another one has only misplaced it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic import BaseModel

from orchestrator.spelling import british, listed


def belongs_elsewhere(model: type[BaseModel], path: Sequence[str | int]) -> str:
    """``, which is a key of `evaluation`: write it there`` of a path's last step, whose spelling may be
    American; nothing where no other section takes it. Sections within lists and mappings of names are none.
    """
    key = british(str(path[-1]).casefold())
    if path[0] == "objectives" and key == "noise":
        return ", which is said of the first objective alone: that of the others is inferred"
    if path[0] == "initial" and key == "where":
        return ", which stands beside the file it is about: `results: {file: old.csv, where: {humidity: 40}}`"
    places = _places(model, path)
    if not places:
        return ""
    if "" in places:
        return ", which stands at the top of a spec, in no section: write it there"
    return f", which is a key of {listed(places)}: write it there"


def places_of(model: type[BaseModel], path: Sequence[str | int]) -> Iterator[tuple[str, ...]]:
    """What a path's last step would be the key of, or itself, where only one place at the top takes it."""
    match _places(model, path):
        case [""]:
            yield (british(str(path[-1]).casefold()),)
        case [section] if "." not in section:
            yield (section,)


def _places(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    key, here = british(str(path[-1]).casefold()), ".".join(str(step) for step in path[:-1])
    return [section for section, keys in _sections(model, "") if key in keys and section != here]


def _sections(model: type[BaseModel], name: str) -> Iterator[tuple[str, list[str]]]:
    """The model's own name and keys, and those of all that it has."""
    written = {field.alias or own: field for own, field in model.model_fields.items()}
    yield name, list(written)
    for key, field in written.items():
        for part in _models(field.annotation):
            yield from _sections(part, f"{name}.{key}" if name else key)


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _models(arguments[0])
    elif origin in (Union, UnionType):
        for argument in arguments:
            yield from _models(argument)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
