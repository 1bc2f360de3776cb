"""Functions whose values come in blocks, and the page of runs on them."""

import numpy as np
import pytest

from benchmarks.blocks import RUNS, jobs, page
from benchmarks.contenders.blocks import Job, Run
from benchmarks.functions.blocked import A_BLOCK, BLOCKED


def test_values_of_a_block_share_its_offset_and_have_luck_of_their_own():
    copy, point = BLOCKED["hartmann-3"].of_seed(1), np.full(3, 0.4)
    told = np.array([copy.told(point, trial) for trial in range(2 * A_BLOCK)])
    apart = told - copy.luck[: 2 * A_BLOCK] - copy.regret(point)
    np.testing.assert_allclose(apart, np.repeat(copy.offsets[:2], A_BLOCK))


def test_the_page_has_a_column_for_each_way_and_says_how_far_offsets_are_off():
    some = [Run(job, ((20, 2.0), (40, 1.0)), 0.1, "2026-11-28") for job in jobs("auto", "ackley-3", 0)]
    told = Run(Job("auto", "hartmann-3", 0, "blocks"), ((20, 2.0), (40, 1.0)), 0.1, "", 0.5, 3.0)
    words = page([*some, told])
    assert all(job.title in words for job in jobs("auto", "", 0))
    assert "off by 0.5 times the noise" in words
    assert "by 3 times" in words


def test_a_line_keeps_how_far_offsets_were_off():
    line = {
        "job": {"algorithm": "auto", "function": "ackley-3", "seed": 0, "told": "blocks"},
        "values": [[20, 2.0], [40, 1.0]],
        "seconds": 0.1,
        "missed": 0.5,
        "missed_by_means": 3.0,
    }
    assert RUNS.read(line).regret(40) == pytest.approx(1.0)
    assert RUNS.read(line).missed_by_means == 3.0
