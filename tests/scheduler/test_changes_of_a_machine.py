"""A machine whose settings take time to change: where it stands, and who it is."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import RunContinued, RunPaused
from orchestrator.scheduler.changed import changed_for
from orchestrator.scheduler.commands import Ask, Evaluate, Tell
from orchestrator.scheduler.event_parts import CHANGE, Suggested
from orchestrator.scheduler.events import TrialApproved, TrialRefused
from orchestrator.values.change import Change


def begun() -> Lab:
    """One worker, and a setting that takes a minute to change."""
    lab = Lab(policy_with(trials=9, mode="sequential", changes={"x": Change(60.0, 60.0)}, attempts=1))
    lab.start()
    lab.join("w1")
    return lab


def suggest(lab: Lab, x: float, **why: object) -> None:
    """The answer to the ask that is under way."""
    chosen = Suggested(parameters={"x": x}, why=why)
    lab.answer(chosen)


def last_ask(lab: Lab) -> Ask:
    return only(Ask, lab.commands)[-1]


def changed(lab: Lab) -> list[dict[str, float]]:
    """Of each trial, in seconds."""
    return [dict(changed_for(lab.state, trial)) for trial in lab.state.trials.values()]


def test_before_the_first_trial_nobody_knows_where_it_stands() -> None:
    assert last_ask(begun()).stands == {}


def test_every_ask_says_where_it_stands_whatever_came_of_the_trial_there() -> None:
    lab = begun()
    suggest(lab, 3.0)
    lab.succeed("1.1")
    assert last_ask(lab).stands == {"x": 3.0}
    suggest(lab, 4.0)
    lab.fail("2.1")
    assert last_ask(lab).stands == {"x": 4.0}


def test_what_was_chosen_beside_what_stays_was_not_chosen_freely() -> None:
    lab = begun()
    for trial, told in enumerate(({"takes": {"x": 60.0}}, {"spared": {"x": 60.0}}), 1):
        suggest(lab, float(trial), **{CHANGE: told})
        lab.succeed(f"{trial}.1")
    assert [told.held for told in only(Tell, lab.commands)] == [False, True]


def test_an_ask_says_how_long_the_run_may_go_on() -> None:
    lab = Lab(policy_with(trials=9, mode="sequential", time_s=50.0, changes={"x": Change(60.0, 60.0)}))
    lab.start()
    lab.join("w1")
    suggest(lab, 3.0)
    lab.succeed("1.1")
    assert [ask.left_s for ask in only(Ask, lab.commands)][-1] == 50.0 - lab.now
    assert last_ask(begun()).left_s is None


def test_the_worker_that_has_the_machine_goes_on_while_it_is_there() -> None:
    lab = begun()
    suggest(lab, 3.0)
    lab.join("w2")
    lab.succeed("1.1")
    suggest(lab, 4.0)
    assert [given.worker for given in only(Evaluate, lab.commands)] == ["w1", "w1"]


def test_what_a_trial_changes_is_known_whoever_chose_it_and_before_it_is_given_out() -> None:
    lab = Lab(policy_with(trials=9, mode="sequential", changes={"x": Change(60.0, 20.0)}, attempts=1))
    lab.start(points=tuple({"x": x} for x in (3.0, 5.0, 5.0, 4.0)))
    beforehand = changed(lab)
    lab.join("w1")
    for trial in range(1, 5):
        lab.succeed(f"{trial}.1")
    assert changed(lab) == beforehand == [{}, {"x": 60.0}, {}, {"x": 20.0}]
    assert lab.state.apparatus.changing_s == 80.0


def test_what_was_refused_before_it_was_given_out_changed_nothing() -> None:
    lab = Lab(policy_with(trials=9, mode="sequential", changes={"x": Change(60.0, 60.0)}, approval=True))
    lab.start(points=tuple({"x": x} for x in (3.0, 5.0, 3.0)))
    lab.join("w1")
    for trial in (1, 3):
        lab.happen(TrialApproved(at=lab.tick(), trial=trial))
    lab.happen(TrialRefused(at=lab.tick(), trial=2, reason="too hot"))
    lab.succeed("1.1")
    assert changed(lab) == [{}, {}, {}]
    assert lab.state.stands == {"x": 3.0}


def test_a_trial_that_is_tried_again_finds_its_settings_as_it_left_them() -> None:
    lab = Lab(policy_with(trials=9, mode="sequential", changes={"x": Change(60.0, 60.0)}, attempts=2))
    lab.start(points=tuple({"x": x} for x in (3.0, 5.0)))
    lab.join("w1")
    lab.succeed("1.1")
    lab.happen(RunPaused(at=lab.tick()))
    lab.fail("2.1")
    assert changed(lab) == [{}, {"x": 60.0}]
    lab.happen(RunContinued(at=lab.tick()))
    lab.succeed("2.2")
    assert changed(lab) == [{}, {"x": 60.0}]
