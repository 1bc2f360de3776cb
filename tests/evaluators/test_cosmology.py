"""Constants of the universe: CosmoSIS and CAMB say how well they explain the galaxies that BOSS saw."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from scipy.integrate import trapezoid

from evaluators.cosmology import likelihood, pipeline
from evaluators.cosmology.cmass import ERRORS, MEANS, OBSERVABLES, PRECISION, log_likelihood
from evaluators.cosmology.constants import CONSTANTS
from evaluators.cosmology.galaxy_clustering import INCONSISTENT_VALUE, judge
from evaluators.cosmology.pipeline import CmassPipeline, cmass_pipeline
from evaluators.errors import EvaluationError
from evaluators.pictures import picture
from evaluators.readiness.extras import missing_modules
from orchestrator.spec.load import load_spec_text

PAPERS = Path(__file__).resolve().parents[2] / "configs" / "papers"
START = {name: constant.start for name, constant in CONSTANTS.items()}
BETTER = START | {"h0": 0.68, "omega_b": 0.05, "bias": 1.95}
NAMES = [observable.name for observable in OBSERVABLES]

_missing = missing_modules("cosmology")
on_cosmosis = pytest.mark.skipif(
    bool(_missing),
    reason=f"{' and '.join(_missing)} not installed: the extra [cosmology] has not been asked for",
)


def random_constants(seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    return {name: float(rng.uniform(constant.low, constant.high)) for name, constant in CONSTANTS.items()}


@on_cosmosis
def test_the_start_point_has_the_known_likelihood_and_a_better_one_more() -> None:
    start, better = likelihood(START), likelihood(BETTER)

    assert start["value"] == pytest.approx(-1.362, abs=0.01)
    assert start["inconsistent"] is None
    assert -1.0 < better["value"] < 0.0


@on_cosmosis
def test_the_value_is_that_of_the_observables_returned_with_it() -> None:
    result = likelihood(BETTER)
    predicted = np.array([result[name] for name in NAMES])

    assert result["value"] == pytest.approx(log_likelihood(predicted), abs=1e-12)
    assert np.all(np.abs(predicted - MEANS) < 2.0 * ERRORS)


@on_cosmosis
def test_distances_agree_with_the_integral_of_the_expansion() -> None:
    """CAMB against the Friedmann equation of a flat universe without radiation, to its 0.02 %."""
    result = likelihood(START)

    def rate(z: Any) -> Any:
        return 70.0 * np.sqrt(0.3 * (1.0 + z) ** 3 + 0.7)

    redshifts = np.linspace(0.0, 0.57, 2001)
    comoving = trapezoid(299_792.458 / rate(redshifts), redshifts)
    assert result["expansion_rate"] == pytest.approx(float(rate(0.57)), rel=1e-3)
    assert result["angular_distance"] == pytest.approx(comoving / 1.57, rel=1e-3)
    assert result["matter_density"] == pytest.approx(0.3 * 0.7**2)


@on_cosmosis
def test_random_constants_are_far_below_the_start_and_never_clipped() -> None:
    values = [likelihood(random_constants(seed))["value"] for seed in (2, 3, 4)]

    assert all(-400.0 < value < -6.0 for value in values), values
    bad = likelihood(START | {"omega_m": 0.45, "h0": 0.85})
    assert bad["value"] < INCONSISTENT_VALUE
    assert bad["inconsistent"] is None


@on_cosmosis
def test_the_same_constants_have_the_same_value_whatever_came_between() -> None:
    first = likelihood(START)
    likelihood(START | {"omega_b": 0.09, "omega_m": 0.06})

    assert likelihood(START) == first


@on_cosmosis
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"omega_b": 0.09, "omega_m": 0.06}, "the baryons, 0.09, are more than all matter, 0.06"),
        ({"omega_b": 0.05, "omega_m": 0.06, "mnu": 1.0}, "and the neutrinos, 0.02193, are more than all"),
        ({"w": -3.0, "h0": 0.2}, "h0 = 0.2 is outside its prior, 0.55 to 0.9; w = -3 is outside its prior"),
    ],
)
def test_inconsistent_constants_are_worth_the_papers_value_and_say_why(
    changes: dict[str, float], why: str
) -> None:
    result = likelihood(START | changes)

    assert result["value"] == -60.0
    assert why in result["inconsistent"]
    assert not set(NAMES) & set(result)


@on_cosmosis
def test_a_universe_that_camb_refuses_is_inconsistent_and_the_next_one_is_computed() -> None:
    wide = dict(CONSTANTS) | {
        name: replace(CONSTANTS[name], low=-9.0, high=9.0) for name in ("omega_k", "w", "A_s")
    }
    own = CmassPipeline(wide)

    recollapsing = judge(START | {"omega_k": -2.0}, own)
    assert recollapsing["value"] == -60.0
    assert "CAMB refuses these constants: " in recollapsing["inconsistent"]
    assert "recollapse" in recollapsing["inconsistent"]
    unlikely = judge(START | {"A_s": -1.0e-9}, own)
    assert unlikely == {"value": -60.0, "inconsistent": "the predicted observables are not finite"}
    assert judge(START, own) == likelihood(START)


@on_cosmosis
def test_an_unforeseen_error_in_a_module_is_an_error_and_not_a_bad_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import camb

    cmass_pipeline()
    monkeypatch.setattr(camb, "get_results", lambda _: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        likelihood(START)


@on_cosmosis
def test_dummies_are_asked_for_and_have_no_effect() -> None:
    dummies = {f"dummy_{i + 1}": i / 11 for i in range(11)}

    assert likelihood(START | dummies, dummies=11) == likelihood(START)
    with pytest.raises(EvaluationError, match="they came without dummy_1, dummy_2"):
        likelihood(START, dummies=2)


@pytest.mark.parametrize(
    ("parameters", "dummies", "message"),
    [
        ({name: START[name] for name in list(START)[1:]}, 0, "they came without omega_m"),
        (START | {"tau": 0.08}, 0, "they came with tau"),
        (START | {"h0": "fast"}, 0, "as h0, got 'fast'"),
        (START | {"dummy_1": 1.5}, 1, "from 0 to 1 as dummy_1, got 1.5"),
        (START, -1, "whole number of at least 0 as option `dummies`, got -1"),
    ],
)
def test_what_is_no_set_of_constants_is_refused_in_words(
    parameters: dict[str, Any], dummies: int, message: str
) -> None:
    with pytest.raises(EvaluationError, match=message) as refused:
        likelihood(parameters, dummies=dummies)
    assert refused.value.kind == "invalid"


@pytest.mark.parametrize(
    ("library", "says"),
    [
        # Where neither is there, both are named.
        ("camb", r"likelihood needs the librar.* camb.*, which .* not installed .* pip install 'camb>="),
        (
            "cosmosis",
            r"the library cosmosis, which is not installed .*: apt-get install gfortran liblapack-dev",
        ),
    ],
)
def test_a_missing_library_is_named_with_what_supplies_it(
    library: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if library == "cosmosis" and "camb" in _missing:
        pytest.skip("camb is not installed and would be named first")
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(EvaluationError, match=says):
        pipeline.CmassPipeline(CONSTANTS)


def test_the_measurement_is_a_proper_gaussian_with_the_papers_errors() -> None:
    assert np.array_equal(PRECISION, PRECISION.T)
    assert np.linalg.eigvalsh(PRECISION).min() > 0.0
    np.testing.assert_allclose(ERRORS, [7.2, 74.0, 0.019, 0.14, 0.069], rtol=0.01)
    assert log_likelihood(MEANS) == 0.0


@pytest.mark.parametrize(("name", "dummies"), [("cosmo", 0), ("cosmo20", 11)])
def test_the_specs_search_the_prior_in_its_units(name: str, dummies: int) -> None:
    path = PAPERS / f"{name}.yaml"
    spec = load_spec_text(path.read_text(encoding="utf-8"), path.name, None).spec

    assert list(spec.parameters) == [*CONSTANTS, *(f"dummy_{i + 1}" for i in range(dummies))]
    for parameter_name, constant in CONSTANTS.items():
        parameter = spec.parameters[parameter_name]
        assert parameter.type == "float"
        assert (*parameter.bounds, parameter.unit) == (constant.low, constant.high, constant.unit)
    assert spec.evaluation.options.get("dummies", 0) == dummies


@on_cosmosis
def test_a_run_of_the_spec_completes_its_trials_on_a_local_worker(tmp_path: Path) -> None:
    spec = yaml.safe_load((PAPERS / "cosmo.yaml").read_text(encoding="utf-8"))
    impossible = START | {"omega_b": 0.09, "omega_m": 0.06}
    spec |= {"budget": {"trials": 3}, "initial": {"points": [START, impossible]}}
    (tmp_path / "cosmo.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")

    command(["run", "cosmo.yaml"], tmp_path)
    (run,) = (tmp_path / "logs").iterdir()
    start, refused, suggested = json.loads(command(["trials", str(run), "--format", "json"], tmp_path))

    assert start["log_likelihood"] == likelihood(START)["value"]
    assert start["expansion_rate"] == pytest.approx(95.5, abs=0.1)
    assert refused["log_likelihood"] == -60.0
    assert "more than all matter" in refused["inconsistent"]
    assert suggested["state"] == "completed"


def command(arguments: list[str], directory: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "orchestrator", *arguments],
        cwd=directory,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def drawn(extras: Mapping[str, Any]) -> str:
    svg = picture("evaluators.cosmology:likelihood", {}, extras)
    assert svg is not None
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return " ".join(text.text or "" for text in texts)


def test_the_picture_shows_each_observable_beside_its_measurement() -> None:
    words = drawn({"inconsistent": None, **dict(zip(NAMES, [*MEANS[:1], 2196.0, *MEANS[2:]], strict=True))})

    assert all(observable.symbol in words for observable in OBSERVABLES)
    assert "2196" in words
    assert "1396 ± 74" in words
    assert "log likelihood −277.18" in words


def test_the_picture_of_inconsistent_constants_says_why() -> None:
    assert "a & b" in drawn({"inconsistent": "a & b"})
