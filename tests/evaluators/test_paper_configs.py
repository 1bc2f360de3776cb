"""The specs of the papers' tables and figures: they read, and ask for what the evaluators offer."""

import functools
import inspect
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluators.rover import PARAMETERS
from evaluators.synthetic import NAMES, synthetic
from orchestrator.spec.load import load_spec

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
PAPERS = sorted((CONFIGS / "papers").glob("*.yaml"))
# Searched for as text: every process collects this, and to read all of it as YAML takes a second.
OF_FUNCTIONS = re.compile(r'evaluator: "evaluators\.(synthetic:function|rover:rover)"')
every_spec = pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)


@functools.cache
def read(path: Path) -> Mapping[str, Any]:
    spec: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return spec


def evaluator_of(spec: Mapping[str, Any]) -> Any:
    module, _, name = spec["evaluation"]["evaluator"].partition(":")
    return getattr(import_module(module), name)


def test_every_papers_synthetic_functions_are_there() -> None:
    stems = {path.stem for path in PAPERS}

    assert {
        *("dumbo-camel", "dumbo-hartmann-6", "dumbo-powell-24", "dumbo-rastrigin-100", "rover"),
        *("dec-hbo-hartmann-6", "dec-hbo-shekel", "dec-hbo-michalewicz-10"),
        *(f"add-gp-ucb-{name}{known}" for name in NAMES if "trimodal" in name for known in ("", "-known")),
        *("egp-ts-ackley-unit", "egp-ts-zakharov-4", "egp-ts-drop-wave", "egp-ts-eggholder"),
        *("boo-hartmann-3", "boo-schwefel-3", "boo-shekel"),
        *("network-iris", "network-wine", "network-breast-cancer", "network-digits"),
    } <= stems


@every_spec
def test_the_spec_is_valid_and_named_for_its_file_and_nothing_in_it_is_idle(path: Path) -> None:
    loaded = load_spec(path)

    assert loaded.remarks == ()
    assert loaded.spec.experiment == path.stem
    assert loaded.spec.algorithm.name in {"dumbo", "dec-hbo", "add-gp-ucb", "boo", "egp-ts"}


FOUR_KERNELS = ["rbf", "rbf-ard", "matern-3/2", "matern-5/2"]
ELEVEN_RBF = {"rbf-grid": [-4, 6]}


@pytest.mark.parametrize(
    ("stem", "wanted"),
    [
        ("add-gp-ucb-trimodal-24-6-4", {"group_size": 6, "evaluations": 90}),
        ("cosmo20", {"group_size": 5, "evaluations": 22}),
        ("faces", {"group_size": 6, "evaluations": 40}),
        ("boo-hartmann-3", {"parts": 2, "sides": 3, "eta": 0.05}),
        ("boo-shekel", {"parts": 2, "sides": 4, "eta": 0.05}),
        ("elastic-net", {"parts": 2, "sides": 2}),
        ("mlp", {"parts": 2, "sides": 3}),
        ("cnn", {"maximum_factor_size": 2}),
        ("dec-hbo-shekel", {"maximum_factor_size": 3}),
        ("dumbo-powell-24", {"kernel": "matern-5/2"}),
        ("wlan", {"kernel": "matern-5/2", "decomposed_outputs": True}),
        ("egp-ts-eggholder", {"kernels": FOUR_KERNELS, "features": 50, "refit_every": 50}),
        ("egp-ts-ackley-unit-parallel", {"kernels": ELEVEN_RBF, "early_refits": False}),
        ("push3", {"kernels": FOUR_KERNELS, "weight_floor": 1e-4}),
        ("network-wine", {"kernels": ELEVEN_RBF, "early_refits": False}),
    ],
)
def test_the_algorithm_has_the_options_of_the_paper(stem: str, wanted: dict[str, Any]) -> None:
    options = read(CONFIGS / "papers" / f"{stem}.yaml")["algorithm"]["options"]
    assert {name: options.get(name) for name in wanted} == wanted


ADD_GP_UCB = {
    "kernel": "rbf",
    "length_scales": "shared",
    "outputs": "plain",
    "maximiser": "direct",
    "refit_every": 25,
    "deviations": "summed",
    "early_refits": False,
}


@every_spec
def test_add_gp_ucb_is_the_papers_wherever_an_option_can_make_it_so(path: Path) -> None:
    spec = read(path)
    if spec["algorithm"]["name"] != "add-gp-ucb":
        return
    wanted = ADD_GP_UCB if "factors" in spec else {**ADD_GP_UCB, "exchanges": 0}
    options = spec["algorithm"]["options"]
    assert {name: options.get(name) for name in wanted} == wanted


def test_the_factors_of_the_sparse_gaussian_process_hold_each_parameter_once_and_three_at_most() -> None:
    spec = read(CONFIGS / "papers" / "pic.yaml")
    held = [name for factor in spec["factors"] for name in factor]
    assert sorted(held) == sorted(spec["parameters"])
    assert max(map(len, spec["factors"])) == 3


@every_spec
def test_the_evaluator_exists_and_takes_the_options(path: Path) -> None:
    spec = read(path)
    offered = inspect.signature(evaluator_of(spec)).parameters

    assert set(spec["evaluation"].get("options", {})) <= set(offered)


@pytest.mark.parametrize(
    "path",
    [path for path in PAPERS if OF_FUNCTIONS.search(path.read_text(encoding="utf-8"))],
    ids=lambda path: path.stem,
)
def test_parameters_and_factors_are_the_functions_own(path: Path) -> None:
    spec = read(path)
    parameters = spec["parameters"]
    if path.stem.endswith("rover"):
        assert tuple(parameters) == PARAMETERS
        return
    wanted = synthetic(spec["evaluation"]["options"]["name"])

    assert [tuple(entry["bounds"]) for entry in parameters.values()] == [tuple(b) for b in wanted.bounds]
    assert list(parameters) == [f"x{i + 1}" for i in range(wanted.dimension)]
    if "factors" in spec:
        assert wanted.factors is not None
        assert spec["factors"] == [[f"x{i + 1}" for i in factor] for factor in wanted.factors]
