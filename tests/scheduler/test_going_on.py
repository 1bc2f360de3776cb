"""Trials that go on from what an earlier one of the same settings left: to whom they go, and what is told."""

from __future__ import annotations

import pytest
from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import ObservationsForgotten, ValuesAmended
from orchestrator.scheduler.commands import Evaluate, Tell
from orchestrator.scheduler.event_parts import ReadAnew, Suggested, ValuedAnew
from orchestrator.scheduler.events import ResultArrived, WorkerLeft
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial

FEW = Suggested(parameters={"rate": 0.1, "steps": 10}, cost=0.25)
MORE = Suggested(parameters={"rate": 0.1, "steps": 40}, cost=0.75, continues=1)


def begun(*workers: str) -> Lab:
    """A lab with workers, of which none has anything to do: the first trial is asked for."""
    lab = Lab(policy_with(cost=3.0, full={"steps": 40}, mode="sequential"))
    lab.start()
    for worker in workers or ("w1",):
        lab.join(worker)
    return lab


def suggest(lab: Lab, *suggested: Suggested) -> list[Evaluate]:
    """The answer to the ask that is under way."""
    return only(Evaluate, lab.answer(*suggested))


def test_a_worker_is_told_which_trial_it_goes_on_from_and_the_budget_pays_the_difference() -> None:
    lab = begun()
    (few,) = suggest(lab, FEW)
    assert few.continues == 0
    lab.succeed(few.lease, 3.0)
    (more,) = suggest(lab, MORE)
    assert more.continues == 1
    assert lab.state.tally.spent == 1.0
    event = ResultArrived(at=lab.tick(), worker="w1", lease=more.lease, value=1.0, continued=True)
    (told,) = only(Tell, lab.happen(event))
    assert (told.continues, told.began_anew, told.cost) == (1, False, 0.75)
    assert lab.state.trials[2].continued


@pytest.mark.parametrize(("by", "began_anew"), [("", True), ("Ada", False)])
def test_the_optimiser_is_told_what_began_from_nothing_unless_a_person_did_it(
    by: str, began_anew: bool
) -> None:
    lab = begun()
    (few,) = suggest(lab, FEW)
    lab.succeed(few.lease, 3.0)
    (more,) = suggest(lab, MORE)
    event = ResultArrived(at=lab.tick(), worker="w1", lease=more.lease, value=1.0, by=by)
    (told,) = only(Tell, lab.happen(event))
    assert told.began_anew == began_anew


def test_where_a_value_is_read_of_what_failed_nobody_knows_from_what_it_began() -> None:
    lab = begun()
    (few,) = suggest(lab, FEW)
    lab.succeed(few.lease, 3.0)
    (more,) = suggest(lab, MORE)
    while again := [one for one in only(Evaluate, lab.fail(more.lease)) if one.trial == 2]:
        (more,) = again
    read = ValuedAnew(trial=2, value=1.0, read=ReadAnew())
    told = only(Tell, lab.happen(ValuesAmended(at=lab.tick(), output={"json": "loss"}, anew=(read,))))
    assert [(one.trial, one.value, one.began_anew) for one in told] == [(1, 3.0, False), (2, 1.0, False)]


def test_another_attempt_goes_on_from_the_same_trial() -> None:
    lab = begun()
    (few,) = suggest(lab, FEW)
    lab.succeed(few.lease, 3.0)
    (more,) = suggest(lab, MORE)
    (again,) = only(Evaluate, lab.fail(more.lease))
    assert (again.trial, again.attempt, again.continues) == (2, 2, 1)


def test_it_goes_to_the_worker_that_has_what_was_left_where_that_is_free() -> None:
    lab = begun("w1", "w2", "w3")
    assert lab.state.optimiser.asking == 1
    (few,) = suggest(lab, FEW)
    lab.succeed(few.lease, 3.0, worker=few.worker)
    # Whoever has been idle for longest would be the next.
    assert next(iter(lab.state.crew.idle)) != few.worker
    (more,) = suggest(lab, MORE)
    assert more.worker == few.worker
    (again,) = only(Evaluate, lab.happen(WorkerLeft(at=lab.tick(), worker=more.worker, lost=False)))
    assert (again.worker != few.worker, again.continues) == (True, 1), "nobody waits for it"


def test_what_is_not_believed_is_not_gone_on_from() -> None:
    lab = begun()
    (few,) = suggest(lab, FEW)
    lab.succeed(few.lease, 3.0)
    (more,) = suggest(lab, MORE)
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=(1,), reason="a wrong mesh"))
    (again,) = only(Evaluate, lab.fail(more.lease))
    assert (lab.state.trials[2].suggested.continues, again.continues) == (1, 0)


@pytest.mark.parametrize("continued", [True, False])
def test_a_journal_that_was_mended_knows_it_still(continued: bool) -> None:
    lab = begun()
    (few,) = suggest(lab, FEW)
    lab.succeed(few.lease, 3.0)
    saved = SavedTrial(number=2, suggested=MORE, ask=2, value=1.0, continued=continued)
    lab.happen(
        JournalMended(at=lab.tick(), wall="2026-03-01T10:15:00+00:00", lost=3, asks=2, trials=(saved,))
    )
    trial = lab.state.trials[2]
    assert (trial.suggested.continues, trial.continued, trial.cost) == (1, continued, 0.75)


def test_what_has_another_number_since_the_journal_was_mended_is_looked_for_where_it_was_left() -> None:
    lab = begun()
    saved = SavedTrial(number=1, suggested=FEW, ask=1, value=3.0, evaluated_as=7)
    lab.happen(
        JournalMended(at=lab.tick(), wall="2026-03-01T10:15:00+00:00", lost=3, asks=2, trials=(saved,))
    )
    lab.resume()
    lab.join("w1")
    (more,) = suggest(lab, MORE)
    assert (lab.state.trials[2].suggested.continues, more.continues) == (1, 7)


def test_the_files_of_what_has_another_number_are_there_until_another_is_evaluated_under_that() -> None:
    lab = begun()
    saved = SavedTrial(number=1, suggested=FEW, ask=1, value=3.0, evaluated_as=2)
    lab.happen(
        JournalMended(at=lab.tick(), wall="2026-03-01T10:15:00+00:00", lost=3, asks=2, trials=(saved,))
    )
    lab.resume()
    assert lab.state.keeps_files_under(lab.state.trials[1]) == 2
    lab.join("w1")
    suggest(lab, MORE)
    assert lab.state.keeps_files_under(lab.state.trials[1]) == 0
    assert lab.state.keeps_files_under(lab.state.trials[2]) == 2
