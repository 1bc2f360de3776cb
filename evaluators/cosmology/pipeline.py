"""The CosmoSIS pipeline of our two modules: made once in a process, then used for every evaluation."""

from __future__ import annotations

import contextlib
import functools
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluators.cosmology.cmass import OBSERVABLES, REDSHIFT
from evaluators.cosmology.constants import CONSTANTS, Constant, Inconsistent
from evaluators.errors import EvaluationError
from evaluators.readiness.extras import extra_module
from evaluators.readiness.needs import BUILT_BY_PIP


@dataclass(frozen=True)
class Prediction:
    """A universe's ``log_likelihood``, at most 0, and its observables by name, in their own units."""

    log_likelihood: float
    observables: dict[str, float]


class CmassPipeline:
    """CAMB, then the likelihood of CMASS, as CosmoSIS runs them."""

    def __init__(self, constants: Mapping[str, Constant]) -> None:
        """``constants`` have the names of `CONSTANTS`; their ranges are the pipeline's prior.

        Raises:
            EvaluationError: (error) CosmoSIS or CAMB is missing or cannot be loaded.
        """
        _library("camb")
        cosmosis = _library("cosmosis")
        cosmosis.logs.set_verbosity("muted")
        # CosmoSIS prints the priors when it starts, which would be kept as the output of a trial.
        with contextlib.redirect_stdout(io.StringIO()):
            self._pipeline = cosmosis.LikelihoodPipeline(
                cosmosis.Inifile(_pipeline_file()), values=cosmosis.Inifile(_values_file(constants))
            )
        self._constants = constants

    def predict(self, given: Mapping[str, float]) -> Prediction:
        """What CMASS should have seen in the universe with these constants, and how likely its data are.

        Raises:
            Inconsistent: CosmoSIS gives no finite likelihood: outside the prior, or a module refuses.
        """
        by_name = {name.lower(): value for name, value in given.items()}  # as an ini file has them
        results = self._pipeline.run_results([by_name[known.name] for known in self._pipeline.varied_params])
        if not math.isfinite(results.like):
            raise Inconsistent(self._why(given))
        names = (observable.name for observable in OBSERVABLES)
        return Prediction(float(results.like), dict(zip(names, map(float, results.extra), strict=True)))

    def _why(self, given: Mapping[str, float]) -> str:
        outside = [
            f"{name} = {given[name]:g} is outside its prior, {constant.low:g} to {constant.high:g}"
            for name, constant in self._constants.items()
            if not constant.low <= given[name] <= constant.high
        ]
        if outside:
            return "; ".join(outside)
        refusal: str = self._pipeline.modules[0].data.refusal
        return refusal or "the predicted observables are not finite"


@functools.cache
def cmass_pipeline() -> CmassPipeline:
    """This process's pipeline, with the prior of `CONSTANTS`. Raises as `CmassPipeline` does."""
    return CmassPipeline(CONSTANTS)


def _pipeline_file() -> dict[str, dict[str, object]]:
    """CosmoSIS's ini file. With debug, an unforeseen exception is raised and no likelihood of zero."""
    folder = str(Path(__file__).resolve().parent).replace("%", "%%")  # which an ini file interpolates
    return {
        "pipeline": {
            "modules": "camb_observables cmass_likelihood",
            "likelihoods": "cmass",
            "extra_output": " ".join(f"cmass/{observable.name}" for observable in OBSERVABLES),
            "debug": "T",
        },
        "camb_observables": {
            "file": f"{folder}/camb_observables.py",
            "redshift": REDSHIFT,
            "wavenumbers_to": 2.0,
        },
        "cmass_likelihood": {"file": f"{folder}/cmass_likelihood.py"},
    }


def _values_file(constants: Mapping[str, Constant]) -> dict[str, dict[str, object]]:
    sections: dict[str, dict[str, object]] = {}
    for name, constant in constants.items():
        section = sections.setdefault(constant.section, {})
        section[name] = f"{constant.low!r} {constant.start!r} {constant.high!r}"
    return sections


def _library(name: str) -> Any:
    try:
        return extra_module(name, extra="cosmology", needed_by="likelihood")
    except EvaluationError as error:
        if name != "cosmosis":
            raise
        tools = " ".join(BUILT_BY_PIP["cosmosis"])
        raise EvaluationError(
            error.kind, f"{error}. It is built on the spot, which takes: apt-get install {tools}"
        ) from error
