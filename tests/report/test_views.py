"""What a person sees of a run follows from its events."""

from __future__ import annotations

from recorded_runs import SPEC, RecordedRun, always, parameters, suggested

from orchestrator.report.seen.chronicle import Chronicle
from orchestrator.report.seen.settlements import Settlements
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.transitions import Phase


def said(run: RecordedRun) -> list[str]:
    return [happening.sentence for happening in run.view().happenings]


def test_the_best_point_is_shown_with_its_units_and_its_history():
    run = RecordedRun().begin().settle(5, lambda trial: [9.0, 7.0, 8.0, 6.5, 7.5][trial - 1])
    view = run.view()
    assert (view.found.best.trial, view.found.best.value) == (4, 6.5)
    assert view.found.best.parameters[0] == ("span", "1.4 m")
    assert view.found.curve == ((1, 9.0), (2, 7.0), (4, 6.5))
    assert (view.trials.completed, view.trials.running, view.budget) == (5, 2, 20)


def test_a_trial_that_is_tried_again_has_not_failed_and_one_given_up_has():
    run = RecordedRun().begin(workers=1).settle(1, always(None))
    assert run.view().trials.failed == 0
    assert "trial 1 failed, to be tried again: error: RuntimeError: it broke" in said(run)
    run.settle(2, always(None))
    assert run.view().trials.failed == 1
    assert said(run)[-1] == "trial 1 failed for good: error: RuntimeError: it broke"


def test_what_is_withdrawn_is_not_counted_as_settled():
    run = RecordedRun(SPEC.replace('evaluator: "wings:drag"', 'approval: true, evaluator: "wings:drag"'))
    run.begin().answer_asks()
    run.happen(ev.BoundsAmended(at=2.0, bounds={"span": (1.9, 2.0)}))
    view = run.view()
    assert view.trials.abandoned == view.trials.withdrawn > 0
    assert view.trials.settled == 0


def test_every_trial_is_settled_once_whatever_ends_the_run():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 20, target: 2.0")).begin(workers=3)
    run.settle(4, lambda trial: 1.0 if trial == 4 else 5.0)
    assert run.scheduler.state.phase is Phase.FINISHED
    settlements, settled = Settlements(), []
    replayed = RecordedRun(run.spec_text)
    for event in run.events:
        replayed.scheduler.handle(event)
        settled += [trial.number for trial in settlements.take(event, replayed.scheduler.state)]
    assert sorted(settled) == list(range(1, len(run.scheduler.state.trials) + 1))
    assert any("abandoned" in sentence for sentence in said(run))


def test_a_resumed_run_has_its_curve_though_its_events_were_not_seen():
    run = RecordedRun().begin().settle(4, lambda trial: 10.0 - trial)
    before = run.view().found.curve
    run.chronicle = Chronicle(run.spec)
    run.happen(ev.RunResumed(at=run.at + 1.0, wall="2024-01-02T00:00:00"))
    view = run.view()
    assert view.found.curve == before
    assert view.lives == 2
    assert view.crew.workers == ()
    assert not any("failed" in sentence for sentence in said(run))


def test_thousands_of_trials_leave_a_view_of_bounded_size():
    run = RecordedRun(SPEC.replace("trials: 20", "trials: 3000")).begin(workers=150)
    run.settle(3000, lambda trial: 1.0 / trial, every_s=0.001)
    view = run.view()
    assert view.trials.completed == 3000
    assert len(view.found.curve) == 3000
    assert len(view.happenings) <= 60
    active = RecordedRun(SPEC.replace("trials: 20", "trials: 3000")).begin(workers=150).view()
    assert (active.crew.connected, len(active.crew.workers)) == (150, 100)


class Unread(list):
    """What nobody may go through."""

    def __iter__(self):
        raise AssertionError("expected that no result is looked at")


def test_to_look_again_at_a_run_that_nobody_amended_costs_the_same_however_many_results_it_has():
    run = RecordedRun().begin().settle(5, lambda trial: [9.0, 7.0, 8.0, 6.5, 7.5][trial - 1])
    before = run.view()
    run.scheduler.state.observed = Unread(run.scheduler.state.observed)
    assert run.view() == before


def test_known_results_count_for_the_best_and_not_for_the_budget():
    known = ev.KnownResult(parameters=parameters(1), value=2.5)
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    view = run.view()
    assert (view.found.best.value, view.found.best.trial, view.trials.settled) == (2.5, 0, 0)
    assert view.found.curve == ((0, 2.5),)
    assert suggested(1).parameters == view_parameters(run)


def view_parameters(run: RecordedRun) -> object:
    return run.scheduler.state.found.best.parameters


def test_a_known_result_that_breaks_a_constraint_is_no_best_that_trials_are_measured_by() -> None:
    known = ev.KnownResult(parameters=parameters(1), value=0.5, broken=("span < sweep",))
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    view = run.settle(1, always(3.0)).view()
    assert view.found.curve == ((1, 3.0),)
    assert any("the best so far" in happening.sentence for happening in view.happenings)
