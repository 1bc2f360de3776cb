"""The load's specs are specs, and what is measured of EGP-TS is measured at every number of values."""

import pytest

from benchmarks.ask_growth import ask_growth
from benchmarks.load import Load
from orchestrator.spec.load import load_spec_text


@pytest.mark.parametrize(("algorithm", "dimension"), [("random", 2), ("egp-ts", 6)])
def test_a_load_s_spec_is_read(algorithm: str, dimension: int) -> None:
    spec = load_spec_text(Load(70, 3, 0.5, algorithm, dimension).spec(9000), "spec.yaml", None).spec
    assert (spec.algorithm.name, len(spec.parameters), spec.budget.trials) == (algorithm, dimension, 70)


def test_each_number_of_values_has_its_figures() -> None:
    rows = ask_growth([12, 24])
    assert [row.values for row in rows] == [12, 24]
    assert all(min(row.ask_ms, row.tell_ms, row.adopt_ms, row.refit_s, row.replay_s) > 0 for row in rows)
