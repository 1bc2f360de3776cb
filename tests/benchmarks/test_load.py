"""The load's specs are specs, and what is measured of EGP-TS is measured at every number of values."""

import pytest
import zmq

from benchmarks.load import paced
from benchmarks.running.ask_growth import ask_growth
from benchmarks.running.event_costs import KINDS, result_us
from benchmarks.running.fleet import Fleet
from benchmarks.running.load_run import Load
from orchestrator.spec.load import load_spec_text


@pytest.mark.parametrize(("algorithm", "dimension"), [("random", 2), ("egp-ts", 6)])
def test_a_load_s_spec_is_read(algorithm: str, dimension: int) -> None:
    spec = load_spec_text(Load(70, 3, 0.5, algorithm, dimension).spec(9000), "spec.yaml", None).spec
    assert (spec.algorithm.name, len(spec.parameters), spec.budget.trials) == (algorithm, dimension, 70)


def test_a_load_is_run_to_its_end_and_its_figures_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    paced(Load(60, 4, 0.02))
    said = capsys.readouterr().out
    assert "paced: 60 trials of 0.02 s on 4 workers" in said
    assert " trials a second, 200 at most" in said
    assert "result to next trial   0.0 ms median" not in said


def test_each_number_of_values_has_its_figures() -> None:
    rows = ask_growth([12, 24])
    assert [row.values for row in rows] == [12, 24]
    assert all(min(row.ask_ms, row.tell_ms, row.adopt_ms, row.refit_s, row.replay_s) > 0 for row in rows)


def test_a_result_is_measured_whatever_trials_take_and_however_many_wait() -> None:
    each = [result_us(slots, workers=3, waiting=waiting) for slots in KINDS.values() for waiting in (0, 20)]
    assert all(microseconds > 0 for microseconds in each)


def test_a_pause_is_of_the_trial_whoever_makes_it() -> None:
    """Two processes of a fleet that drew from one stream would pause alike, and results come in pairs."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    fleets = [Fleet(0.5), Fleet(0.5)]
    for number, fleet in enumerate(fleets):
        fleet.dial(context, "inproc://nobody", count=1, first=number)
    first, second = ([fleet.pause(trial) for trial in (1, 2, 3)] for fleet in fleets)
    beats = [fleet.first_beat_after(member) for fleet in fleets for member in fleet.members.values()]
    context.destroy(linger=0)
    assert first == second
    assert len(set(first)) == 3
    assert beats[0] != beats[1]
    assert sum(fleets[0].pause(trial) for trial in range(500)) == pytest.approx(250, rel=0.15)
