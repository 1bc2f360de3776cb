"""Scales that results refused are not asked about again for a while."""

from __future__ import annotations

import json

from orchestrator.algorithms.mixture.refused_scales import RefusedScales
from orchestrator.unit_cube.by_logarithm import ByLogarithm, Scales

RATE = Scales((ByLogarithm(0, upper=False, ratio=1e3),))
RATE_OVER_FIVE_DECADES = Scales((ByLogarithm(0, upper=False, ratio=1e5),))
FROM_ABOVE = Scales((ByLogarithm(0, upper=True, ratio=1e3),))


def test_they_are_refused_until_there_are_half_as_many_results_again_over_any_decades() -> None:
    refused = RefusedScales().after(RATE, 20)
    assert refused.has(RATE, 29)
    assert refused.has(RATE_OVER_FIVE_DECADES, 29)
    assert not refused.has(RATE, 30)
    assert not refused.has(FROM_ABOVE, 29)
    # To see parameters as they were told may be refused as well, once they are seen otherwise.
    assert not refused.has(Scales(), 29)
    assert refused.after(Scales(), 25).has(Scales(), 30)


def test_a_run_that_is_taken_up_knows_them_without_those_of_which_the_time_is_over() -> None:
    refused = RefusedScales().after(RATE, 20).after(FROM_ABOVE, 29)
    assert RefusedScales.from_json(json.loads(json.dumps(refused.to_json()))) == refused
    assert [results for _, results in refused.after(RATE, 31).to_json()] == [29, 31]
