"""Who names an algorithm as other optimisers do is told what does the same here."""

from __future__ import annotations

import re

import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.names_elsewhere import algorithm_elsewhere
from orchestrator.errors import SpecError
from orchestrator.spec.model import Spec


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("TPESampler", "; here that is `optuna-tpe`"),
        ("gp_minimize", "; here that is `auto`, or `gp-ei`"),
        ("NSGAIISampler", "; here that is `nsga-ii`, or `auto` where evaluations are dear"),
        ("CNSGAGenerator", "; here that is `nsga-ii`, or `auto` where evaluations are dear"),
        ("qNEHVI", "; `auto` takes several objectives"),
        ("CmaEsSampler", "; here that is `cma-es`, or `auto` where evaluations are dear"),
        ("pso", "; there is none such here: `cma-es` is of that kind, and `auto` is what to begin with"),
        ("simplex", "; there is none such here, and `auto` is what to begin with"),
        ("GridSampler", "; a grid is a table of `candidates`, of which `random` tries each row once"),
        ("upper_confidence_bound", "; here that is `gp-ucb`"),
        ("HEBO", "; here that is `auto`, or `gp-ei`"),
        ("GPSampler", "; here that is `optuna-gp`, or `auto`"),
        ("mes", "; here there is `add-mes`, over groups of parameters"),
        ("scbo", "; `auto` takes constraints on outcomes"),
        ("PBT", "; here that is `pbt`, or `pb2`"),
        ("PopulationBasedTraining", "; here that is `pbt`, or `pb2`"),
        ("ASHAScheduler", "; here that is `asha`"),
        ("SuccessiveHalvingPruner", "; here that is `asha`"),
        ("HyperbandPruner", "; here that is `hyperband`"),
        ("BOHB", "; here `hyperband` has no model, and `auto`, which has one, takes a `fidelity`"),
        ("MedianPruner", "; `stop_when` stops evaluations that go badly, beside any algorithm"),
        ("trubo", " (did you mean `turbo`?)"),
    ],
)
def test_the_refusal_says_what_is_meant(name: str, said: str) -> None:
    with pytest.raises(SpecError) as refused:
        registry.load(name)
    assert str(refused.value).endswith(f"got `{name}`{said}")


def test_nothing_that_there_is_is_said_not_to_be() -> None:
    said = {name: algorithm_elsewhere(name.upper(), ()) for name in registry.names()}
    assert [name for name, sentence in said.items() if "none such" in sentence] == []


@pytest.mark.parametrize(
    "name", ["mobo", "hyperbandpruner", "bohb", "median", "straddle", "mfkg", "saasbo", "rf", "halton", "ts"]
)
def test_what_it_names_is_an_algorithm_or_a_key_of_a_spec(name: str) -> None:
    named = re.findall(r"`([\w-]+)`", algorithm_elsewhere(name, ()))
    assert named
    assert set(named) <= {*registry.names(), *Spec.model_fields, "stop_when", "threshold"}
