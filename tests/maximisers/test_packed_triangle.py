"""A triangle crosses as text, to the bit; what is none is refused."""

import json

import numpy as np
import pytest

from orchestrator.maximisers.factors.packed_triangle import pack_triangle, unpack_triangle
from orchestrator.numerics.rng import stream


@pytest.mark.parametrize("n", [0, 1, 7])
def test_every_bit_crosses(n):
    rng = stream(0, "triangle", n)
    lower = np.tril(rng.standard_normal((n, n)) * 10.0 ** rng.integers(-300, 300, (n, n)))
    crossed = unpack_triangle(json.loads(json.dumps(pack_triangle(lower))), n)
    assert crossed.tobytes() == lower.tobytes()


@pytest.mark.parametrize(
    ("packed", "complaint"),
    [
        (pack_triangle(np.eye(2)), "the 48 bytes of a triangle of 3 rows, got 24"),
        (pack_triangle(np.diag([1.0, np.nan, 1.0])), "finite"),
        ("no base 64", "base64|non-alphabet|padding"),
    ],
)
def test_what_is_no_triangle_is_refused(packed, complaint):
    with pytest.raises(ValueError, match=complaint):
        unpack_triangle(packed, 3)


def test_it_takes_eleven_bytes_a_number():
    n = 100
    assert len(pack_triangle(stream(1, "triangle").standard_normal((n, n)))) < 11 * n * (n + 1) / 2
