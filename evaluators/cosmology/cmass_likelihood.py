"""A CosmoSIS module: the Gaussian likelihood of CMASS. It has no options.

CosmoSIS loads this file by its path.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from cosmosis.datablock import names

from evaluators.cosmology.cmass import OBSERVABLES, log_likelihood


def setup(options: Any) -> None:
    """CosmoSIS's: nothing to prepare."""
    del options


def execute(block: Any) -> int:
    """CosmoSIS's: 0, and ``cmass_like`` among the block's likelihoods."""
    predicted = np.array([block["cmass", observable.name] for observable in OBSERVABLES])
    block[names.likelihoods, "cmass_like"] = log_likelihood(predicted)
    return 0
