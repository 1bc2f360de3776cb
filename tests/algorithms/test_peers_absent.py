"""Optimisers of other projects where their libraries are missing: what is said, and where."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.errors import SpecError
from orchestrator.spec.load import load_spec_text

SPEC = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {x: {type: float, bounds: [0, 1]}}
budget: {trials: 8}
evaluation: {evaluator: 'json:dumps'}
algorithm:
  name: botorch-saasbo
"""


@pytest.fixture(autouse=True)
def nothing_of_theirs(monkeypatch):
    for module in {module for peer in PEERS.values() for module in peer.needs}:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_whose_libraries_are_missing_is_refused_with_what_brings_them(name):
    with pytest.raises(SpecError, match=rf"`{name}` needs .* not installed here; `pip install -e '\.\[comp"):
        registry.load(name)


def test_the_sentence_names_what_is_missing():
    with pytest.raises(SpecError, match=r"`optuna-gp` needs torch and optuna, which are not installed"):
        registry.load("optuna-gp")


def test_a_spec_that_selects_one_is_refused_at_its_line(tmp_path):
    with pytest.raises(SpecError) as refused:
        load_spec_text(SPEC, "wing.yaml", tmp_path)
    assert "wing.yaml:7:9: algorithm `botorch-saasbo` needs torch, botorch, jax, numpyro" in str(
        refused.value
    )


def test_the_names_are_offered_all_the_same():
    assert set(PEERS) <= set(registry.names())
    with pytest.raises(SpecError, match="did you mean `optuna-tpe`"):
        registry.load("optuna-tep")


def test_every_library_is_in_the_extra():
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]
    extra = {re.split(r"[\[<>=]", told)[0] for told in project["optional-dependencies"]["compare"]}
    brought_by_botorch = {"jax", "numpyro"}
    packages = {"ax": "ax-platform"}
    needed = {module for peer in PEERS.values() for module in peer.needs} - brought_by_botorch
    assert {packages.get(module, module) for module in needed} <= extra
