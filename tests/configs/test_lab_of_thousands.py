"""The spec of a simulation that is fitted by very many runs of it does what its first lines say."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from lab_bench import Bench


@pytest.mark.long
@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_hundreds_of_runs_of_a_spring_gather_where_it_fits(bench: Bench) -> None:
    misfits = np.array([trial["misfit"] for trial in bench.trials_of("thousands.yaml", 600)])
    assert np.median(misfits[-100:]) < 0.1 * np.median(misfits[:100])
    assert bench.best()["misfit"] < 40.0, "of 50 points with known errors"
