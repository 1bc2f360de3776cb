"""Streams are named, repeat, and have nothing to do with one another."""

import subprocess
import sys

import numpy as np
import pytest

from orchestrator.numerics.rng import derive_seed, stream


def test_a_stream_repeats_itself_to_the_bit():
    assert np.array_equal(stream(3, "ask", 7, 1).random(50), stream(3, "ask", 7, 1).random(50))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0, "ask", 1), (1, "ask", 1)),
        ((0, "ask", 1), (0, "fit", 1)),
        ((0, "ask", 1), (0, "ask", 2)),
        ((0, "ask", 1, 2), (0, "ask", 12)),
        ((0, "ask", 1, 2), (0, "ask", 2, 1)),
        ((0, "ask"), (0, "ask", 0)),
        ((0, "ask|1", 2), (0, "ask", 1, 2)),
    ],
)
def test_another_seed_purpose_or_number_is_another_stream(one, other):
    first, second = stream(*one).random(200), stream(*other).random(200)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.3
    assert derive_seed(*one) != derive_seed(*other)


def test_streams_do_not_change_between_versions_because_runs_resume():
    assert stream(0, "ask", 1).integers(2**32, size=3).tolist() == [1276876070, 3751946989, 1602733774]
    assert derive_seed(0, "evaluation", 4, 1) == 2790967071122377485


def test_derived_seeds_fit_in_a_signed_64_bit_integer():
    seeds = [derive_seed(5, "evaluation", trial) for trial in range(2000)]
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert len(set(seeds)) == len(seeds)
    assert max(seeds) > 2**62


def test_another_process_gives_the_same_seed_and_needs_no_numpy_for_it():
    program = (
        "import sys; from orchestrator.numerics.rng import derive_seed; "
        "assert 'numpy' not in sys.modules; print(derive_seed(0, 'evaluation', 4, 1))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(answer.stdout) == derive_seed(0, "evaluation", 4, 1)


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="negative"):
        stream(-1, "ask")
