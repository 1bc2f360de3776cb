"""What a person may amend, from the words to the events; and a rebuilt optimiser that is told everything."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amended_lives import SPEC, SPEC_, Optimiser, Run, live_through, point

from orchestrator.command_line.amend_options import request_from
from orchestrator.errors import OrchestratorError
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Tell
from orchestrator.scheduler.corrections import corrections
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.load import load_spec_text


def run_with(*spans: float) -> Run:
    run = Run()
    for span in spans:
        run.trial(point(span), span)
    return run


def request(run: Run, **options: Any) -> Amend:
    """As the command line would make it."""
    names = (
        "bounds",
        "held",
        "constraints",
        "withdraw",
        "candidates",
        "travel",
        "stands",
        "change",
        "known",
        "where",
        "result",
        "points",
        "forget",
        "retry",
    )
    lists = dict.fromkeys(names, ())
    none = dict.fromkeys(("trials", "cost", "time", "target", "patience", "expected_gain", "times", "jobs"))
    told = {
        **lists,
        **none,
        "free": [],
        "block": "",
        "reason": "",
        "by": "",
        "pause": False,
        "go_on": False,
        **options,
    }
    return request_from(SimpleNamespace(**told), SPEC_, run.state)  # type: ignore[arg-type]


def test_the_spec_stays_and_what_was_amended_follows_from_the_events() -> None:
    run = run_with(2.0, 8.0)
    run.trial(point(9.0), None)
    sentence = run.amend(request(run, bounds=["span=1,5", "ribs=2,40"], trials="50", time="2 h"))
    assert "left out of the model: 1" in sentence
    assert "which may finish: 1" in sentence
    seen = amended(SPEC_, run.state)
    assert seen.parameters["span"].bounds == (1.0, 5.0)  # type: ignore[union-attr]
    assert seen.parameters["ribs"].bounds == (2, 40)  # type: ignore[union-attr]
    assert (seen.budget.trials, seen.budget.time_s) == (50, 7200.0)
    assert SPEC_.parameters["span"].bounds == (1.0, 9.0)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"bounds": ["spam=0,1"]}, "did you mean `span`"),
        ({"bounds": ["skin=0,1"]}, "got `skin`, which is choice"),
        ({"bounds": ["mach=0,1"]}, "got `mach`, which is fixed"),
        ({"bounds": ["span=5,2"]}, "swap them: 2,5"),
        ({"bounds": ["span=5,5"]}, "the same twice"),
        ({"bounds": ["span=5"]}, "expected --bounds NAME=LOW,HIGH, got span=5"),
        ({"bounds": ["span=1,inf"]}, "expected a finite number, got `inf`"),
        ({"bounds": ["ribs=1.5,4"]}, "expected whole numbers, because `ribs` is an int"),
        ({"bounds": ["ribs=1,9007199254740994"]}, "expected whole numbers of at most 2^53"),
        ({"bounds": ["rate=0,1"]}, "on a log scale"),
        ({"trials": "2"}, "at least the 3 trials that it pays for, got 2"),
        ({"trials": "many"}, "--trials: expected a whole number above 0, got many"),
        ({"trials": "0"}, "--trials: expected a whole number above 0, got 0"),
        ({"patience": "9" * 5_000}, "--patience: expected a whole number of at most 18 digits, got 5000"),
        ({"trials": "none"}, "expected at least one of trials, cost, time, target, patience"),
        ({"cost": "5"}, "expected --cost of a run whose spec has a `fidelity`"),
        ({"cost": "much"}, "expected a finite number, got `much` in --cost"),
        ({"time": "1 s"}, "expected more time than"),
        ({"time": "soon"}, "--time: expected a duration"),
        ({"target": "nan"}, "expected a finite number"),
        (
            {"held": ["skim=foam"]},
            "the name of a parameter to hold (`span`, `ribs`, `rate` or `skin`)",
        ),
        ({"held": ["skim=foam"]}, "got `skim` (did you mean `skin`?)"),
        ({"held": ["skin"]}, "expected --held NAME=VALUE, got skin"),
        ({"held": ["skin=wood"]}, "--held skin=wood: expected `foam` or `carbon` for `skin`, got `wood`"),
        ({"held": ["skin=none"]}, "got `none`; to have it chosen again: --free skin"),
        ({"held": ["skin=foam", "skin=carbon"]}, "expected --held of each parameter once, got `skin` again"),
        ({"held": ["mach=0.8"]}, "got `mach`, which is fixed"),
        ({"held": ["span=20"]}, "--held span=20: expected a number in [1, 9] for `span`, got 20"),
        (
            {"held": ["span=2"], "bounds": ["span=3,9"]},
            "--held span=2: expected a number in [3, 9] for `span`, got 2",
        ),
        (
            {"held": ["span=2", "ribs=3", "rate=1", "skin=foam"]},
            "expected at least one parameter that is not held",
        ),
        ({"free": ["skim"]}, "expected a parameter that is held (none is) to let go, got `skim`"),
        ({"constraints": ["drag <= 3"]}, "got the objective, `drag`; what is good enough of it is a target"),
        ({"held": ["skin=foam"], "expected_gain": "0.1"}, "what is left to gain is not estimated there"),
        ({"forget": [2]}, "--reason"),
        ({"forget": [9], "reason": "x"}, "expected a trial from 1 to 3, got 9"),
        (
            {"forget": [3], "reason": "x"},
            "expected a trial that has a value, has failed or was stopped, got trial 3, which is running",
        ),
        ({"result": ["span=2,ribs=3"]}, "value"),
        (
            {"result": ["span=20,ribs=3,rate=1,skin=foam,value=1"]},
            "--result:1:6: expected a number in [1, 9]",
        ),
        ({"result": ["span=2,ribs=3,rate=1,skin=wood,value=1"]}, "`foam` or `carbon` for `skin`"),
        ({"result": ["span=2,wood"]}, "expected NAME=VALUE"),
        ({}, "expected something to amend"),
    ],
)
def test_what_makes_no_sense_is_answered_with_what_was_expected(options: dict[str, Any], why: str) -> None:
    run = run_with(2.0, 8.0)
    run.trial(point(9.0), None)
    with pytest.raises(OrchestratorError) as refused:
        run.amend(request(run, **options))
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ({"value": math.inf}, "known result 2: expected a finite value, got inf"),
        ({"value": 1.0, "variance": -1.0}, "known result 2: expected a variance of at least 0, got -1.0"),
    ],
)
def test_a_known_result_that_cannot_be_used_is_refused_however_it_was_left(
    result: dict[str, float], why: str
) -> None:
    run = run_with(2.0)
    given = [{"value": 1.0}, result]
    with pytest.raises(OrchestratorError, match=why):
        run.amend(Amend(results=[ev.KnownResult(parameters=point(3.0), **one) for one in given]))


def test_what_is_held_may_lie_where_the_bounds_of_the_same_amendment_or_one_before_allow() -> None:
    run = run_with(2.0)
    run.amend(request(run, bounds=["span=1,20"], held=["span=15"]), name="a")
    run.amend(request(run, held=["span=18"]), name="b")
    assert run.state.policy.where.held == {"span": 18.0}


def test_a_trial_is_not_forgotten_twice() -> None:
    run = run_with(2.0, 8.0)
    assert "what came of trial 2 is forgotten" in run.amend(Amend(forget=[2, 2], reason="unplugged"))
    said = run.amend(Amend(forget=[1, 2], reason="again"), name="b")
    assert said.endswith(
        "trial 1 is forgotten, and the model learns anew without it; trial 2 is forgotten already: unplugged"
    )
    assert [trial.forgotten for trial in run.state.observed] == ["again", "unplugged"]


@pytest.mark.parametrize(
    ("before", "again", "said"),
    [
        (None, Amend(paused=False), "the run is not paused"),
        (Amend(paused=True), Amend(paused=True, reason="lunch"), "the run is paused already"),
        (Amend(forget=[2], reason="wet"), Amend(forget=[2], reason="x"), "trial 2 is forgotten already: wet"),
        (Amend(constraints=["span <= 9"]), Amend(constraints=["span <= 9"]), "`span <= 9` holds already"),
        (
            None,
            Amend(paused=False, budgets=Budgets(trials=50)),
            "the budget is amended: trials 50; the run is not paused",
        ),
    ],
    ids=["not paused", "paused", "forgotten", "holds", "beside another"],
)
def test_what_is_so_already_is_said_and_changes_nothing(
    before: Amend | None, again: Amend, said: str
) -> None:
    run = run_with(2.0, 8.0)
    if before is not None:
        run.amend(before, name="before")
    model = run.state.optimiser.model
    assert run.amend(again, name="again") == said
    assert run.state.optimiser.model == model


def test_what_was_forgotten_before_can_still_be_told_anew_once() -> None:
    run = run_with(2.0, 8.0)
    run.amend(Amend(forget=[2], reason="unplugged"))
    anew = ev.KnownResult(parameters=point(8.0), value=7.0)
    elsewhere = ev.KnownResult(parameters=point(7.0), value=7.0)
    with pytest.raises(OrchestratorError, match="forgotten already: unplugged"):
        run.amend(Amend(results=[elsewhere], forget=[2], reason="mistyped"), name="b")
    run.amend(Amend(results=[anew], forget=[2], reason="mistyped"), name="c")
    assert corrections(run.state)[2].value == 7.0
    with pytest.raises(OrchestratorError, match="already: unplugged; what it was corrected to: --forget 0"):
        run.amend(Amend(results=[anew], forget=[2], reason="mistyped"), name="d")


def test_of_a_forgotten_failure_a_new_process_is_told_nothing() -> None:
    run = run_with(2.0)
    run.trial(point(8.0), None)
    for attempt in (1, 2, 3):
        run.happen(ev.FailureArrived(at=2.0, worker="w", lease=f"2.{attempt}", kind="error", message="wet"))
    assert [fact.trial for fact in run.history.commands if isinstance(fact, Tell)] == [1, 2]
    run.amend(Amend(forget=[2], reason="unplugged"))
    assert [fact.trial for fact in run.history.commands if isinstance(fact, Tell)] == [1]


def test_a_value_forgotten_before_is_not_counted_among_those_that_narrower_bounds_leave_out() -> None:
    run = run_with(2.0, 7.0, 8.0)
    run.amend(Amend(forget=[3], reason="unplugged"))
    assert "left out of the model: 1" in run.amend(request(run, bounds=["span=1,5"]), name="b")


def test_results_may_lie_where_the_bounds_of_the_same_amendment_allow(tmp_path: Path) -> None:
    run = run_with(2.0)
    table = tmp_path / "others.csv"
    table.write_text("span,ribs,rate,skin,drag\n12,3,0.5,carbon,0.25\n")
    run.amend(request(run, bounds=["span=1,20"], known=[str(table)]))
    assert run.state.found.best.value == 0.25
    assert run.state.found.best.parameters["mach"] == 0.8


def test_results_that_are_taken_for_exact_are_counted_where_noise_is_reported() -> None:
    spec = load_spec_text(
        SPEC.replace("goal: minimise", "goal: minimise, noise: reported"), "s.yaml", None
    ).spec
    told = ["span=2,ribs=3,rate=1,skin=foam,value=1", "span=3,ribs=3,rate=1,skin=foam,value=1,variance=0.5"]
    assert read_added_results(spec, [], told)[1] == [
        "1 of 2 known results have no `variance`, and count as exact: `noise` is `reported`"
    ]
    assert read_added_results(SPEC_, [], told[:1])[1] == []


@pytest.mark.parametrize("skin", ["-march=native", "0,1", "/data/a=b,c"])
def test_a_result_may_name_a_choice_that_has_an_equals_sign_or_a_comma_in_it(skin: str) -> None:
    spec = load_spec_text(SPEC.replace("[foam, carbon]", f'[foam, "{skin}"]'), "s.yaml", None).spec
    results, _ = read_added_results(spec, [], [f"span=2,skin={skin},ribs=3,rate=1,value=1"])
    assert results[0].parameters["skin"] == skin


def test_an_error_in_a_file_of_results_is_shown_at_its_place(tmp_path: Path) -> None:
    table = tmp_path / "others.csv"
    table.write_text("span,ribs,rate,skin,drag\n3,3,0.5,carbon,0.25\n12,3,0.5,carbon,0.25\n")
    with pytest.raises(OrchestratorError, match=r"others\.csv:3:1: expected a number in \[1, 9\]"):
        request(run_with(2.0), known=[str(table)])


def test_a_request_half_of_which_is_on_disk_is_taken_up_where_it_was_left() -> None:
    run = run_with(2.0, 8.0)
    both = Amend(budgets=Budgets(trials=60), forget=[2], reason="unplugged")
    decided = decide_amendment(both, SPEC_, run.state, 9.0, "a")
    run.happen(decided.events[-1])
    again = decide_amendment(both, SPEC_, run.state, 10.0, "a")
    assert [type(event).__name__ for event in again.events] == ["BudgetAmended"]


# -- the optimiser begins anew ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "amendment",
    [
        Amend(bounds={"span": (0.5, 20.0), "ribs": (1, 60)}),
        Amend(results=[ev.KnownResult(parameters=point(3.1), value=0.09)]),
        Amend(held={"skin": "carbon"}),
        Amend(held={"span": 3.3, "ribs": 9}),
        Amend(bounds={"span": (2.0, 5.0)}, forget=[5], reason="unplugged", budgets=Budgets(trials=99)),
    ],
    ids=["wider", "added", "held", "a number held", "narrower, and one forgotten"],
)
def test_a_new_process_answers_what_the_old_one_did_after_an_amendment_to_the_bit(amendment: Amend) -> None:
    run, living = Run(), Optimiser()
    live_through(run, living, 5)
    assert run.state.optimiser.refits
    run.amend(amendment)
    for _ in range(2):
        live_through(run, living, 1)
        new = Optimiser()
        new.take_all(run.history.commands)
        assert new.answer().ask == living.answer().ask
        assert new.answer().suggestions == living.answer().suggestions


def test_the_model_within_new_bounds_is_fitted_anew_and_has_a_say() -> None:
    run, living = Run(), Optimiser()
    live_through(run, living, 5)
    run.amend(Amend(bounds={"span": (0.9, 20.0)}))
    assert run.state.optimiser.refits == 0
    live_through(run, living, 1)
    assert run.state.optimiser.refits == 1
    assert living.answer().suggestions[0].why["source"] == "model"


def test_a_budget_of_as_many_trials_as_were_made_asks_for_no_more() -> None:
    run = run_with(2.0, 8.0)
    run.trial(point(3.0), None)
    with pytest.raises(OrchestratorError, match=r"to have no more, say --trials 3$"):
        run.amend(request(run, trials="2"))
    assert run.amend(request(run, trials="3")) == "the budget is amended: trials 3"


def test_of_trials_outside_narrower_bounds_those_that_wait_are_told_from_those_that_run() -> None:
    run = run_with(2.0)
    run.trial(point(8.0), None)
    run.happen(ev.WorkerLeft(at=9.0, worker="w", lost=False))
    sentence = run.amend(request(run, bounds=["span=1,5"]))
    assert "queued trials outside, which are abandoned: 1" in sentence
    assert "running" not in sentence
