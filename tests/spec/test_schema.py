"""The JSON Schema, checked against a spec by hand: every key of the quickstart is one that it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from orchestrator.spec.schema import spec_schema

QUICKSTART = Path(__file__).parents[2] / "configs" / "quickstart.yaml"


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return spec_schema()


def accepts(schema: dict[str, Any], part: dict[str, Any], value: Any) -> bool:
    """As much of JSON Schema as the spec's uses."""
    if "$ref" in part:
        return accepts(schema, schema["$defs"][part["$ref"].rsplit("/", 1)[1]], value)
    for key, among in (("anyOf", any), ("oneOf", lambda found: sum(found) == 1), ("allOf", all)):
        if key in part and not among([accepts(schema, option, value) for option in part[key]]):
            return False
    if "if" in part and accepts(schema, part["if"], value) and not accepts(schema, part["then"], value):
        return False
    types = {
        "object": dict,
        "array": list,
        "string": str,
        "boolean": bool,
        "null": type(None),
        "integer": int,
    }
    wanted = part.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if wanted and not any(is_number if w == "number" else type(value) is types[w] for w in wanted):
        return False
    if ("const" in part and value != part["const"]) or ("enum" in part and value not in part["enum"]):
        return False
    if is_number and not value >= part.get("minimum", value):
        return False
    if not isinstance(value, dict):
        return (
            all(accepts(schema, part["items"], v) for v in value)
            if "items" in part and isinstance(value, list)
            else True
        )
    if any(key not in value for key in part.get("required", [])):
        return False
    known, others = part.get("properties", {}), part.get("additionalProperties", True)
    if others is False and set(value) - set(known):
        return False
    return all(
        accepts(schema, known.get(k, others if isinstance(others, dict) else {}), v) for k, v in value.items()
    )


def quickstart(**changes: Any) -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load(QUICKSTART.read_text())
    return told | changes


def test_it_is_json_and_every_reference_leads_somewhere(schema: dict[str, Any]) -> None:
    text = json.dumps(schema)
    names = {piece.split('"')[0] for piece in text.split("#/$defs/")[1:]}
    assert names
    assert names <= set(schema["$defs"])


def test_what_the_model_says_of_a_key_an_editor_shows(schema: dict[str, Any]) -> None:
    def told(part: str, key: str) -> str:
        return str(schema["$defs"][part]["properties"][key].get("description", ""))

    assert told("Budget", "trials") == "Points to evaluate."
    assert told("Budget", "time").startswith("Time the run may take"), "under the name that a spec has for it"
    assert schema["properties"]["experiment"]["description"]
    of_none = [key for key in schema["$defs"]["Evaluation"]["properties"] if not told("Evaluation", key)]
    assert of_none == []


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"mode": "sequential"},
        {"mode": {"synchronous": 4}},
        {"algorithm": "random"},
        {"workers": 4},
        {"workers": {"local": 2, "each": {"GPU": ["0,1", 2]}}},
        {"budget": 30},
        {"budget": "2 h"},
        {"objective": {"name": "loss", "goal": "minimize", "noise": 0.1}},
        {"parameters": {"x": {"type": "float", "bounds": [0, 1], "unit": "m"}, "c": 3}},
        {"parameters": {"x": {"type": "float", "bounds": [0, 1], "when": "n >= 2", "otherwise": 3}}},
        {
            "parameters": {
                "x": {"type": "int", "bounds": [0, 1], "when": [{"n": 2, "c": ["a", "b"]}, "n < 3"]}
            }
        },
        {"parameters": {"x": {"type": "float", "bounds": [0, 1], "when": None, "otherwise": None}}},
        {"parameters": {"x": {"type": "float", "bounds": [0, 1], "step": 0.1}}},
        {"parameters": {"x": {"type": "int", "bounds": [0, 4], "step": 2, "when": {"n": 2}}}},
        {"parameters": {"x": {"type": "ordered", "values": [1, 2.5, 4], "scale": "log", "when": "n >= 2"}}},
        {"parameters": {"x": {"type": "ordered", "values": ["coarse", "fine"], "unit": "cells"}}},
        {"parameters": {"x": {"type": "choice", "values": {"a": {"p": 1}, "b": {"p": 2.5}}}}},
        {"parameters": {"x": {"type": "choice", "values": ["a", "b"], "described": {"p": [1, 2.5]}}}},
        {"parameters": {"x": {"type": "choice", "described": "solvents.csv", "unit": "l"}}},
        {"fixed": {"c": "a"}, "listen": "tcp://127.0.0.1:5555"},
        {"evaluation": {"command": ["sim", "{x}"], "output": {"pattern": "(.*)"}, "timeout": 5}},
        {"evaluation": {"command": ["sim", "{x}"], "output": {"file": "sim.log", "pattern": "(.*)"}}},
        {"evaluation": {"command": ["sim"], "output": {"patterns": {"y": "(.)"}, "fails": "diverged"}}},
        {
            "evaluation": {
                "command": ["sim"],
                "output": {"patterns": {"y": {"pattern": "(.)", "take": "mean"}}},
            }
        },
        {"evaluation": {"command": ["sim"], "output": {"pattern": "(.*)", "in": "min"}}},
        {"evaluation": {"command": ["sim"], "output": {"patterns": {"y": {"pattern": "(.)", "in": "MB"}}}}},
        {"evaluation": {"command": ["sim"], "output": {"fails": {"file": "a.err", "pattern": "Severe"}}}},
        {
            "evaluation": {
                "command": ["sim"],
                "output": {"column": 1, "below": "A", "above": "B", "otherwise": 0.5},
            }
        },
        {"evaluation": {"command": ["sim"], "input": {"templates": {"x.in": "x.template"}}}},
        {"evaluation": {"command": ["sim"], "progress": "json"}},
        {"evaluation": {"command": ["sim"], "progress": {"pattern": "(?P<loss>.*)"}}},
        {"evaluation": {"command": ["sim"], "progress": {"file": "log", "pattern": "(?P<loss>.*)"}}},
        {"evaluation": {"command": ["sim"], "progress": {"file": "history.jsonl"}}},
        {"initial": 4},
        {"initial": {"results": "known.csv"}},
        {"initial": {"results": {"file": "known.csv", "where": {"x": 1}}}},
        {"initial": {"results": ["more.csv", {"file": "known.csv", "where": {"x": 1}}]}},
        {"initial": {"results": [{"x": 1, "loss": 2}]}},
        {"initial": {"results": ["known.csv", {"x": 1, "loss": 2}]}},
        {"initial": {"points": [{"x": 1, "y": None}], "results": [{"x": 1, "y": None, "loss": 2}]}},
    ],
)
def test_it_takes_what_the_loader_takes(schema: dict[str, Any], changes: dict[str, Any]) -> None:
    assert accepts(schema, schema, quickstart(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"colour": "red"},
        {"mode": "async"},
        {"objective": {"name": "loss", "goal": "max"}},
        {"algorithm": {"name": "none-such"}},
        {"algorithm": {"name": "random", "options": {"trees": 3}}},
        {"parameters": {"x": {"type": "float"}}},
        {"parameters": {"x": {"type": "int", "bounds": [0, 4], "step": 0.5}}},
        {"parameters": {"x": {"type": "ordered", "values": [True, False]}}},
        {"parameters": {"x": {"type": "choice"}}},
        {"parameters": {"x": {"type": "choice", "values": {"a": {"p": "x"}, "b": {"p": 2}}}}},
        {"parameters": {"x": {"type": "float", "bounds": [0, 1], "when": 3}}},
        {"parameters": {"x": {"type": "float", "bounds": [0, 1], "when": {"n": {"is": 2}}}}},
        {"evaluation": {"timeout": 5}},
        {"evaluation": {"command": ["sim"], "output": {"patterns": {"y": {"take": "mean"}}}}},
        {"evaluation": {"command": ["sim"], "input": {"templates": ["x.in"]}}},
        {"evaluation": {"command": ["sim"], "progress": {"patern": "(?P<loss>.*)"}}},
        {"budget": {"trails": 5}},
        {"workers": {"local": 1, "each": {"GPU": 0}}},
        {"workers": {"local": 1, "each": {"GPU": [True]}}},
    ],
)
def test_it_refuses_what_the_loader_refuses(schema: dict[str, Any], changes: dict[str, Any]) -> None:
    assert not accepts(schema, schema, quickstart(**changes))


@pytest.mark.parametrize("example", ["inner < outer", "== 100", "count(zinc, ester, amine) <= 2", "lift >="])
def test_an_editor_shows_each_kind_of_constraint(schema: dict[str, Any], example: str) -> None:
    assert example in schema["properties"]["constraints"]["description"]
