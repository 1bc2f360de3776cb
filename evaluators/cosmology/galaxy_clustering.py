"""Constants of the universe that make the clustering of a million galaxies likely: 9 parameters, or 20.

Section I.1 of Bardou et al. 2024: the likelihood of the CMASS galaxies of BOSS's ninth data release
(Chuang et al. 2013), computed by CosmoSIS with CAMB. The value is the log likelihood, at most 0; random
constants have -3 to -500, half of them below -45, and the start point of `CONSTANTS` has -1.36. Parameters,
their units and ranges are in `evaluators.cosmology.constants`. There is no noise.

Constants that contradict each other get -60, as in the paper: more baryons, or more baryons and neutrinos,
than matter; a constant outside its prior; a universe that CAMB refuses, such as one that recollapses. The
extra ``inconsistent`` then says which. Any other value is CosmoSIS's own and is never clipped, so that bad
but possible universes are below -60.

Section 5.2 of Kandasamy et al. 2015 hides such a likelihood of nine parameters (their LRG data and software
are no longer offered) among eleven that have no effect: ``dummies: 11``.

Deviations: the paper prints neither its nine constants ("from the Hubble's constant to the mass of the
neutrinos") nor their ranges; these are ours. It uses CosmoSIS's standard library, where two short modules
of ours do the same. The measurement takes growth to be independent of scale, which massive neutrinos make
an approximation, there as here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from evaluators.cosmology.constants import CONSTANTS, Inconsistent
from evaluators.cosmology.pipeline import CmassPipeline, cmass_pipeline
from evaluators.quantities import Quantity, read_quantities, whole_option

INCONSISTENT_VALUE: Final = -60.0
"""What the paper returns for a set of inconsistent constants."""


def likelihood(parameters: Mapping[str, Any], *, dummies: int = 0) -> dict[str, Any]:
    """One evaluation: `evaluators.cosmology:likelihood`. 0.4 to 3 s, more with massive neutrinos.

    Args:
        parameters: the nine of `CONSTANTS`, and ``dummy_1`` and so on, each in [0, 1], without effect.
        dummies: how many of those there are.

    Returns:
        ``value``, the log likelihood, and the five predicted observables of `cmass.OBSERVABLES` by name.
        Inconsistent constants have the value `INCONSISTENT_VALUE` and no observables. The extra
        ``inconsistent`` is the reason in words, and None for every other value.

    Raises:
        EvaluationError: invalid where the parameters or the option are not these; error where CosmoSIS or
            CAMB is missing.
    """
    extra = [f"dummy_{i + 1}" for i in range(whole_option("likelihood", "dummies", dummies, low=0))]
    # Any number is an answer to be judged: outside the prior is inconsistent, and not invalid.
    quantities = {name: Quantity(-math.inf, math.inf) for name in CONSTANTS}
    quantities |= {name: Quantity(0.0, 1.0) for name in extra}
    given = read_quantities("likelihood", quantities, parameters)
    return judge({name: given[name] for name in CONSTANTS}, cmass_pipeline())


def judge(constants: Mapping[str, float], pipeline: CmassPipeline) -> dict[str, Any]:
    """What `likelihood` returns for these constants."""
    try:
        prediction = pipeline.predict(constants)
    except Inconsistent as why:
        return {"value": INCONSISTENT_VALUE, "inconsistent": str(why)}
    return {"value": prediction.log_likelihood, "inconsistent": None, **prediction.observables}
