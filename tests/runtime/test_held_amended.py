"""Where parameters are held, amended: the words, the events, and an optimiser that keeps to it."""

from __future__ import annotations

from typing import Any

import pytest
from amended_lives import SPEC, Optimiser, Run, live_through, point

from orchestrator.errors import OrchestratorError
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.optimiser.messages import Stock
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Rebuild, TakeStock
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec


def spec_of(more: str = "", **instead: str) -> Spec:
    """The run's spec with lines in the place of others, and ``more``."""
    lines = [instead.pop(line.partition(":")[0], line) for line in SPEC.splitlines()]
    return load_spec_text("\n".join([*lines, more, ""]), "spec.yaml", None).spec


HELD = spec_of("held: {skin: foam}")


def held_run() -> Run:
    """Two trials were at foam, and a third runs there."""
    run = Run(HELD)
    for span, value in ((2.0, 2.0), (8.0, 8.0), (9.0, None)):
        run.trial(point(span), value)
    return run


def suggested(optimiser: Optimiser) -> dict[str, Any]:
    return dict(optimiser.answer().suggestions[0].parameters)


def test_what_follows_is_said_and_the_spec_stays() -> None:
    run = held_run()
    sentence = run.amend(Amend(held={"skin": "carbon"}))
    assert sentence == (
        "what is held is amended: skin = carbon; values elsewhere, which are still learned from, and"
        " no best: 2; running trials elsewhere, which may finish: 1"
    )
    assert (amended(HELD, run.state).held, HELD.held) == ({"skin": "carbon"}, {"skin": "foam"})
    assert run.amend(Amend(free=["skin"]), name="b") == "what is held is amended: skin chosen again"
    assert run.amend(Amend(free=["skin"]), name="c") == "`skin` is chosen already"
    assert run.state.policy.where.held == {}


def test_what_trials_of_a_round_share_is_not_all_that_is_left_to_choose() -> None:
    run = Run(spec_of(mode="mode: {synchronous: 2, sharing: [span]}"))
    run.amend(Amend(held={"skin": "foam", "ribs": 9}))
    with pytest.raises(OrchestratorError, match="do not share: all of them would be alike"):
        run.amend(Amend(held={"rate": 0.1}), name="b")
    run.amend(Amend(held={"rate": 0.1}, free=["ribs"]), name="c")


def test_trials_that_wait_are_told_from_those_that_run() -> None:
    run = held_run()
    run.happen(ev.WorkerLeft(at=9.0, worker="w", lost=False))
    assert "queued trials elsewhere, which are abandoned: 1" in run.amend(Amend(held={"skin": "carbon"}))


def test_bounds_may_leave_out_what_the_same_amendment_holds_no_longer() -> None:
    run = Run(spec_of("held: {span: 2}"))
    with pytest.raises(OrchestratorError, match="expected bounds around what it is held at, span = 2"):
        run.amend(Amend(bounds={"span": (4.0, 9.0)}))
    run.amend(Amend(bounds={"span": (4.0, 9.0)}, held={"span": 5.0}))
    assert run.state.policy.where.held == {"span": 5.0}
    run.amend(Amend(bounds={"span": (6.0, 9.0)}, free=["span"]), name="b")
    assert (run.state.policy.where.held, run.state.amended.bounds) == ({}, {"span": (6.0, 9.0)})


def test_the_model_begins_anew_within_bounds_that_leave_out_what_the_spec_held_once() -> None:
    spec = spec_of("held: {span: 2}")
    run, optimiser = Run(spec), Optimiser(spec)
    live_through(run, optimiser, 2)
    run.amend(Amend(free=["span"]), name="a")
    run.amend(Amend(bounds={"span": (4.0, 9.0)}), name="b")
    live_through(run, optimiser, 2)
    run.amend(Amend(held={"span": 5.0}), name="c")
    live_through(run, optimiser, 1)
    assert run.state.trials[5].parameters["span"] == 5.0


def test_what_is_held_lies_within_the_bounds_as_they_are_amended() -> None:
    run = Run(HELD)
    run.amend(Amend(bounds={"span": (1.0, 20.0)}), name="a")
    run.amend(Amend(held={"span": 15.0}), name="b")
    run.amend(Amend(bounds={"span": (1.0, 40.0)}, held={"span": 30.0}), name="c")
    assert run.state.policy.where.held == {"skin": "foam", "span": 30.0}
    with pytest.raises(OrchestratorError, match=r"a number in \[1, 40\] for `span`, got 50"):
        run.amend(Amend(held={"span": 50.0}), name="d")
    run.amend(Amend(bounds={"span": (1.0, 5.0)}, held={"span": 3.0}), name="e")
    with pytest.raises(OrchestratorError, match=r"a number in \[1, 5\] for `span`, got 8"):
        run.amend(Amend(held={"span": 8.0}), name="f")


@pytest.mark.parametrize(
    ("spec", "request_", "why"),
    [
        (
            spec_of(algorithm="algorithm: turbo"),
            Amend(held={"skin": "foam"}),
            "got `turbo`; choose one of those",
        ),
        (
            spec_of(constraints="", more="constraints: [span + ribs <= 12]"),
            Amend(held={"ribs": 20}),
            "no point was found that satisfies `span + ribs <= 12` where `ribs` is 20",
        ),
        (HELD, Amend(held={"skin": "foam"}, free=["skin"]), "expected `skin` to be held or let go, got both"),
        (HELD, Amend(held={"ribs": "many"}), "for `ribs`, got `many`"),
        (HELD, Amend(budgets=Budgets(expected_gain=0.1)), "no `expected_gain` beside `held`"),
        (
            spec_of(budget="budget: {expected_gain: 0.1}"),
            Amend(held={"skin": "foam"}),
            "not estimated there; lift it as well: --expected-gain none",
        ),
    ],
    ids=["algorithm", "constraints", "both", "no value of its own", "gain", "gain before"],
)
def test_what_cannot_be_is_refused_however_it_was_left(spec: Spec, request_: Amend, why: str) -> None:
    run = Run(spec)
    with pytest.raises(OrchestratorError) as refused:
        run.amend(request_)
    assert why in str(refused.value)


def test_what_was_found_beside_the_loop_holds_only_for_what_is_held_by_then() -> None:
    run = held_run()
    request = Amend(held={"ribs": 9})
    judged = rehearse(request, HELD, Beforehand.of(run.state))
    assert judged is not None
    assert judged.answers(request, run.state)
    run.amend(Amend(free=["skin"]))
    assert not judged.answers(request, run.state)
    assert decide_amendment(request, HELD, run.state, 99.0, "b", judged).events


def test_what_waits_to_be_taken_up_is_said() -> None:
    words = request_words(Amend(held={"skin": "carbon"}, free=["ribs"], by="ada"))
    assert words == "to be amended, by ada: skin = carbon, ribs chosen again"


def test_the_start_design_and_the_model_keep_to_it_and_know_nothing_else() -> None:
    run, optimiser = Run(HELD), Optimiser(HELD)
    live_through(run, optimiser, 7)
    assert {trial.parameters["skin"] for trial in run.state.trials.values()} == {"foam"}
    assert run.state.optimiser.refits
    assert optimiser.answer().insight["fixed"] == ["skin"]
    assert optimiser.answer().suggestions[0].why["source"] == "model"


def test_amended_to_where_nothing_was_tried_it_goes_by_what_was_learned_elsewhere() -> None:
    run, optimiser = Run(HELD), Optimiser(HELD)
    live_through(run, optimiser, 6)
    run.amend(Amend(held={"skin": "carbon"}))
    live_through(run, optimiser, 2)
    assert [trial.parameters["skin"] for trial in run.state.trials.values()] == ["foam"] * 6 + ["carbon"] * 2
    assert "fixed" not in optimiser.answer().insight
    assert optimiser.answer().suggestions[0].why["source"] == "model"
    run.amend(Amend(free=["skin"]), name="b")
    live_through(run, optimiser, 1)


def test_at_the_end_the_trial_that_is_believed_best_is_one_where_it_is_held_by_then() -> None:
    spec = spec_of("held: {skin: foam}", objective="objective: {name: drag, goal: minimise, noise: 0.3}")
    run, optimiser = Run(spec), Optimiser(spec)
    live_through(run, optimiser, 6)
    run.amend(Amend(held={"skin": "carbon"}))
    live_through(run, optimiser, 3)

    def believed_at(skin: str) -> dict[str, Any]:
        optimiser.take_all([TakeStock(held={"skin": skin})])
        stock = optimiser.replies[-1]
        assert isinstance(stock, Stock)
        return dict(stock.insight["believed_best"])

    foam, carbon = believed_at("foam"), believed_at("carbon")
    assert (foam["trial"] <= 6, carbon["trial"] > 6) == (True, True)
    for believed in (foam, carbon):
        trial = run.state.trials[believed["trial"]]
        assert believed["predicted"]["mean"] == pytest.approx(trial.value, abs=1.5)


def test_a_number_comes_as_it_is_held_whatever_grid_it_is_rounded_to() -> None:
    spec = spec_of("held: {rate: 0.0123}")
    run, optimiser = Run(spec), Optimiser(spec)
    added = ev.KnownResult(parameters={**point(3.0), "rate": 0.5}, value=1.0)
    run.amend(Amend(results=[added]))
    live_through(run, optimiser, 3)
    assert "fixed" not in optimiser.answer().insight
    assert [trial.parameters["rate"] for trial in run.state.trials.values()] == [0.0123] * 3


def test_a_known_value_that_was_rounded_elsewhere_is_one_where_it_is_held() -> None:
    spec = spec_of("held: {rate: 0.5}")
    run, optimiser = Run(spec), Optimiser(spec)
    known = ev.KnownResult(parameters={**point(3.0), "rate": 0.500000000001}, value=-9.0)
    run.amend(Amend(results=[known]))
    live_through(run, optimiser, 2)
    assert optimiser.answer().insight["fixed"] == ["rate"]
    assert run.state.found.best.value == -9.0


def test_where_its_rounding_would_break_a_constraint_it_comes_rounded() -> None:
    spec = spec_of("held: {span: 3.3}\nconstraints: [span + 10 * rate <= 3.4, rate >= 0.0099999999]")
    run, optimiser = Run(spec), Optimiser(spec)
    run.amend(Amend(results=[ev.KnownResult(parameters=point(3.0), value=1.0)]))
    live_through(run, optimiser, 3)
    for trial in run.state.trials.values():
        assert trial.parameters["span"] + 10 * trial.parameters["rate"] <= 3.4
        assert run.state.where_held(trial.parameters)


@pytest.mark.parametrize(
    ("algorithm", "more"),
    [("gp-ucb", "constraints: [span <= 8]"), ("dumbo", "factors: [[span], [ribs, rate, skin]]")],
    ids=["a constraint on what is held alone", "a factor of what is held alone"],
)
def test_what_cannot_do_without_it_is_asked_for_that_part_of_the_whole(algorithm: str, more: str) -> None:
    spec = spec_of(f"held: {{span: 3}}\n{more}", algorithm=f"algorithm: {algorithm}")
    optimiser = Optimiser(spec)
    run = Run(spec)
    live_through(run, optimiser, 2)
    assert {trial.parameters["span"] for trial in run.state.trials.values()} == {3.0}
    assert "fixed" not in optimiser.answer().insight
    assert not any(isinstance(command, Rebuild) for command in run.history.commands)


def test_parameters_that_count_by_what_is_held_count_or_do_not() -> None:
    parameters = (
        "parameters: {skin: {type: choice, values: [foam, carbon]}, span: {type: float, bounds: [1, 9]},"
        " ribs: {type: int, bounds: [2, 30], when: {skin: carbon}, otherwise: 2}}"
    )
    text = SPEC[: SPEC.index("parameters")] + parameters + "\n" + SPEC[SPEC.index("algorithm") :]
    spec = load_spec_text(text.replace("gp-ucb", "auto") + "held: {skin: foam}\n", "s.yaml", None).spec
    run, optimiser = Run(spec), Optimiser(spec)
    optimiser.take_all(run.drained())
    assert set(suggested(optimiser)) == {"skin", "span"}
    run.trial(suggested(optimiser), 1.0)
    run.amend(Amend(held={"skin": "carbon"}))
    optimiser.take_all(run.drained())
    assert set(suggested(optimiser)) == {"skin", "span", "ribs"}
    with pytest.raises(OrchestratorError, match="hold `skin` as well"):
        run.amend(Amend(held={"ribs": 3}, free=["skin"]), name="b")


def test_something_is_left_that_trials_of_a_round_do_not_share() -> None:
    run = Run(spec_of(mode="mode: {synchronous: 3, sharing: [span]}"))
    with pytest.raises(OrchestratorError, match="parameter that trials of a round do not share"):
        run.amend(Amend(held={"skin": "foam", "ribs": 4, "rate": 0.1}))
