"""The kernels of an ensemble, as a spec says them: each mistake is complained of once, as what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.errors import SpecError
from orchestrator.spec.build import build_algorithm
from orchestrator.spec.load import load_spec
from orchestrator.spec.schema import spec_schema

ENSEMBLES = ["egp-ts", "exp3-bo", "bandit-bo"]
SPEC = """\
experiment: ensemble
objective: {name: height, goal: maximise}
parameters:
  x: {type: float, bounds: [0, 1]}
algorithm: {name: ALGORITHM, options: {kernels: KERNELS}}
budget: {trials: 4}
evaluation: {evaluator: "evaluators.synthetic:function", options: {name: camel}}
"""


def loaded(tmp_path: Path, kernels: str, algorithm: str):  # type: ignore[no-untyped-def]
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC.replace("KERNELS", kernels).replace("ALGORITHM", algorithm))
    return load_spec(path).spec


@pytest.mark.parametrize("algorithm", ENSEMBLES)
@pytest.mark.parametrize("kernels", ["[rbf]", "[rbf, matern-5/2-ard]", "{rbf-grid: [-4, 6]}"])
def test_dictionaries_of_kernels(tmp_path: Path, kernels: str, algorithm: str) -> None:
    build_algorithm(loaded(tmp_path, kernels, algorithm))


@pytest.mark.parametrize("algorithm", ENSEMBLES)
@pytest.mark.parametrize(
    ("kernels", "words"),
    [
        ("[]", "expected at least 1 of them, got 0"),
        ("[rbf, rbf]", "expected each kernel once"),
        ("[rbf, rfb]", "(did you mean `rbf`?), got `rfb`"),
        ("[rfb]", "(did you mean `rbf`?), got `rfb`"),
        ("{rbf-grid: [6, -4]}", "from -12 to 12, with low <= high"),
        ("{rbf-grid: rbf}", "expected a list, got `rbf`"),
        ("{rbf-gird: [-4, 6]}", "got `rbf-gird` (did you mean `rbf-grid`?)"),
        ("{}", "expected the key `rbf-grid`"),
        ("rbf", "expected a list, got `rbf`"),
    ],
)
def test_a_mistake_is_complained_of_once(tmp_path: Path, kernels: str, words: str, algorithm: str) -> None:
    with pytest.raises(SpecError) as refused:
        loaded(tmp_path, kernels, algorithm)
    assert words in str(refused.value)
    assert str(refused.value).count("spec.yaml:5:") == 1


def test_the_schema_knows_both_forms() -> None:
    rules = {
        rule["if"]["properties"]["name"]["const"]: rule["then"]["properties"]["options"]["properties"]
        for rule in spec_schema()["$defs"]["AlgorithmChoice"]["allOf"]
    }
    for algorithm in ENSEMBLES:
        names, mapping = rules[algorithm]["kernels"]["oneOf"]
        assert names["type"] == "array"
        assert mapping == {"$ref": "#/$defs/RbfGrid"}
