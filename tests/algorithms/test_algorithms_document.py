"""docs/algorithms.md: its table is complete, and its example really is an algorithm when it is installed."""

import re
import sys
import tomllib
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.additive.options import AdditiveOptions
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.gaussian_process.options import GpOptions
from orchestrator.algorithms.mixture.hypotheses import FAMILY_NAMES, Form
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.errors import SpecError
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.unit_cube.domain import Domain

DOCUMENT = (Path(__file__).parents[2] / "docs" / "algorithms.md").read_text()


def block(language: str, containing: str) -> str:
    blocks = re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    (found,) = [text for text in blocks if containing in text]
    return found


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """What pip leaves behind: a module and a dist-info folder with its entry points."""
    (tmp_path / "stepper.py").write_text(block("python", "class Stepper"))
    offered = tomllib.loads(block("toml", "entry-points"))["project"]["entry-points"]
    lines = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items())
        for group, points in offered.items()
    ]
    metadata = tmp_path / "stepper-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stepper\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("stepper", None)


def test_every_algorithm_has_a_row_with_all_its_options():
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)` \|(.*)\|$", DOCUMENT, re.MULTILINE))
    assert set(rows) == set(registry.BUILT_IN)
    for name, row in rows.items():
        options = registry.load(name).Options
        for shared, link in ((GpOptions, "[model]"), (AdditiveOptions, "[additive]")):
            assert issubclass(options, shared) == (link in row)
        common = {n for o in (GpOptions, AdditiveOptions) if issubclass(options, o) for n in o.model_fields}
        assert set(re.findall(r"`([a-z_]+)`", row.split("|")[-1])) == set(options.model_fields) - common, name
    for option in {**GpOptions.model_fields, **AdditiveOptions.model_fields}:
        assert f"`{option}`" in DOCUMENT.split("## Options in common")[1]
    assert all(f"`{peer}`" in DOCUMENT for peer in PEERS)


def test_the_examples_that_it_names_exist():
    assert set(re.findall(r"`([a-z-]+)`", DOCUMENT.split("## Which one")[1].split("## ")[0])) <= {
        *registry.BUILT_IN,
        "factors",
    }


def test_every_name_of_a_model_is_explained():
    section = DOCUMENT.split("### What it calls its models")[1].split("###")[0]
    explained = set(re.findall(r"`([a-z0-9/-]+)`", section))
    assert explained >= {*get_args(Form), *FAMILY_NAMES, "shared", "warped"}


def test_the_example_is_about_forty_lines():
    lines = [line for line in block("python", "class Stepper").splitlines() if line.strip()]
    assert len(lines) <= 45


@pytest.mark.usefixtures("installed")
def test_the_installed_example_is_known_by_name_and_its_options_are_checked():
    assert "stepper" in registry.names()
    with pytest.raises(SpecError, match=r"got `stp` \(did you mean `step`\?\)"):
        registry.build("stepper", Problem(Domain.continuous(2)), {"stp": 0.1})


@pytest.mark.usefixtures("installed")
def test_the_installed_example_optimises():
    optimiser = Optimiser(
        {"x": {"type": "float", "bounds": [0, 1]}, "k": {"type": "int", "bounds": [0, 20]}},
        algorithm="stepper",
        seed=1,
    )
    for _ in range(60):
        for asked in optimiser.ask(2):
            x, k = asked.parameters["x"], asked.parameters["k"]
            optimiser.tell(asked.trial, -((x - 0.3) ** 2) - ((k - 7) / 20) ** 2)
    assert optimiser.best().value > -0.01


@pytest.mark.usefixtures("installed")
def test_the_installed_example_asks_the_same_when_it_is_rebuilt_from_what_it_was_told():
    problem = Problem(Domain.continuous(3), seed=4)
    first, rebuilt = (registry.build("stepper", problem) for _ in "ab")
    told = []
    for trial in range(20):
        (suggestion,) = first.ask(1, [], AskKey(trial, trial))
        told.append(Observation(trial, suggestion.point, -float(np.sum(suggestion.point**2))))
        first.tell(told[-1:])
    rebuilt.tell(told)
    a, b = (algorithm.ask(3, [], AskKey(20, 20)) for algorithm in (first, rebuilt))
    assert all(np.array_equal(x.point, y.point) for x, y in zip(a, b, strict=True))
