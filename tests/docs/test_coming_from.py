"""What users of other optimisers are told to write here is what this one understands."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import orchestrator
from orchestrator import Optimiser, Preferences
from orchestrator.algorithms import registry
from orchestrator.command_line.arguments import command_parser
from orchestrator.elsewhere.estimator_search import OrchestratorSearchCV
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import Evaluation

PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"
TEXT = PAGE.read_text(encoding="utf-8")
CODE = re.findall(r"`([^`]+)`", TEXT)
HELD = {
    "temperature": {"type": "float", "bounds": [0, 50]},
    "machine": {"type": "choice", "values": ["a", "b"]},
}
CLOCK = {"hours": {"type": "float", "bounds": [0, 48], "unit": "h"}}
SHARES = {name: {"type": "float", "bounds": [0, 100]} for name in ("a", "b", "c")}
EPOCHS = {"epochs": {"type": "int", "bounds": [1, 81]}}
BESIDE = {"held": HELD, "mode": HELD, "clock": CLOCK, "constraints": SHARES, "fidelity": EPOCHS}
"""Parameters of which a part of a spec speaks, by its key."""
CHOICES = {
    "solver": {"type": "choice", "values": ["direct", "cg"]},
    "mode": {"type": "choice", "values": ["a", "b", "c"]},
    "size": {"type": "int", "bounds": [100, 9000]},
}
OBJECTIVES = "objectives: [{name: lift, goal: maximise}, {name: drag, goal: minimise}]"
NUMBERS = {name: {"type": "float", "bounds": [0.1, 1]} for name in ("x", "y", "cells")}


def parts_of_specs() -> list[str]:
    """What is a spec's, its evaluation's or a parameter's, as far as it is written out."""
    keys = "|".join((*Spec.model_fields, *Evaluation.model_fields))
    parts = (code for code in CODE if re.match(rf"(?:{keys}): |(?:\w+: )?\{{type: ", code))
    return sorted({part for part in parts if "…" not in part})


def spec_with(part: str) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "experiment": "moved",
        "objective": {"name": "loss", "goal": "minimise", "noise": 0},
        "parameters": dict(NUMBERS),
        "outcomes": ["heat"],
        "budget": {"trials": 10},
        "evaluation": {"evaluator": "module:function"},
    }
    read = yaml.safe_load(part)
    (key, own), *_ = read.items()
    if key in Evaluation.model_fields:
        if key == "input":
            spec["evaluation"] = {"command": ["cat", "wing.in"]}
        spec["evaluation"] |= read
        # Chances are not told where there are outcomes.
        del spec["outcomes"]
    elif "type" in read:
        spec["parameters"]["moved"] = read
    elif "type" in own:
        spec["parameters"] |= read
        if any("prior" in one for one in read.values()):
            spec["objective"] = {"fit": "target.csv"}
    elif key == "evaluation":
        spec["evaluation"] |= own
    else:
        spec |= read
        taken = [own.get("name")] if key == "objective" else own
        spec["parameters"] = {name: one for name, one in NUMBERS.items() if name not in taken}
        spec["parameters"] |= BESIDE.get(key, {})
    if key == "algorithm" and own["name"] in {*registry.IN_PIECES, *registry.BY_RUNGS}:
        spec["fidelity"] = {"parameter": "cells", "cost": "cells", "continues": True}
    if key == "constraints" and any(" or " in one for one in own):
        spec["parameters"] |= CHOICES
    if key == "constraints" and any("lift" in one for one in own):
        spec |= yaml.safe_load(OBJECTIVES)
    if key == "constraints" and any("reference(" in one for one in own):
        today = {name: told["bounds"][0] for name, told in spec["parameters"].items()}
        spec["initial"] = {"reference": today}
    if "objectives" in spec:
        del spec["objective"]
    return spec


@pytest.mark.parametrize("part", parts_of_specs())
def test_every_part_of_a_spec_that_is_shown_can_be_run(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module.py").write_text("def function(parameters, **options): ...\n")
    for known in ("known.csv", "old.csv"):
        (tmp_path / known).write_text("x,y,cells,loss,heat\n0.1,0.2,0.3,4.0,5.0\n0.4,0.2,0.3,3.0,5.0\n")
    for listed in ("samples.csv", "grid.csv"):
        (tmp_path / listed).write_text("x,y\n0.1,0.2\n0.4,0.3\n")
    (tmp_path / "target.csv").write_text("outcome,value,error\nheat,3,0.1\n")
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "wing.in").write_text("{x} {y} {cells}\n")
    monkeypatch.chdir(tmp_path)
    load_spec_text(yaml.safe_dump(spec_with(part), sort_keys=False), "moved.yaml", tmp_path)


def test_so_many_parts_are_shown() -> None:
    assert len(parts_of_specs()) > 15


def test_every_command_and_method_that_is_named_exists() -> None:
    commands = {name for code in CODE for name in re.findall(r"\borchestrator (\w+)", code)}
    methods = {name for code in CODE for name in re.findall(r"\boptimiser\.(\w+)\(", code)}
    assert commands
    assert commands <= set(command_parser([])[1])
    assert methods
    assert methods <= set(dir(Optimiser))


def test_what_is_written_from_python_can_be() -> None:
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
    own = [code for row in rows if len(row) == 3 for code in re.findall(r"`([^`]+)`", row[2])]
    called = {name for code in own for name in re.findall(r"^(?:optimiser\.)?(\w+)\(", code)}
    assert {"minimise", "tell", "front"} <= called
    assert called <= {
        *dir(Optimiser),
        *dir(Preferences),
        *orchestrator.__all__,
        OrchestratorSearchCV.__name__,
    }
    given = {name for code in own for name in re.findall(r"\b(\w+)=", code)}
    assert {"held", "objectives", "executor"} <= given
    functions = (
        orchestrator.minimise,
        orchestrator.Enough,
        Optimiser,
        OrchestratorSearchCV,
        Optimiser.ask,
        Optimiser.tell,
        Optimiser.learn_all,
        Optimiser.report,
        Preferences.prefer,
    )
    assert given <= {name for function in functions for name in inspect.signature(function).parameters}


def test_every_algorithm_that_is_named_exists() -> None:
    assert {"gp-ei", "optuna-tpe", "optuna-gp", "ax", "botorch-log-ei", "botorch-turbo"} <= set(
        registry.names()
    )
    named = [code for code in CODE if code.startswith(("optuna-", "botorch-"))]
    assert named
    assert set(named) <= set(registry.names())


def test_every_page_that_it_sends_on_to_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)", TEXT)
    assert links
    assert [link for link in links if not (PAGE.parent / link).exists()] == []
