"""Constraints added to a run, or withdrawn: the words, the events, and an optimiser that keeps to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amended_lives import SPEC, SPEC_, Optimiser, Run, live_through, point

from orchestrator.errors import OrchestratorError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.recovery.salvaged_decisions import StillMeant
from orchestrator.runtime.requests.amended_constraints import as_written
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.decided_before import by_now
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.scheduler import events as ev
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

SMALL = "span + ribs <= 12"
GIVEN = load_spec_text(f"{SPEC}constraints: [{SMALL}]\n", "spec.yaml", None).spec

BY_THE_CLOCK = SPEC.replace("gp-ucb", "auto").replace(
    "parameters:\n", "parameters:\n  hours: {type: float, bounds: [0, 9], unit: h}\n"
)


def run_of_three(spec: Spec = SPEC_) -> Run:
    """Spans of 2 and 8, of 7 ribs, and a third of 9 that runs."""
    run = Run(spec)
    for span, value in ((2.0, 2.0), (8.0, 1.0), (9.0, None)):
        run.trial(point(span), value)
    return run


def test_what_follows_is_said_and_shown() -> None:
    run = run_of_three()
    sentence = run.amend(Amend(constraints=[SMALL]))
    assert sentence == (
        "the constraints are amended: with `span + ribs <= 12`; values that break them, which are still"
        " learned from, and no best: 1; running trials that break them, which may finish: 1"
    )
    assert (amended(SPEC_, run.state).constraints, SPEC_.constraints) == ([SMALL], [])
    assert run.state.found.best.number == 1
    assert amendment_words(SPEC_, run.state) == (
        "with `span + ribs <= 12`",
        "1 value beyond what was added, learned from, and no best",
    )
    assert run.amend(Amend(withdrawn=[SMALL]), name="b").endswith("without `span + ribs <= 12`")
    assert (amendment_words(SPEC_, run.state), run.state.found.best.number) == ((), 2)


def test_what_holds_for_some_values_of_a_choice_is_added_as_others_are() -> None:
    run, text = run_of_three(), 'skin != "foam" or span <= 4'
    assert "values that break them, which are still learned from, and no best: 1" in run.amend(
        Amend(constraints=[text])
    )
    with pytest.raises(OrchestratorError, match=r"got `fom` \(did you mean `foam`"):
        run.amend(Amend(constraints=['skin != "fom" or span <= 4']), name="b")
    with pytest.raises(OrchestratorError, match='write `skin != "foam" or span <= 3`'):
        run.amend(Amend(constraints=['span <= 3 if skin == "foam"']), name="c")
    other = 'skin != "fo am" or span <= 4'
    assert as_written(['skin!="foam" or span<=4', other], amended(SPEC_, run.state)) == [text, other]


def test_what_holds_for_one_value_and_is_not_there_is_not_said_to_be_an_equality() -> None:
    with pytest.raises(OrchestratorError, match=r"to withdraw, got `skin == \"foam\" or span <= 4`$"):
        run_of_three().amend(Amend(withdrawn=['skin == "foam" or span <= 4']))


def test_what_stands_in_other_quotes_is_the_same() -> None:
    spec = SPEC_.model_copy(update={"constraints": ['skin != "foam" or span <= 4', "skin != 'a\"b'"]})
    other = ["skin != 'foam' or span<=4", "skin !='a\"b'", "skin != 'fo am' or span <= 4"]
    assert as_written(other, spec) == [*spec.constraints, other[-1]]


def test_what_bounds_of_the_same_request_leave_out_is_not_learned_from() -> None:
    sentence = run_of_three().amend(Amend(constraints=[SMALL], bounds={"span": (1.0, 5.0)}))
    assert "left out of the model: 1" in sentence
    assert "values that break them" not in sentence


def test_bounds_of_what_is_computed_are_none_of_those_that_were_added() -> None:
    ratio = "  ratio: {type: computed, value: span / ribs, bounds: [0, 1]}\n"
    run = run_of_three(load_spec_text(SPEC.replace("parameters:\n", f"parameters:\n{ratio}"), "s", None).spec)
    assert "values that break them, which are still learned from, and no best: 1;" in run.amend(
        Amend(constraints=[SMALL])
    )


def test_the_specs_own_may_be_withdrawn_and_added_again() -> None:
    run = Run(GIVEN)
    run.amend(Amend(withdrawn=as_written(["span+ribs<=12"], GIVEN)))
    assert amended(GIVEN, run.state).constraints == []
    assert amendment_words(GIVEN, run.state) == ("without `span + ribs <= 12`",)
    run.amend(Amend(constraints=[SMALL]), name="b")
    assert (amended(GIVEN, run.state).constraints, amendment_words(GIVEN, run.state)) == ([SMALL], ())


def test_what_is_suggested_from_then_on_satisfies_it_and_so_it_does_after_another_life() -> None:
    run, optimiser = Run(), Optimiser()
    live_through(run, optimiser, 5)
    run.amend(Amend(constraints=[SMALL, 'skin == "carbon" or ribs <= 3']))
    live_through(run, optimiser, 2)
    heir = Optimiser()
    heir.take_all(run.history.commands)
    assert heir.answer().suggestions == optimiser.answer().suggestions
    for number in (6, 7):
        there = run.state.trials[number].parameters
        assert there["span"] + there["ribs"] <= 12
        assert there["skin"] == "carbon" or there["ribs"] <= 3


@pytest.mark.parametrize(
    ("spec", "request_", "why"),
    [
        (SPEC_, Amend(constraints=["span + rib <= 12"]), "got `rib` (did you mean `ribs`?)"),
        (SPEC_, Amend(constraints=["span = 3"]), "expected an inequality"),
        (
            SPEC_,
            Amend(constraints=["count(span, ribs) <= 1"]),
            "to count that may be 0, got `span`, which never",
        ),
        (SPEC_, Amend(constraints=["span <= 0.5"]), "no point within the bounds was found that satisfies"),
        (GIVEN, Amend(withdrawn=["span <= 1"]), "(`span + ribs <= 12`) to withdraw, got `span <= 1`"),
        (SPEC_, Amend(withdrawn=["span <= 1"]), "expected a constraint that holds (none does)"),
        (GIVEN, Amend(constraints=["ribs < 9"], withdrawn=["ribs < 9"]), "added or withdrawn, got both"),
        (SPEC_, Amend(constraints=[SMALL], points=[point(8.0)]), "expected a point that satisfies"),
        (
            load_spec_text(SPEC.replace("gp-ucb", "boo"), "s.yaml", None).spec,
            Amend(constraints=[SMALL]),
            "expected an algorithm that keeps to constraints",
        ),
        (
            load_spec_text(f"{BY_THE_CLOCK}clock: hours\n", "s.yaml", None).spec,
            Amend(constraints=["span < hours"]),
            "other than `hours`, which is the clock",
        ),
    ],
    ids=["name", "equality", "never 0", "nothing left", "unknown", "none", "both", "point", "able", "clock"],
)
def test_what_cannot_be_is_refused_however_it_was_left(spec: Spec, request_: Amend, why: str) -> None:
    with pytest.raises(OrchestratorError) as refused:
        Run(spec).amend(request_)
    assert why in str(refused.value)


def test_what_was_found_beside_the_loop_holds_only_for_what_was_amended_by_then() -> None:
    run, request = Run(), Amend(constraints=[SMALL])
    judged = rehearse(request, SPEC_, Beforehand.of(run.state))
    assert judged is not None
    assert judged.answers(request, run.state)
    run.amend(Amend(constraints=["span >= 2"]))
    assert not judged.answers(request, run.state)


def test_of_the_trials_that_were_judged_beside_the_loop_none_is_judged_again_in_it() -> None:
    """Of 20,000 that takes seconds, in which nobody else would be heard."""
    run, request = Run(), Amend(constraints=[SMALL])
    for span in (2.0, 8.0):
        run.trial(point(span), 1.0)
    judged = rehearse(request, SPEC_, Beforehand.of(run.state))
    assert judged is not None
    assert judged.broken == {SMALL: (2,)}
    run.trial(point(8.5), 1.0)
    judged = replace(judged, broken={SMALL: (1,)})
    (event,) = decide_amendment(request, SPEC_, run.state, 99.0, "a", judged).events
    assert isinstance(event, ev.ConstraintsAmended)
    assert event.added == {SMALL: (1, 3)}, "what was found then, and of the one that came since"
    made = ev.SuggestionsMade(at=99.0, ask=run.state.optimiser.asks, suggestions=(), first_trial=4)
    run.trial(point(9.0), None)
    now = by_now(event, [made], SPEC_, run.state)
    assert isinstance(now, ev.ConstraintsAmended)
    assert now.added == {SMALL: (1, 3, 4)}


NONSENSE = ["spam <= 3", "span <=", "drag <= 2", "span == 3", "always span <= 3", "3 <= 2"]


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_judged_beside_the_loop_without_harm(text: str) -> None:
    run, request = run_of_three(), Amend(constraints=[text])
    judged = rehearse(request, SPEC_, Beforehand.of(run.state))
    with pytest.raises(OrchestratorError):
        decide_amendment(request, SPEC_, run.state, 99.0, "a", judged)


def test_what_is_looked_for_beside_the_loop_is_within_all_bounds_that_were_amended_by_then() -> None:
    run = Run()
    run.amend(Amend(bounds={"span": (2.0, 5.0), "ribs": (3, 30)}))
    before = Beforehand.of(run.state)
    judged = rehearse(Amend(bounds={"ribs": (2, 9)}), SPEC_, before)
    assert judged is not None
    assert (judged.bounds, judged.complaint) == ({"span": (2.0, 5.0), "ribs": (2, 9)}, None)
    assert rehearse(Amend(points=[point(3.0)]), SPEC_, before) is not None
    assert rehearse(Amend(forget=[1], reason="spilt"), SPEC_, before) is None


def test_of_what_amended_bounds_left_out_it_is_told_as_well() -> None:
    for earlier in (Amend(bounds={"span": (1.0, 6.0)}), None):
        run = run_of_three()
        if earlier is not None:
            run.amend(earlier, name="earlier")
        run.amend(Amend(constraints=[SMALL], bounds={"span": (1.0, 5.0)}))
        assert run.state.breaks_added(run.state.trials[2]) == (SMALL,)
        assert not run.state.breaks_added(run.state.trials[1])


def test_what_was_computed_of_a_point_that_bounds_left_out_is_as_it_was() -> None:
    rest = "  rest: {type: computed, value: 20 - span - ribs}\n"
    run = Run(load_spec_text(SPEC.replace("parameters:\n", f"parameters:\n{rest}"), "s", None).spec)
    for span in (2.5, 8.0):
        run.trial({**point(span), "rest": 13 - span}, 1.0)
    run.amend(Amend(bounds={"span": (1.0, 5.0)}), name="earlier")
    run.amend(Amend(constraints=["rest + ribs >= 14"]))
    assert not run.state.breaks_added(run.state.trials[1])
    assert run.state.breaks_added(run.state.trials[2]) == ("rest + ribs >= 14",)


def test_a_trial_that_is_made_before_it_in_the_same_turn_is_among_those_that_break_it() -> None:
    run = Run()
    (event,) = decide_amendment(Amend(constraints=[SMALL]), SPEC_, run.state, 2.0, "a").events
    made = ev.SuggestionsMade(
        at=2.0, ask=run.state.optimiser.asks, suggestions=(ev.Suggested(parameters=point(9.0)),)
    )
    run.happen(made)
    now = by_now(event, [made], SPEC_, run.state)
    assert isinstance(now, ev.ConstraintsAmended)
    assert now.added == {SMALL: (1,)}
    assert by_now(event, [], SPEC_, run.state) is event


def test_behind_damage_it_is_of_the_trials_as_they_are_numbered_by_then() -> None:
    event = ev.ConstraintsAmended(at=9.0, added={SMALL: (-1, 2, 5, 6)})
    still = StillMeant(Run().state, {2: 2, 6: 5}, set(), set(), [])
    kept = still.kept(event)
    assert isinstance(kept, ev.ConstraintsAmended)
    assert kept.added == {SMALL: (-1, 2, 5)}


def test_behind_damage_it_says_nothing_of_the_outcomes_of_what_is_to_be_evaluated_again() -> None:
    event = ev.ConstraintsAmended(
        at=9.0, added={"heat <= 50": (1, 2), SMALL: (2,)}, of_outcomes=("heat <= 50",)
    )
    kept = StillMeant(Run().state, {1: 1, 2: 2}, {2}, set(), []).kept(event)
    assert isinstance(kept, ev.ConstraintsAmended)
    assert kept.added == {"heat <= 50": (1,), SMALL: (2,)}


def test_what_waits_to_be_taken_up_is_said() -> None:
    words = request_words(Amend(constraints=[SMALL], withdrawn=["span <= 1"], by="ada"))
    assert words == "to be amended, by ada: with `span + ribs <= 12`, without `span <= 1`"


def test_what_varies_in_use_is_constrained_no_more_than_in_a_spec() -> None:
    varying = SPEC.replace("gp-ucb", "auto").replace(
        "parameters:\n", "parameters:\n  wind: {type: float, bounds: [0, 9], in_use: evenly}\n"
    )
    run = Run(load_spec_text(varying, "spec.yaml", None).spec)
    with pytest.raises(OrchestratorError, match="expected no constraint of `wind`, which varies in use"):
        run.amend(Amend(constraints=["span < wind"]))
    assert "with `span < ribs`" in run.amend(Amend(constraints=["span < ribs"]))
