"""Where nodes live, as a spec says it: what is taken, and what is said of what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.algorithms.additive.remote_nodes import RemoteNodes
from orchestrator.errors import SpecError
from orchestrator.spec.build import build_algorithm
from orchestrator.spec.load import load_spec
from orchestrator.spec.schema import spec_schema

SPEC = """\
experiment: team
objective: {name: height, goal: maximise}
parameters:
  x: {type: float, bounds: [0, 1]}
  y: {type: float, bounds: [0, 1]}
algorithm: {name: ALGORITHM, options: {nodes: NODES}}
budget: {trials: 4}
evaluation: {evaluator: "evaluators.synthetic:function", options: {name: camel}}
"""


def loaded(tmp_path: Path, nodes: str, algorithm: str = "dumbo"):  # type: ignore[no-untyped-def]
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC.replace("NODES", nodes).replace("ALGORITHM", algorithm))
    return load_spec(path).spec


@pytest.mark.parametrize("algorithm", ["dumbo", "dec-hbo"])
@pytest.mark.parametrize(
    "nodes",
    [
        "in-process",
        "processes",
        '{listen: "tcp://127.0.0.1:5560"}',
        '{listen: "ipc:///tmp/nodes", wait_s: 0}',
        '{listen: "tcp://0.0.0.0:5560", keys: keys, wait_s: 600, silence_s: 5.5}',
        '{listen: "tcp://0.0.0.0:5560", insecure: true}',
    ],
)
def test_places_for_nodes(tmp_path: Path, nodes: str, algorithm: str) -> None:
    build_algorithm(loaded(tmp_path, nodes, algorithm))


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ("procesess", "expected `in-process` or `processes`, got `procesess` (did you mean `processes`?)"),
        ("3", "or a mapping with `listen`, the address where nodes dial in, got 3"),
        ("tcp://127.0.0.1:5560", "or a mapping with `listen`, the address where nodes dial in, got `tcp:"),
        ("[1, 2]", "expected `in-process`, `processes` or a mapping with `listen`"),
        ("{}", "expected the key `listen`, but it is missing"),
        ('{listn: "tcp://127.0.0.1:5560"}', "got `listn` (did you mean `listen`?)"),
        ('{listen: "127.0.0.1:5560"}', "expected an address such as `tcp://127.0.0.1:5560`"),
        ('{listen: "tcp://127.0.0.1:*"}', "expected a port that nodes can be told beforehand"),
        ('{listen: "tcp://0.0.0.0:5560"}', "as `nodes: {keys: FOLDER}`"),
        ('{listen: "tcp://127.0.0.1:5560", wait_s: -1}', "expected a number of at least 0, got -1"),
        ('{listen: "tcp://127.0.0.1:5560", wait_s: soon}', "expected a number, got `soon`"),
        ('{listen: "tcp://127.0.0.1:5560", silence_s: .nan}', "expected a finite number"),
    ],
)
def test_what_is_no_place_is_said_at_its_own(tmp_path: Path, nodes: str, words: str) -> None:
    with pytest.raises(SpecError) as refused:
        loaded(tmp_path, nodes)
    assert words in str(refused.value)
    assert "spec.yaml:6:" in str(refused.value)


def test_the_schema_knows_both_forms() -> None:
    schema = spec_schema()
    rules = {
        rule["if"]["properties"]["name"]["const"]: rule["then"]["properties"]["options"]["properties"]
        for rule in schema["$defs"]["AlgorithmChoice"]["allOf"]
    }
    for algorithm in ("dumbo", "dec-hbo"):
        words, mapping = rules[algorithm]["nodes"]["oneOf"]
        assert words["enum"] == ["in-process", "processes"]
        assert mapping == {"$ref": "#/$defs/RemoteNodes"}
    told = schema["$defs"]["RemoteNodes"]
    assert set(told["properties"]) == set(RemoteNodes.model_fields)
    assert all("description" in field for field in told["properties"].values())
