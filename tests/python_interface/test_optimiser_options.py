"""Options as callers of the Python interface hand them over: wrong ones are answered as in a spec."""

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError


@pytest.mark.parametrize(
    ("algorithm", "options", "sentence"),
    [
        ("egp-ts", {"features": "many"}, "option `features`: expected a whole number, got `many`"),
        ("egp-ts", {"features": True}, "option `features`: expected a whole number, got `true`"),
        ("egp-ts", {"features": 1.5}, "option `features`: expected a whole number, got 1.5"),
        ("egp-ts", {"features": 0}, "option `features`: expected a number of at least 1, got 0"),
        ("egp-ts", {"weight_floor": "0.1"}, "option `weight_floor`: expected a number, got `0.1`"),
        ("egp-ts", {"weight_floor": False}, "option `weight_floor`: expected a number, got `false`"),
        ("egp-ts", {"early_refits": 1}, "option `early_refits`: expected true or false, got 1"),
        ("egp-ts", {"acquisition": "tompson"}, "got `tompson` (did you mean `thompson`?)"),
        ("egp-ts", {"kernels": []}, "option `kernels`: expected at least 1 of them, got 0"),
        ("egp-ts", {"kernels": {"rbf-grid": [1]}}, "expected two numbers, [low, high], got [1]"),
        ("egp-ts", {"kernels": {"rbf_grd": [1, 2]}}, "expected one of the keys `rbf-grid`, got `rbf_grd`"),
        ("egp-ts", {"feature": 3}, "(did you mean `features`?)"),
        ("gp-ts-bayes", {"variance": [1, 2, 3]}, "expected two numbers, [low, high], got [1, 2, 3]"),
        ("gp-ts-bayes", {"kernel": "matern-7/2"}, "(did you mean `matern-5/2`?)"),
        ("turbo", {"candidates": [3]}, "option `candidates`: expected a whole number, got [3]"),
    ],
)
def test_options_that_are_wrong_are_answered_as_in_a_spec(algorithm, options, sentence):
    with pytest.raises(SpecError) as refused:
        Optimiser({"x": (0.0, 1.0)}, algorithm=algorithm, options=options)
    assert str(refused.value).startswith(f"algorithm `{algorithm}`, option `{next(iter(options))}`: ")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_options_may_be_numbers_of_numpy():
    told = Optimiser({"x": (0.0, 1.0)}, algorithm="egp-ts", options={"features": np.int64(20)})
    assert len(told.ask()) == 1
