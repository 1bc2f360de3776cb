"""That drawn functions have the gradients that finite differences see."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime


def require_drawn_gradients(functions, inputs, which):
    """At (p, E) inputs, each of the function with that number of ``which`` (p,)."""
    values, gradients = functions.values_and_gradients(inputs, which)
    for i, (a, s) in enumerate(zip(inputs, which, strict=True)):
        assert values[i] == pytest.approx(functions.values(a[None])[s, 0])
        slope = approx_fprime(a, lambda x, s=s: functions.values(x[None])[s, 0], 1e-7)
        np.testing.assert_allclose(gradients[i], slope, atol=1e-4)
