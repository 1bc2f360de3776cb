"""Which block the optimiser is told that a result is of: its own word, a person's, or who evaluated it."""

from __future__ import annotations

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BlockBegan, ObservationsForgotten, ResultsAdded
from orchestrator.scheduler.commands import Rebuild, Tell
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import WorkerJoined
from orchestrator.scheduler.transitions import Phase


def begun(blocks: str | None, known: tuple[KnownResult, ...] = ()) -> Lab:
    lab = Lab(policy_with(trials=10, blocks=blocks))
    lab.start(known=known)
    lab.join("w1")
    return lab


def comes(lab: Lab, **extras: object) -> str | None:
    """The block of the next result, which brings this beside its value."""
    lab.suggest()
    (lease,) = lab.leases("w1")
    (tell,) = only(Tell, lab.succeed(lease, 1.0, extras=extras))
    return tell.block


def begins(lab: Lab, block: str) -> None:
    lab.happen(BlockBegan(at=lab.tick(), block=block, request=block))


def test_without_blocks_nothing_is_said_of_any() -> None:
    assert comes(begun(None), plate=3) is None


def test_a_result_says_its_block_by_name_or_number() -> None:
    lab = begun("plate")
    assert [comes(lab, plate=3), comes(lab, plate=3.0), comes(lab, plate=" A12 ")] == ["3", "3", "A12"]
    written = ("3.0", "-3.00", "3.5", "03.0", "v3.0", "3.", "3e0")
    assert [comes(lab, plate=one) for one in written] == ["3", "-3", "3.5", "03.0", "v3.0", "3.", "3e0"]


def test_one_that_says_none_is_of_the_one_that_a_person_began_and_before_that_of_one_block_more() -> None:
    lab = begun("plate")
    assert comes(lab, plate=[1]) == ""
    begins(lab, "7")
    assert [comes(lab), comes(lab, plate=8)] == ["7", "8"]


def test_what_runs_when_a_block_begins_is_of_the_one_before() -> None:
    lab = begun("plate")
    begins(lab, "1")
    lab.suggest()
    begins(lab, "2")
    (lease,) = lab.leases("w1")
    (tell,) = only(Tell, lab.succeed(lease, 1.0))
    assert tell.block == "1"
    assert comes(lab) == "2"


def test_what_a_worker_was_at_when_it_was_lost_is_of_the_block_that_it_began_in() -> None:
    lab = begun("plate")
    begins(lab, "1")
    lab.suggest()
    (lease,) = lab.leases("w1")
    lab.leave("w1")
    begins(lab, "2")
    lab.join("w1", held=[lease])
    (tell,) = only(Tell, lab.succeed(lease, 1.0))
    assert tell.block == "1"


def test_a_worker_may_have_a_block_of_its_own_which_its_result_may_say_otherwise() -> None:
    lab = Lab(policy_with(trials=10, blocks="plate"))
    lab.start()
    lab.happen(WorkerJoined(at=lab.tick(), worker="w1", slots=1, own={"plate": "A", "PORT": "9"}))
    begins(lab, "1")
    assert [comes(lab), comes(lab, plate="B")] == ["A", "B"]


def test_a_day_begins_by_itself_again_and_again_and_a_result_may_say_another() -> None:
    lab = begun("day")
    for day in ("2026-11-27", "2026-11-28"):
        lab.happen(BlockBegan(at=lab.tick(), block=day))
        assert comes(lab) == day
    for said in ("2026-11-24 09:30", "24.11.2026", "24.11.2026 09:30", "24. 11. 2026"):
        assert comes(lab, day=said) == "2026-11-24"
    assert comes(lab, day="9.6.2026") == "2026-06-09"
    assert [comes(lab, day=said) for said in ("a Monday", "7.0")] == ["a Monday", "7"]


def test_a_day_that_begins_gives_a_run_that_has_ended_nothing_to_do() -> None:
    lab = Lab(policy_with(trials=1, blocks="day"))
    lab.start()
    lab.join("w1")
    comes(lab)
    ending = lab.state.end.why
    lab.happen(BlockBegan(at=lab.tick(), block="2026-11-28"))
    assert (lab.state.end.why, lab.state.phase) == (ending, Phase.FINISHED)


def test_a_worker_may_be_a_block_and_known_results_are_of_none_unless_they_say_so() -> None:
    known = (
        KnownResult(parameters={"x": 1}, value=1.0),
        KnownResult(parameters={"x": 2}, value=1.0, block="w9"),
    )
    lab = begun("worker", known)
    assert [tell.block for tell in only(Tell, lab.commands)] == ["", "w9"]
    assert comes(lab) == "w1"


def test_where_one_worker_is_several_people_a_result_says_whose_it_is() -> None:
    assert comes(begun("worker"), worker="ada") == "ada"


def test_an_optimiser_that_begins_anew_is_told_the_same() -> None:
    lab = begun("plate")
    begins(lab, "1")
    assert [comes(lab), comes(lab, plate=2), comes(lab)] == ["1", "2", "1"]
    commands = lab.happen(ObservationsForgotten(at=lab.tick(), trials=(1,), reason="spilt", request="r"))
    assert only(Rebuild, commands)
    assert [tell.block for tell in only(Tell, commands)] == ["2", "1"]


def test_a_value_told_anew_is_of_the_block_of_the_trial_that_it_corrects_unless_it_says_another() -> None:
    lab = begun("plate")
    begins(lab, "1")
    assert [comes(lab), comes(lab)] == ["1", "1"]
    begins(lab, "2")
    first, second = (lab.state.trials[number].parameters for number in (1, 2))
    anew = (KnownResult(parameters=first, value=3.0), KnownResult(parameters=second, value=3.0, block="9"))
    lab.happen(ResultsAdded(at=lab.tick(), results=anew, request="r"))
    commands = lab.happen(ObservationsForgotten(at=lab.tick(), trials=(1, 2), reason="spilt", request="r"))
    assert [tell.block for tell in only(Tell, commands)] == ["1", "9"]
