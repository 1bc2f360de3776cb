"""Points that a person has evaluated next, from the words to the events."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from amended_lives import SPEC, Optimiser, Run, live_through, point
from conductor_stage import Stage

from orchestrator.command_line.amend_options import request_from
from orchestrator.errors import OrchestratorError
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Ask
from orchestrator.spec.begun.asked_points import points_to_try, words_on_uncounted
from orchestrator.spec.load import load_spec_text

TEXT = SPEC.replace(
    "  mach: 0.8\n", "  mach: 0.8\n  core: {type: int, bounds: [1, 9], when: {skin: carbon}}\n"
).replace("budget: {trials: 40}", "budget: {trials: 5}\nconstraints: [span <= ribs]")
SPEC_ = load_spec_text(TEXT, "spec.yaml", None).spec
FOAM = "span=2,ribs=3,rate=1,skin=foam"
CELLS = """\
experiment: mesh
objective: {name: drag, goal: minimise}
parameters:
  x: {type: float, bounds: [0, 1]}
  cells: {type: ordered, values: [100, 200, 400]}
fidelity: {parameter: cells, cost: cells}
budget: {cost: 2.25}
evaluation: {evaluator: "wings:drag"}
"""


def request(run: Run, *typed: str, **options: Any) -> Amend:
    """As the command line would make it."""
    lists = dict.fromkeys(("bounds", "held", "known", "where", "result", "forget", "retry"), ())
    lists |= dict.fromkeys(("travel", "stands", "change", "constraints", "withdraw", "candidates"), ())
    none = dict.fromkeys(("trials", "cost", "time", "target", "patience", "expected_gain", "times", "jobs"))
    told = {**lists, **none, "free": [], "reason": "", "by": "", "pause": False, "go_on": False, **options}
    return request_from(SimpleNamespace(points=typed, block="", **told), run.spec, run.state)  # type: ignore[arg-type]


def run_with(*spans: float, spec: Any = SPEC_) -> Run:
    run = Run(spec)
    for span in spans:
        run.trial(point(span), span)
    return run


def refused(run: Run, *typed: str, **options: Any) -> str:
    with pytest.raises(OrchestratorError) as caught:
        run.amend(request(run, *typed, **options), name="refused")
    return str(caught.value)


def test_points_are_typed_with_the_parameters_that_count_and_without_what_is_fixed() -> None:
    run = run_with(2.0)
    told = request(
        run,
        "rate=0.5, skin=foam, core=99, span=2, ribs=4",
        "span=2,ribs=4,rate=0.5,skin=carbon,core=3",
        by="Ada",
        reason=" a hunch ",
    )
    sentence = run.amend(told)
    assert sentence.startswith("to be tried next: span = 2, ribs = 4, rate = 0.5, skin = foam, mach = 0.8; ")
    made = [run.state.trials[number] for number in (2, 3)]
    always = {"span": 2.0, "ribs": 4, "rate": 0.5, "mach": 0.8}
    assert [trial.parameters for trial in made] == [
        {**always, "skin": "foam"},
        {**always, "skin": "carbon", "core": 3},
    ]
    assert made[0].suggested.why == {"source": "person", "by": "Ada", "reason": "a hunch"}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("span=2,ribs=3,rate=1", "--try:1:1: expected a value for `skin`, but it is missing"),
        (
            "span=2,ribs=3",
            "; for the rest to be chosen, hold what it says for a while: --held span=2 --held ribs=3, and"
            " later --free span --free ribs",
        ),
        ("span=2,ribs=3,rate=1,skin=carbon", "`core`: expected a value, but it is missing; it counts where"),
        (
            f"{FOAM},skim=1",
            "--try:1:32: expected the parameters `span`, `ribs`, `rate`, `skin`, `mach` and `",
        ),
        (f"{FOAM},skim=1", "got `skim` (did you mean `skin`?)"),
        (f"{FOAM},ribs=4", "expected NAME=VALUE, each name once, got `ribs` twice"),
        ("span=12,ribs=13,rate=1,skin=foam", "for `span`, got 12; to widen them, also: --bounds span=1,12"),
        ("span=2,ribs=3.5,rate=1,skin=foam", "expected a whole number in [2, 30] for `ribs`, got 3.5"),
        ("span=2,ribs=3,rate=1,skin=wood", "expected `foam` or `carbon` for `skin`, got `wood`"),
        (
            "span=4,ribs=3,rate=1,skin=foam",
            "expected a point that satisfies `span <= ribs`, got span = 4, ribs",
        ),
    ],
)
def test_a_point_that_is_none_of_the_runs_is_refused_in_words(typed: str, why: str) -> None:
    assert refused(run_with(2.0), typed).count(why) == 1


def test_a_point_that_no_worker_can_have_is_refused() -> None:
    evaluation = SPEC_.evaluation.model_copy(update={"slots": "ribs"})
    workers = SPEC_.workers.model_copy(update={"local": 12})
    spec = SPEC_.model_copy(update={"evaluation": evaluation, "workers": workers})
    run, typed = Run(spec), "span=2,ribs=13,rate=1,skin=foam"
    assert "it takes 13 slots, and this machine has 12" in refused(run, typed)
    run.amend(request(run, typed.replace("13", "12")))


def test_settings_are_said_with_their_units_and_in_as_many_digits_as_mean_something() -> None:
    run = Run(load_spec_text(SPEC.replace("bounds: [1, 9]", "bounds: [1, 9], unit: m"), "s.yaml", None).spec)
    said = run.amend(request(run, "span=2.1234567894321,ribs=3,rate=1,skin=foam"))
    assert "to be tried next: span = 2.1234568 m, ribs = 3, rate = 1, skin = foam" in said


def test_it_may_lie_where_the_bounds_of_the_same_amendment_allow() -> None:
    run = run_with(2.0)
    run.amend(request(run, "span=12,ribs=13,rate=1,skin=foam", bounds=["span=1,12"]))
    assert run.state.trials[2].parameters["span"] == 12.0


def test_what_is_in_hand_already_is_not_tried_twice_and_what_was_evaluated_may_be() -> None:
    run = run_with(2.0)
    again = "span=2,ribs=7,rate=0.1,skin=foam"
    run.amend(request(run, again))
    assert "not in hand, got that of trial 2, running now" in refused(run, again)
    assert f"got {_words()} twice; to have all of them repeated: --times N" in refused(run, FOAM, FOAM)


def test_points_may_be_repeated_in_turns_as_often_as_is_said_each_with_a_seed_of_its_own() -> None:
    run = run_with(2.0)
    other = FOAM.replace("ribs=3", "ribs=4")
    sentence = run.amend(request(run, FOAM, other, times="2", trials="20"))
    assert sentence.endswith(
        f"to be tried next: {_words()}; {_words().replace('ribs = 3', 'ribs = 4')}, 2 times each"
    )
    assert [run.state.trials[number].parameters["ribs"] for number in (2, 3, 4, 5)] == [3, 4, 3, 4]
    third = FOAM.replace("ribs=3", "ribs=5")
    assert "pays for, 15 more, got 16; raise it as well: --trials 21" in refused(run, third, times="16")
    assert "expected points to try beside --times" in refused(run, times="2")
    assert "expected --times from 1 to 1,000, got 999999" in refused(run, third, times="9" * 15)


def test_a_point_that_the_run_has_a_name_for_is_tried_as_it_was_or_with_something_otherwise() -> None:
    named = {"best": {**point(2.0), "mach": 0.8}}
    once = points_to_try(SPEC_, ["best", "best,ribs=9"], named)
    assert once == [named["best"], {**named["best"], "ribs": 9}]
    with pytest.raises(OrchestratorError, match="`core`: expected a value, but it is missing"):
        points_to_try(SPEC_, ["best,skin=carbon"], named)
    named["7"] = {**named["best"], "span": 12.0, "ribs": 40}
    with pytest.raises(OrchestratorError) as caught:
        points_to_try(SPEC_, ["7"], named)
    assert all(
        f"to widen them, also: --bounds {bounds}" in str(caught.value)
        for bounds in ("span=1,12", "ribs=2,40")
    )


def _words() -> str:
    return "span = 2, ribs = 3, rate = 1, skin = foam, mach = 0.8"


def test_more_than_the_budget_pays_for_is_refused_with_the_budget_that_would() -> None:
    run = run_with(2.0, 3.0, 4.0)
    run.trial(point(5.0), None)
    others = [FOAM.replace("ribs=3", f"ribs={ribs}") for ribs in (3, 4, 5)]
    assert refused(run, *others).endswith(
        "the budget of 5 trials pays for, 1 more, got 3; raise it as well: --trials 7"
    )
    run.amend(request(run, *others, trials="7"))
    assert run.state.budgeted == 7


def test_what_the_optimiser_is_asked_for_is_paid_for_before_them() -> None:
    run = run_with(2.0, 3.0, 4.0, 5.0)
    assert "0 more, beside the 1 that the optimiser is asked for, got 1" in refused(run, FOAM)


def test_what_a_point_costs_is_what_is_counted_where_that_is_not_the_same_of_all() -> None:
    run = Run(load_spec_text(CELLS, "spec.yaml", None).spec)
    run.happen(
        ev.SuggestionsMade(at=1.0, ask=1, suggestions=(ev.Suggested(parameters={"x": 0.5}, cost=0.5),))
    )
    low = [f"x=0.{digit},cells=100" for digit in range(1, 8)]
    run.amend(request(run, *low[:6], "x=0.9"))
    assert [trial.cost for trial in run.state.trials.values()][1:] == [0.25] * 6 + [1.0]
    assert run.state.trials[8].parameters == {"x": 0.9, "cells": 400}
    assert "of which 3 is spent, got 1; raise it as well: --cost N" in refused(run, low[6])


def test_of_points_at_full_fidelity_each_costs_one_and_the_last_may_go_beyond_what_is_left() -> None:
    full = [f"x=0.{digit}" for digit in range(1, 4)]
    spec = load_spec_text(CELLS, "spec.yaml", None).spec
    run = Run(spec)
    run.amend(request(run, *full[:2]))
    assert [trial.cost for trial in run.state.trials.values()] == [1.0, 1.0]
    assert "the 1 that the optimiser is asked for, got 3; raise it as well: --cost N" in refused(
        Run(spec), *full
    )


def test_where_parameters_are_held_they_need_not_be_told_and_are_not_elsewhere() -> None:
    run = run_with(2.0)
    run.amend(Amend(held={"skin": "foam"}), name="h")
    said = refused(run, "span=2,ribs=3,rate=1,skin=carbon,core=2")
    assert (
        "skin = carbon and is held at foam; to hold it there from now on, besides: --held skin=carbon" in said
    )
    run.amend(request(run, "span=2,ribs=3,rate=1"), name="a")
    assert run.state.trials[2].parameters["skin"] == "foam"
    run.amend(request(run, "span=2,ribs=3,rate=1,core=2", held=["skin=carbon"]), name="b")
    assert run.state.trials[3].parameters["skin"] == "carbon"


def test_a_run_that_has_ended_for_good_says_what_would_have_it_go_on() -> None:
    run = run_with(2.0)
    run.amend(request(run, target="3"))
    assert run.state.end.why == "the target was reached"
    assert refused(run, FOAM).endswith("the target was reached. For it to go on, besides: --target VALUE")
    run.amend(request(run, FOAM, target="none"), name="b")
    assert run.state.resumable


def test_while_it_is_paused_nothing_begins_and_when_it_goes_on_they_are_first() -> None:
    run = run_with(2.0)
    run.amend(request(run, FOAM, pause=True))
    assert run.state.running == 0
    run.amend(request(run, FOAM.replace("rate=1", "rate=0.5"), go_on=True), name="b")
    assert [trial.number for trial in run.state.unsettled.values() if trial.lease] == [2]


def test_a_new_process_answers_what_the_old_one_did_after_points_were_added_to_the_bit() -> None:
    run, living = Run(), Optimiser()
    live_through(run, living, 5)
    assert run.state.optimiser.asking
    run.amend(Amend(points=[point(4.5)]))
    run.happen(ev.ResultArrived(at=run.state.at + 1.0, worker="w", lease="6.1", value=2.0))
    live_through(run, living, 1)
    new = Optimiser()
    new.take_all(run.history.commands)
    assert sum(isinstance(command, Ask) for command in run.history.commands) == 1
    assert new.answer().suggestions == living.answer().suggestions


def test_the_journal_says_of_which_trials_they_became_though_an_answer_came_first(stage: Stage) -> None:
    stage.hello()
    stage.conductor.inbox.leave(ev.RunPaused(at=stage.now))
    stage.turn()
    # Decided before the answer is handled.
    added = ev.PointsAdded(at=stage.now, points=({"x": 0.1, "y": 0.2},), first_trial=1, request="1-1")
    stage.answer()
    stage.conductor.inbox.leave(added)
    turn = stage.turn()
    assert [event.first_trial for event in turn.events if isinstance(event, ev.PointsAdded)] == [2]
    assert stage.scheduler.state.trials[2].parameters == {"x": 0.1, "y": 0.2}


CONDITIONAL = load_spec_text(
    """\
experiment: glued
objective: {name: drag, goal: minimise}
parameters:
  skin: {type: choice, values: [foam, wood]}
  glue: {type: float, bounds: [0, 1], when: {skin: wood}}
budget: {trials: 40}
evaluation: {evaluator: "wings:drag"}
""",
    "spec.yaml",
    None,
).spec


def test_a_setting_that_does_not_count_at_a_point_is_said_to_be_left_out() -> None:
    typed, named = ["1,skin=foam,glue=0.5", "skin=wood,glue=0.5"], {"1": {"skin": "wood", "glue": 0.2}}
    points = points_to_try(CONDITIONAL, typed, named)
    assert list(words_on_uncounted(CONDITIONAL, typed, points, named)) == [
        "--try 1,skin=foam,glue=0.5: left out, as `glue` counts only where `skin` is `wood`"
    ]
