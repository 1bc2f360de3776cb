"""JSON Schema whose properties are described by the docstrings below the fields of a model.

Pydantic can do so as well, but reads the source of every model again in each process that imports it, which
only an editor's schema has any use of.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class DescribedSchema(GenerateJsonSchema):
    """The generator, for `model_json_schema`."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model's schema, with what its fields' docstrings say."""
        told = super().model_schema(schema)
        model: type[Any] = schema["cls"]
        for name, words in _described(model).items():
            field = model.model_fields[name]
            if (key := field.alias or name) in told.get("properties", {}):
                told["properties"][key].setdefault("description", words)
        return told


def _described(model: type[BaseModel]) -> dict[str, str]:
    """What is said below each field, by its name; a field that is told anew is described anew."""
    found: dict[str, str] = {}
    for ancestor in reversed(model.__mro__):
        if issubclass(ancestor, BaseModel) and ancestor is not BaseModel:
            found |= _below_fields(ancestor)
    return {name: words for name, words in found.items() if words}


def _below_fields(model: type[BaseModel]) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in pairwise([*body.body, ast.Pass()]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            if field.target.id not in model.model_fields:
                continue
            found[field.target.id] = ""
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                found[field.target.id] = inspect.cleandoc(str(below.value.value))
    return found
