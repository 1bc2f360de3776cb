"""The JSON Schema of specs, for editors: completion, help and errors while typing.

It is pydantic's schema of the model with the short forms and American spellings added, and the options of
each algorithm under its name.
"""

from __future__ import annotations

from typing import Any

from orchestrator.algorithms import registry
from orchestrator.errors import SpecError
from orchestrator.objectives import MOST_OBJECTIVES
from orchestrator.spec.described_schema import DescribedSchema
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spelling import american

Schema = dict[str, Any]

_SCALAR: Schema = {"type": ["string", "number", "boolean"]}
_NOTHING: Schema = {"type": "null"}


def spec_schema() -> Schema:
    """The JSON Schema (draft 2020-12) of a spec as YAML writes it."""
    schema = Spec.model_json_schema(by_alias=True, schema_generator=DescribedSchema)
    definitions, properties = schema["$defs"], schema["properties"]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A spec of the orchestrator",
        **{key: value for key, value in schema.items() if key != "title"},
    }
    _american(definitions["Objective"]["properties"]["goal"])
    # Of what people compare there is none, and a fit is to be least.
    by_comparison: Schema = {"properties": {"told": {"const": BY_COMPARISON}}, "required": ["told"]}
    without_goal: Schema = {"anyOf": [by_comparison, {"required": ["fit"]}]}
    required = definitions["Objective"].pop("required")
    definitions["Objective"] |= {"if": without_goal, "else": {"required": required}}
    _fit(definitions)
    definitions["AlgorithmChoice"] = _with_options(definitions["AlgorithmChoice"], definitions)
    definitions["Evaluation"] = _with_command(definitions["Evaluation"])
    definitions["Mode"] = _mode(definitions["Mode"])
    definitions["Initial"]["properties"]["related"] = _one_or_several(
        definitions["Initial"]["properties"]["related"]
    )
    definitions["Initial"]["properties"]["results"] = _results(
        definitions["Initial"]["properties"]["results"]
    )
    # Of what failed there is none.
    definitions["KnownResult"]["required"].remove("value")
    _or(properties, "algorithm", {"type": "string"})
    _or(properties, "workers", {"type": "integer", "minimum": 0})
    _or(properties, "initial", {"type": "integer", "minimum": 1})
    _or(properties, "budget", {"type": ["integer", "string"], "minimum": 1})
    for name in ("constraints", "outcomes"):
        _or(properties, name, {"type": "string"})
    parameter = properties["parameters"]["additionalProperties"]
    parameter.pop("discriminator", None)
    properties["parameters"]["additionalProperties"] = {"anyOf": [parameter, _SCALAR]}
    _when(definitions)
    _described(definitions["ChoiceParameter"])
    _candidates(schema, definitions["CandidateTable"])
    properties["fixed"] = {
        "type": "object",
        "description": "Parameters at a constant value.",
        "additionalProperties": _SCALAR,
    }
    _objectives(schema, definitions)
    properties["listen"] = definitions["Workers"]["properties"]["listen"]
    for name in ("optimiser", "optimizer"):
        properties[name] = properties["algorithm"]
    return schema


def _when(definitions: Schema) -> None:
    """One condition stands for a list of it, and one value for a list of that."""
    values: Schema = {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR, "minItems": 1}]}
    by_value: Schema = {"type": "object", "additionalProperties": values, "minProperties": 1}
    one: Schema = {"anyOf": [{"type": "string"}, by_value]}
    for name in ("FloatParameter", "IntParameter", "ChoiceParameter", "OrderedParameter"):
        properties = definitions[name]["properties"]
        beside = {key: properties["when"][key] for key in ("description",)}
        several: Schema = {"type": "array", "items": one, "minItems": 1}
        properties["when"] = {"anyOf": [*one["anyOf"], several, _NOTHING], **beside}


def _fit(definitions: Schema) -> None:
    """A target is a number, too, and all may be in a table."""
    fit = definitions["Objective"]["properties"]["fit"]
    target: Schema = {"anyOf": [{"$ref": "#/$defs/FitTarget"}, {"type": "number"}]}
    each: Schema = {"type": "object", "additionalProperties": target, "minProperties": 1}
    beside = {key: fit[key] for key in ("description",) if key in fit}
    definitions["Objective"]["properties"]["fit"] = {"anyOf": [each, {"type": "string"}, _NOTHING], **beside}
    _or(definitions["Objective"]["properties"], "covariance", {"type": "string"})


def _described(choice: Schema) -> None:
    """What describes values stands beside them, with each of them, or in a table that has the values too."""
    numbers: Schema = {"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 1}
    each: Schema = {"type": "object", "additionalProperties": numbers, "minProperties": 2}
    _or(choice["properties"], "values", each)
    _or(choice["properties"], "described", {"type": "string"})
    choice["required"].remove("values")
    choice["anyOf"] = [{"required": ["values"]}, {"required": ["described"]}]


def _candidates(schema: Schema, table: Schema) -> None:
    """A table is a file, or rows, or columns; it brings parameters along."""
    file: Schema = {"type": "string", "description": "A CSV file beside the spec."}
    rows: Schema = {"type": "array", "items": {"type": "object", "additionalProperties": _SCALAR}}
    table["properties"]["table"] = {"anyOf": [file, rows]}
    table.pop("required", None)
    table["oneOf"] = [{"required": ["table"]}, {"required": ["columns"]}]
    for name in ("given", "seen"):
        _or(table["properties"], name, {"type": "string"})
    _or(schema["properties"], "candidates", {"anyOf": [file, rows]})
    schema["required"] = [name for name in schema["required"] if name != "parameters"]
    schema["anyOf"] = [{"required": ["parameters"]}, {"required": ["candidates"]}]


def _objectives(schema: Schema, definitions: Schema) -> None:
    """Either `objective` or `objectives`, which where the model has the first and the rest of them."""
    _american(definitions.pop("FurtherObjective")["properties"]["goal"])
    goal = definitions["Objective"]["properties"]["goal"]
    by_name: Schema = {"type": "object", "additionalProperties": {"type": "string", "enum": goal["enum"]}}
    listed: Schema = {"type": "array", "items": {"$ref": "#/$defs/Objective"}}
    for form, least in ((by_name, "minProperties"), (listed, "minItems")):
        form |= {least: 1, least.replace("min", "max"): MOST_OBJECTIVES}
    schema["properties"]["objectives"] = {
        "description": "Several of them, which are traded off against each other.",
        "anyOf": [listed, by_name],
    }
    schema["required"] = [name for name in schema["required"] if name != "objective"]
    schema["oneOf"] = [{"required": ["objective"]}, {"required": ["objectives"]}]


def _or(properties: Schema, name: str, short_form: Schema) -> None:
    told = properties[name]
    beside = {key: told.pop(key) for key in ("description", "default") if key in told}
    properties[name] = {"anyOf": [told, short_form], **beside}


def _american(enumerated: Schema) -> None:
    words = enumerated["enum"]
    enumerated["enum"] = [*words, *(american(word) for word in words if american(word) != word)]


def _with_options(choice: Schema, definitions: Schema) -> Schema:
    names = registry.names()
    choice["properties"]["name"]["enum"] = list(names)
    rules: list[Schema] = []
    for name in names:
        try:
            options = registry.options(name).model_json_schema()
        except SpecError:
            # An algorithm of an extra that is not installed: its name is known, its options are not.
            continue
        definitions |= options.pop("$defs", {})
        told: Schema = {"properties": {"options": options}}
        rules.append({"if": {"properties": {"name": {"const": name}}, "required": ["name"]}, "then": told})
    return {**choice, "allOf": rules}


def _with_command(evaluation: Schema) -> Schema:
    required = [name for name in evaluation.get("required", []) if name != "evaluator"]
    either: list[Schema] = [{"required": ["evaluator"]}, {"required": ["command"]}]
    evaluation = {key: value for key, value in evaluation.items() if key != "required"}
    return {**evaluation, **({"required": required} if required else {}), "oneOf": either}


def _mode(mode: Schema) -> Schema:
    synchronous: Schema = {
        "type": "object",
        "properties": {
            "synchronous": {"type": "integer", "minimum": 1},
            "sharing": mode["properties"]["sharing"],
        },
        "required": ["synchronous"],
        "additionalProperties": False,
    }
    short: Schema = {"type": "string", "enum": ["asynchronous", "sequential"]}
    return {"anyOf": [short, synchronous, mode], "description": mode.get("description", "")}


def _one_or_several(files: Schema) -> Schema:
    return {"anyOf": [files["items"], files], "description": files.get("description", "")}


def _results(results: Schema) -> Schema:
    path: Schema = {"type": "string", "description": "A CSV file beside the spec."}
    of_all: Schema = {
        "type": "object",
        "additionalProperties": _SCALAR,
        "description": "What all of its results had, of parameters that it has no column of.",
    }
    file: Schema = {
        "type": "object",
        "properties": {"file": path, "where": of_all},
        "required": ["file"],
        "additionalProperties": False,
    }
    nested = results["items"]
    factors: Schema = {"type": "array", "items": {"type": "number"}}
    flat: Schema = {"type": "object", "properties": {"factors": factors}}
    # Of what does not count there is no value.
    flat["additionalProperties"] = {"anyOf": [_SCALAR, _NOTHING]}
    beside = {"description": results["description"]} if "description" in results else {}
    several: Schema = {"type": "array", "items": {"anyOf": [nested, flat, path, file]}}
    return {"anyOf": [path, file, several], **beside}
