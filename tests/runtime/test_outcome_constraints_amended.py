"""Constraints on outcomes that are added to a run, or withdrawn: of what is known at once, of the rest as it
comes.
"""

from __future__ import annotations

from typing import Any

import pytest
from amended_lives import SPEC, Optimiser, Run, point

from orchestrator.errors import OrchestratorError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.without_best import why_no_best
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.corrected_records import correcting
from orchestrator.runtime.requests.decided_before import by_now
from orchestrator.runtime.requests.kinds import Amend, Budgets, Record
from orchestrator.runtime.results.wanted_results import WantedNow, WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.words.story import amendment_sentence
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

HOT, COOL = "heat <= 80", "heat <= 60"
AUTO = SPEC.replace("gp-ucb", "auto")
SPEC_ = load_spec_text(f"{AUTO}outcomes: [heat]\nconstraints: [{HOT}]\n", "spec.yaml", None).spec
FREE = load_spec_text(f"{AUTO}outcomes: [heat]\n", "spec.yaml", None).spec


def came(run: Run, value: float, heat: float) -> ev.ResultArrived:
    """The next trial is evaluated, and judged as the constraints are by now."""
    run.trial(point(2.0 + len(run.state.trials)), None)
    number = len(run.state.trials)
    result: Any = ev.ResultArrived(
        at=run.state.at + 1.0, worker="w", lease=f"{number}.1", value=value, extras={"heat": heat}
    )
    wanted = WantedNow(run.spec).under(run.state.amended.constraints)
    return wanted.judged(result, run.state.trials[number].parameters)


def run_of(spec: Spec = SPEC_, heats: tuple[float, ...] = (90.0, 70.0, 50.0)) -> Run:
    """The hotter, the better: values of 1, 2, 3."""
    run = Run(spec)
    for value, heat in enumerate(heats, start=1):
        run.happen(came(run, float(value), heat))
    return run


def test_what_is_known_is_judged_at_once_and_what_comes_by_what_holds_then() -> None:
    run = run_of()
    assert run.state.found.best.number == 2
    sentence = run.amend(Amend(constraints=[COOL], withdrawn=[HOT]))
    assert sentence == (
        "the constraints are amended: with `heat <= 60`, without `heat <= 80`; values that break them, which"
        " are still learned from, and no best: 2"
    )
    assert run.state.found.best.number == 3
    assert [trial.broken for trial in run.state.observed] == [(COOL,), (COOL,), ()]
    assert amended(SPEC_, run.state).constraints == [COOL]
    assert amendment_words(SPEC_, run.state) == (
        "with `heat <= 60`, without `heat <= 80`",
        "2 values beyond what was added, learned from, and no best",
    )
    run.happen(came(run, 0.5, 75.0))
    assert (run.state.observed[-1].broken, run.state.found.best.number) == ((COOL,), 3)
    assert amendment_words(SPEC_, run.state)[1].startswith("3 values beyond what was added")
    run.amend(Amend(withdrawn=[COOL]), name="b")
    assert (run.state.found.best.number, [trial.broken for trial in run.state.observed]) == (4, [()] * 4)
    assert why_no_best(run.state) is None


def test_a_run_whose_outcomes_were_free_so_far_has_its_first_constraint() -> None:
    run = run_of(FREE)
    assert run.state.found.best.number == 1
    run.amend(Amend(constraints=[HOT]))
    assert run.state.found.best.number == 2


def test_the_model_learns_of_those_that_hold_by_then_and_so_does_the_next_life() -> None:
    for spec, request in ((FREE, Amend(constraints=[HOT])), (SPEC_, Amend(withdrawn=[HOT]))):
        run, optimiser = run_of(spec), Optimiser(spec)
        run.amend(request)
        optimiser.take_all(run.history.commands)
        slacks = optimiser._server._algorithm._history.slacks  # type: ignore[attr-defined]
        assert slacks.shape == (3, len(amended(spec, run.state).constraints))


def test_what_failed_or_is_forgotten_breaks_nothing_and_what_runs_may_go_on() -> None:
    run = run_of()
    run.amend(Amend(forget=[1], reason="the sensor was unplugged"), name="f")
    run.trial(point(8.0), None)
    run.happen(ev.TrialRefused(at=90.0, trial=4, reason="too long"))
    run.trial(point(9.0), None)
    run.amend(Amend(constraints=[COOL]))
    assert [trial.number for trial in run.state.observed if COOL in trial.broken] == [1, 2]
    assert run.state.trials[5].lease == "5.1"


def test_a_result_of_the_same_turn_is_judged_by_what_was_amended_before_it() -> None:
    run = run_of()
    result = came(run, 0.5, 75.0)
    asked = Amend(constraints=[COOL], by="Ada", reason="the glue softens")
    (event,) = decide_amendment(asked, SPEC_, run.state, 99.0, "a").events
    assert amendment_sentence(event) == (
        "the constraints were amended by Ada: with `heat <= 60` (the glue softens)"
    )
    assert isinstance(event, ev.ConstraintsAmended)
    # The amendment came first: the result was judged before it took effect.
    run.happen(event)
    judged = by_now(result, [event], SPEC_, run.state)
    assert isinstance(judged, ev.ResultArrived)
    assert judged.broken == (COOL,)
    # The result came first: the amendment was decided without it.
    other = run_of()
    other.happen(came(other, 0.5, 75.0))
    now = by_now(event, [result], SPEC_, other.state)
    assert isinstance(now, ev.ConstraintsAmended)
    assert now.added == {COOL: (1, 2, 4)}


def test_what_is_typed_in_anew_is_judged_by_what_holds_now() -> None:
    spec = load_spec_text(
        f"{AUTO}outcomes: [heat]\nconstraints: [{HOT}]\n".replace("wings:drag", "person"), "s.yaml", None
    ).spec
    run = run_of(spec)
    run.amend(Amend(constraints=[COOL]))
    (result,) = correcting([Record(3, 0.1, extras={"heat": 65.0})], spec, run.state).results
    assert result.broken == (COOL,)
    wanted = WantedResults.of(spec, run.state.amended.constraints)
    assert wanted.broken(point(1.0), {"heat": 65.0}, 1.0) == (COOL,)


def test_known_results_that_were_read_before_are_judged_by_what_holds_when_they_are_added() -> None:
    run = run_of()
    known = [
        ev.KnownResult(parameters=point(3.0), value=0.1, outcomes={"heat": heat}) for heat in (50.0, 70.0)
    ]
    run.amend(Amend(constraints=[COOL], withdrawn=[HOT]))
    run.amend(Amend(results=known), name="b")
    assert [trial.broken for trial in run.state.observed[-2:]] == [(), (COOL,)]


def test_what_was_evaluated_before_uses_up_no_patience_and_what_comes_does() -> None:
    run = run_of(heats=(50.0, 90.0, 90.0, 90.0))
    run.amend(Amend(constraints=[COOL], budgets=Budgets(patience=2)))
    assert (run.state.found.since_best, run.state.end.why) == (0.0, "")
    run.happen(came(run, 0.1, 75.0))
    assert run.state.found.since_best == 1.0


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (Amend(constraints=["haet <= 60"]), "got `haet` (did you mean `heat`?)"),
        (Amend(constraints=["noise <= 60"]), "another outcome is for a run of its own"),
        (Amend(constraints=["drag <= 60"]), "what is good enough of it is a target: --target"),
        (Amend(withdrawn=["heat <= 70"]), "a constraint that holds (`heat <= 80`) to withdraw"),
        (Amend(constraints=["skin <= heat"]), "expected parameters that are numbers, got `skin`"),
    ],
    ids=["name", "unknown", "objective", "not there", "no number"],
)
def test_what_cannot_be_is_refused(request_: Amend, why: str) -> None:
    with pytest.raises(OrchestratorError) as refused:
        run_of().amend(request_)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        (f"{AUTO}blocks: plate\n", "blocks"),
        (AUTO.replace("bounds: [1, 9]", "bounds: [1, 9], tolerance: 0.1"), "tolerance"),
    ],
)
def test_it_is_refused_beside_what_a_spec_refuses_it_beside(text: str, beside: str) -> None:
    run = Run(load_spec_text(f"{text}outcomes: [heat]\n", "s.yaml", None).spec)
    with pytest.raises(OrchestratorError, match=f"no constraints on outcomes beside `{beside}`"):
        run.amend(Amend(constraints=[HOT]))


def test_what_is_left_to_gain_is_not_estimated_with_it() -> None:
    text = AUTO.replace("{trials: 40}", "{trials: 40, expected_gain: 0.1}")
    run = run_of(load_spec_text(f"{text}outcomes: [heat]\n", "s.yaml", None).spec)
    with pytest.raises(OrchestratorError, match="lift it as well: --expected-gain none"):
        run.amend(Amend(constraints=[HOT]))
    run.amend(Amend(constraints=[HOT], budgets=Budgets(lifted=("expected_gain",))))
    with pytest.raises(OrchestratorError, match="no `expected_gain` beside constraints on outcomes"):
        run.amend(Amend(budgets=Budgets(expected_gain=0.2)), name="b")
    run.amend(Amend(withdrawn=[HOT], budgets=Budgets(expected_gain=0.2)), name="c")
    assert run.state.policy.budget.expected_gain == 0.2


def test_of_several_objectives_the_first_may_be_limited_while_the_run_goes_on() -> None:
    goals = "objectives: [{name: drag, goal: minimise}, {name: heat, goal: minimise}]"
    text = AUTO.replace("objective: {name: drag, goal: minimise}", goals)
    run = run_of(load_spec_text(text, "spec.yaml", None).spec)
    assert [trial.number for trial in run.state.found.front] == [1, 2, 3]
    sentence = run.amend(Amend(constraints=["drag <= 1.5"]))
    assert sentence.endswith("values that break them, which are still learned from, and no best: 2")
    assert [trial.number for trial in run.state.found.front] == [1]
    run.happen(came(run, 1.6, 20.0))
    assert run.state.observed[-1].broken == ("drag <= 1.5",)
    run.happen(came(run, 1.4, 20.0))
    assert [trial.number for trial in run.state.found.front] == [1, 5]
