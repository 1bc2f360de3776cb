"""What `explain` says of a trial of a run with several objectives: a trade-off or not, and for how long."""

from __future__ import annotations

import pytest
import recorded_runs
from recorded_runs import RecordedRun
from traded_off_runs import OF_THREE, WINGS, gave, traded_off, with_a_known_wing

from orchestrator.report.explained.explain import explain
from orchestrator.scheduler import events as ev


def explained(run: RecordedRun, trial: int) -> str:
    return explain(run.spec, run.scheduler.state.policy, run.events, trial)


def test_a_trade_off_is_called_one_of_so_many() -> None:
    words = explained(traded_off(*WINGS), 3)
    assert "  drag = 1, lift = 2, after 1.0 s on local-1.\n" in words
    assert "It is one of the 3 trade-offs" in words
    assert "best" not in words
    assert "lift: " not in words, "it is said once"
    assert "heat: 50" in words
    assert "It is the only trade-off so far" in explained(traded_off((1.0, 1.0)), 1)


def test_one_that_never_was_a_trade_off_is_told_which_ones_beat_it() -> None:
    words = explained(traded_off(*WINGS), 5)
    assert "It is no trade-off: trials 2 and 6 are at least as good in every objective." in words
    assert "for a while" not in words


def test_one_that_was_a_trade_off_for_a_while_is_told_until_when() -> None:
    words = explained(traded_off(*WINGS), 1)
    assert "It is no trade-off: trials 2, 3 and 6 are at least as good in every objective." in words
    assert "It was a trade-off for a while, for 1.2 s, until trial 2 came." in words


def test_at_most_three_that_beat_it_are_named() -> None:
    run = traded_off((9.0, 0.0), *((float(i), float(i)) for i in range(1, 7)))
    words = explained(run, 1)
    assert "trials 2, 3, 4 and 3 more are at least as good in every objective" in words
    assert "until trial 2 came" in words


def test_one_that_came_to_the_same_as_a_trade_off_is_none() -> None:
    words = explained(traded_off((1.0, 1.0), (1.0, 1.0)), 2)
    assert "It is no trade-off: trial 1 is at least as good in every objective." in words


def test_one_that_breaks_a_constraint_is_no_trade_off_for_that_reason() -> None:
    words = explained(traded_off(*WINGS), 4)
    assert "Does not satisfy `heat <= 80`, still learned from." in words
    assert "So it is no trade-off." in words
    assert "at least as good" not in words


def test_one_whose_value_was_forgotten_was_a_trade_off_until_then() -> None:
    run = traded_off(*WINGS)
    run.happen(ev.ObservationsForgotten(at=run.at + 60.0, trials=(3,), reason="the tunnel leaked"))
    words = explained(run, 3)
    assert "So it is no trade-off." in words
    assert "until what counts was amended." in words
    assert explained(run, 6).count("It is one of the 2 trade-offs") == 1


def test_a_trade_off_that_was_beaten_by_what_is_forgotten_now_is_one_again() -> None:
    run = traded_off(*WINGS)
    run.happen(ev.ObservationsForgotten(at=run.at + 60.0, trials=(2, 6), reason="the tunnel leaked"))
    words = explained(run, 5)
    assert "It is one of the 2 trade-offs" in words
    assert "for a while" not in words


def test_what_had_been_traded_off_when_it_was_chosen_is_said() -> None:
    words = explained(traded_off(*WINGS), 4)
    assert "There were 2 trade-offs then: drag 1 to 3, lift 2 to 3." in words
    assert "The best value then" not in words
    assert "trade-offs then" not in explained(traded_off(*WINGS), 1)


def test_a_prediction_is_of_the_first_objective_by_name() -> None:
    words = explained(traded_off(*WINGS), 6)
    assert "Predicted there: drag = 5 ± 0.5" in words
    assert "Its drag is far better than expected, by 6.0 standard deviations." in words


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("front", "It was looked for everywhere, for what the front"),
        ("nearby", "about one of the trade-offs"),
    ],
)
def test_the_other_objectives_predicted_and_where_it_was_looked_for_are_said(
    monkeypatch: pytest.MonkeyPatch, search: str, said: str
) -> None:
    monkeypatch.setitem(recorded_runs.WHY, "search", search)
    monkeypatch.setitem(recorded_runs.WHY, "further", [{"mean": 2.25, "deviation": 0.125}])
    words = explained(traded_off(*WINGS), 6)
    assert "drag = 5 ± 0.5 (one standard deviation), lift = 2.25 ± 0.125" in words
    assert said in words
    assert "further" not in words
    assert "search: " not in words


def test_known_results_that_beat_it_are_called_that() -> None:
    run = traded_off((2.0, 4.0), run=with_a_known_wing())
    words = explained(run, 1)
    assert "It is no trade-off: 1 result known from elsewhere is at least as good in every" in words


def test_of_three_objectives_all_are_said() -> None:
    run = RecordedRun(OF_THREE).begin(workers=1)
    gave(run, 1.0, {"lift": 2.0, "mass": 3.0, "heat": 4.0})
    assert "  drag = 1, lift = 2, mass = 3, after 1.0 s on local-1.\n" in explained(run, 1)
