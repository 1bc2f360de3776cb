"""What a person may amend of a run whose machine may travel only so far at once, and how it goes on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from amended_lives import SPEC, Optimiser, Run, live_through, point

from orchestrator.errors import OrchestratorError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.recovery.salvaged_decisions import StillMeant
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler import events as ev
from orchestrator.spec.load import load_spec_text
from orchestrator.values.travel import Travel, too_far

TRAVELLING = load_spec_text(
    SPEC.replace("bounds: [1, 9]}", "bounds: [1, 9], travel: 2}").replace(
        "initial: {count: 4}", "initial: {count: 4, points: [{span: 3, ribs: 7, rate: 0.1, skin: foam}]}"
    ),
    "spec.yaml",
    None,
).spec

GLUE = """\
experiment: glue
objective: {name: peel, goal: maximise}
parameters: {skin: {type: choice, values: [foam, carbon]}}
budget: {trials: 9}
evaluation: {evaluator: person}
mode: sequential
"""


def run_at(*spans: float) -> Run:
    """Trials came to an end there; at the last one the machine stands."""
    run = Run(TRAVELLING)
    for span in spans:
        run.trial(point(span), span)
    return run


def refused(run: Run, **change: Any) -> str:
    with pytest.raises(OrchestratorError) as caught:
        run.amend(Amend(**change), name="refused")
    return str(caught.value)


def test_a_point_beyond_reach_is_refused_with_how_far_it_is() -> None:
    assert refused(run_at(3.0), points=[point(9.0)]) == (
        "expected a point within reach of where the machine stands by then, got one where span = 9 is too far"
        " from 3, where it may travel 2: 3 evaluations away; have others on the way tried first"
    )


def test_points_on_the_way_lead_there_in_one_request_or_in_several() -> None:
    run = run_at(3.0)
    run.amend(Amend(points=[point(5.0), point(7.0)]), name="a")
    run.amend(Amend(points=[point(9.0)]), name="b")
    assert "span = 4 is too far from 9" in refused(run, points=[point(4.0)])


def test_bounds_that_cannot_be_got_within_at_once_are_refused() -> None:
    run = run_at(3.0)
    assert refused(run, bounds={"span": (6.0, 9.0)}) == (
        "expected bounds, and what is held, within reach of where the machine stands: span = 6 is too far"
        " from 3, where it may travel 2: 2 evaluations away"
    )
    run.amend(Amend(bounds={"span": (5.0, 9.0)}))


def test_bounds_within_which_constraints_leave_nothing_near_enough_are_refused() -> None:
    run = Run(TRAVELLING.model_copy(update={"constraints": ["ribs <= 5 * span - 2"]}))
    run.trial(point(3.0), 3.0)
    said = "no point was found that satisfies the constraints within reach of where the machine stands"
    assert said in refused(run, bounds={"ribs": (24, 30)})
    run.amend(Amend(bounds={"ribs": (22, 30)}))


def test_a_setting_is_held_within_reach_and_what_may_go_anywhere_anywhere() -> None:
    run = run_at(3.0)
    assert "span = 9 is too far from 3" in refused(run, held={"span": 9.0})
    run.amend(Amend(held={"span": 4.0, "ribs": 30}))


def lived(hand_over_after: int) -> list[dict[str, Any]]:
    """Where trials lie for the last of which another optimiser is asked, with what the journal has for it."""
    run, optimiser = run_at(3.0), Optimiser(TRAVELLING)
    live_through(run, optimiser, hand_over_after)
    optimiser = Optimiser(TRAVELLING)
    optimiser.take_all(run.history.commands)
    live_through(run, optimiser, 6 - hand_over_after)
    return [dict(trial.parameters) for trial in run.state.trials.values()]


def test_whoever_takes_over_asks_for_the_same_points_each_within_reach() -> None:
    places = lived(2)
    assert len(places) == 7
    for before, after in pairwise(places):
        assert not too_far({"span": Travel(2.0)}, before, after)
    assert places == lived(4)


def test_where_a_setting_is_held_from_now_on_the_others_go_on_within_reach() -> None:
    run, optimiser = run_at(3.0), Optimiser(TRAVELLING)
    live_through(run, optimiser, 2)
    stands = run.state.stands["span"]
    run.amend(Amend(held={"ribs": 30}))
    live_through(run, optimiser, 1)
    assert run.state.stands["ribs"] == 30
    assert Travel(2.0).lets(stands, run.state.stands["span"])


def test_how_far_a_setting_may_travel_is_amended_and_what_is_chosen_keeps_to_it() -> None:
    run, optimiser = run_at(3.0), Optimiser(TRAVELLING)
    sentence = run.amend(Amend(travel={"span": 0.5, "ribs": 3}))
    assert sentence == "how the machine travels is amended: span may travel 0.5, ribs may travel 3"
    assert amendment_words(TRAVELLING, run.state) == (
        "span may travel 0.5 instead of 2",
        "ribs may travel 3",
    )
    live_through(run, optimiser, 3)
    there = [trial.parameters for trial in run.state.trials.values()]
    limits = {"span": Travel(0.5), "ribs": Travel(3.0)}
    assert not any(too_far(limits, before, after) for before, after in pairwise(there))
    run.amend(Amend(anywhere=["span", "ribs"]), name="b")
    assert (dict(run.state.policy.where.travel), amendment_words(TRAVELLING, run.state)) == (
        {},
        ("span may travel anywhere instead of 2",),
    )
    live_through(run, optimiser, 1)


def test_a_run_of_one_machine_may_be_limited_that_was_not() -> None:
    run, optimiser = Run(), Optimiser()
    run.trial(point(3.0), 3.0)
    run.amend(Amend(travel={"rate": 2.0}))
    live_through(run, optimiser, 2)
    assert [run.state.policy.where.travel["rate"].lets(a, b) for a, b in pairwise(rates(run))] == [True, True]


def rates(run: Run) -> list[float]:
    return [trial.parameters["rate"] for trial in run.state.trials.values()]


def test_where_the_machine_was_put_is_where_it_goes_on_from_until_the_next_trial() -> None:
    run, optimiser = run_at(3.0), Optimiser(TRAVELLING)
    run.amend(Amend(stands={"span": 8.0}))
    assert run.state.stands == {**point(3.0), "span": 8.0}
    assert amendment_words(TRAVELLING, run.state) == ("the machine was put at span = 8",)
    assert refused(run, points=[point(3.0)]).startswith("expected a point within reach of where the machine")
    live_through(run, optimiser, 1)
    assert abs(run.state.trials[2].parameters["span"] - 8.0) <= 2.0 + 1e-6
    assert run.state.stands == run.state.trials[2].parameters


def test_a_machine_that_has_begun_its_next_trial_by_then_is_on_its_way_there() -> None:
    run = run_at(3.0)
    run.trial(point(4.0), None)
    run.happen(ev.TravelAmended(at=run.state.at, stands={"span": 8.0}))
    assert run.state.stands == point(4.0)
    assert refused(run, stands={"span": 8.0}).startswith("expected a machine that does nothing, got one that")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"travel": {"skin": 2.0}}, "expected a parameter of type float or int"),
        ({"travel": {"ribs": 0.5}}, "--travel ribs=0.5: expected at least 1, by which it can change at all"),
        ({"anywhere": ["ribs"]}, "expected a parameter that may travel only so far (`span`), got `ribs`"),
        ({"travel": {"span": 1.0}, "anywhere": ["span"]}, "expected `span` to travel so far or anywhere"),
        ({"stands": {"ribs": 3.0}}, "(`span`), got `ribs`"),
        ({"stands": {"span": 20.0}}, "expected bounds, and what is held, within reach of where the machine"),
        ({"stands": {"span": "wide"}}, "expected a finite number where `span` stands, got 'wide'"),
        ({"stands": {"spam": 3.0}, "changes": {"spam": 9.0}}, "(`span`), got `spam`"),
    ],
    ids=["kind", "least", "free already", "both", "stands", "beyond", "no number", "no parameter"],
)
def test_what_no_machine_can_do_is_refused(change: dict[str, Any], why: str) -> None:
    assert why in refused(run_at(3.0), **change)


def test_where_no_parameter_is_a_number_that_is_said_in_the_place_of_those_that_are() -> None:
    glue = Run(load_spec_text(GLUE, "s.yaml", None).spec)
    assert refused(glue, travel={"skin": 1.0}) == (
        "expected a parameter of type float or int (none is), got `skin`"
    )
    assert refused(glue, bounds={"skin": (1.0, 2.0)}) == (
        "--bounds skin=1,2: expected a parameter with bounds (none has any), got `skin`, which is choice"
    )


def test_several_machines_are_none_that_travels() -> None:
    spec = load_spec_text(SPEC.replace("mode: sequential", "mode: asynchronous"), "s.yaml", None).spec
    assert refused(Run(spec), travel={"span": 1.0}).startswith("expected `mode: sequential` beside `travel`")


def test_behind_damage_how_far_it_travels_is_kept_and_where_it_stood_is_to_be_seen_to() -> None:
    dropped: list[str] = []
    still = StillMeant(run_at(3.0).state, {}, set(), set(), dropped)
    event = ev.TravelAmended(at=9.0, travel={"span": Travel(1.0)}, stands={"span": 8.0})
    assert still.kept(event) == ev.TravelAmended(at=9.0, travel={"span": Travel(1.0)})
    assert dropped == ["that the machine stood at span = 8: set it to where the last trial had it"]


def test_what_waits_to_be_taken_up_is_said() -> None:
    words = request_words(Amend(travel={"span": 0.5}, anywhere=["ribs"], stands={"span": 8.0}))
    said = "span may travel 0.5, ribs may travel anywhere, the machine stands at span = 8"
    assert words == f"to be amended: {said}"
