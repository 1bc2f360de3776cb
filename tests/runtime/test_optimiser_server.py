"""The optimiser's end of the pipes: what is asked, told and adopted, in which order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from run_lab import PATIENCE_S, eventually, spec
from served_optimiser import Served, adopt, ask, bounded, no_room, tell, what_it_knew
from slow_algorithm import PREPARED, SlowAlgorithm

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.optimiser.messages import (
    Answer,
    End,
    RefitBegun,
    RefitDone,
    RefitFailed,
    Reply,
    encode_request,
)
from orchestrator.scheduler.commands import AdoptRefit, Ask


def test_an_answer_is_in_the_experiment_s_own_terms(serve: list[Served]) -> None:
    serve.append(server := Served(SlowAlgorithm()))
    server.send(*(tell(trial) for trial in range(1, 51)), ask(1, count=2))
    answer = server.expect(Answer)
    assert [dict(suggested.parameters) for suggested in answer.suggestions] == [{"x": 5.0}] * 2


def test_a_minimisation_is_told_with_its_sign_turned_and_a_failure_without_a_value(
    serve: list[Served],
) -> None:
    serve.append(server := Served(SlowAlgorithm(), minimise=True))
    server.send(tell(1, 3.0, seconds=20.0), tell(2, None), ask(1))
    server.expect(Answer)
    told = [(observation.value, observation.seconds) for observation in server.algorithm.told]
    assert told == [(-3.0, 20.0), (None, None)]
    assert server.algorithm.told[0].point.tolist() == [0.5]


@pytest.mark.parametrize("best", [2e160, -2e160])
def test_that_the_best_value_looks_like_all_others_to_a_model_is_noted(
    best: float, serve: list[Served]
) -> None:
    serve.append(server := Served(SlowAlgorithm(), minimise=True))
    server.send(tell(1, 1e200), tell(2, best), ask(1))
    assert f"the best value, {best:.3g}, is beyond 1e+150" in server.expect(Answer).insight["notes"][-1]


def test_a_penalty_beyond_what_models_tell_apart_is_nothing_to_note(serve: list[Served]) -> None:
    serve.append(server := Served(SlowAlgorithm(), minimise=True))
    server.send(tell(1, 1e200), tell(2, 3.0), ask(1))
    assert server.expect(Answer).insight["notes"] == ["2 told, 0 adopted"]


def test_an_ask_waits_for_the_refit_that_is_due_and_is_answered_once_that_is_adopted(
    serve: list[Served],
) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2)))
    server.send(tell(1), tell(2), ask(1))
    assert server.expect(RefitBegun).observations == 2
    done = server.expect(RefitDone)
    server.send(adopt(done))
    assert what_it_knew(server.expect(Answer)) == (2, 1)


def test_what_a_refit_prepared_is_handed_over_here_and_does_not_pass_through_the_journal(
    serve: list[Served],
) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2)))
    server.send(tell(1), tell(2))
    server.expect(RefitBegun)
    done = server.expect(RefitDone)
    assert not hasattr(done, "prepared")
    server.send(adopt(done), ask(1))
    server.expect(Answer)
    assert server.algorithm.handed == [{"sums": PREPARED}]


def test_a_refit_of_an_earlier_life_is_adopted_as_the_journal_has_it(serve: list[Served]) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2)))
    server.send(tell(1), tell(2))
    server.expect(RefitBegun)
    done = server.expect(RefitDone)
    earlier = AdoptRefit(number=done.number, observations=1, payload={"scales": [0.1, 0.2], "told": 1})
    server.send(earlier, ask(1))
    server.expect(Answer)
    assert server.algorithm.handed == [{}]


def test_no_refit_is_begun_in_the_middle_of_what_is_read(serve: list[Served]) -> None:
    """A long run's history comes in pieces, and the refit that seems due at the end of one is in the next."""
    serve.append(server := Served(SlowAlgorithm(refit_every=2)))
    earlier = AdoptRefit(number=1, observations=2, payload={"scales": [0.1, 0.2], "told": 2})
    server.send_in_pieces(tell(1), tell(2), earlier, ask(1), cut=-150)
    assert what_it_knew(server.expect(Answer)) == (2, 1)


def test_no_refit_is_begun_in_the_middle_of_a_history_though_a_piece_of_it_ends_where_a_line_does(
    serve: list[Served],
) -> None:
    """Adopted, it would learn the rest result by result, and of tens of thousands for as long as it takes."""
    serve.append(server := Served(SlowAlgorithm(refit_every=2)))
    rest = encode_request(tell(3)) + encode_request(ask(1))
    server.send_in_pieces(tell(1), tell(2), tell(3), ask(1), cut=-len(rest))
    assert server.expect(RefitBegun).observations == 3


def test_a_refit_that_is_found_adopted_in_the_next_piece_holds_up_no_later_one(
    serve: list[Served], tmp_path: Path
) -> None:
    """A piece may end where a line does."""
    serve.append(server := Served(SlowAlgorithm(refit_every=2, gate=str(tmp_path / "never"))))
    server.send(tell(1), tell(2))
    assert server.expect(RefitBegun).number == 1
    earlier = AdoptRefit(number=1, observations=2, payload={"scales": [0.1, 0.2], "told": 2})
    server.send(earlier, tell(3), tell(4), ask(1, patience_s=0.0))
    server.expect(Answer)
    server.send(ask(2, patience_s=0.0))
    assert server.expect(RefitBegun).number == 2


def test_in_rounds_a_refit_sees_the_whole_round_whenever_it_became_due_and_whoever_died(
    serve: list[Served],
) -> None:
    for pieces in ([[1, 2], [3]], [[1], [2, 3]], [[1, 2, 3]]):
        serve.append(server := Served(SlowAlgorithm(refit_every=2), only_when_asked=True))
        for trials in pieces:
            server.send(*(tell(trial) for trial in trials))
            eventually(lambda told=server.algorithm.told, last=trials[-1]: len(told) == last)
        server.send(ask(1))
        assert server.expect(RefitBegun).observations == 3
        server.send(adopt(server.expect(RefitDone)))
        assert what_it_knew(server.expect(Answer)) == (3, 1)


def test_an_ask_with_little_patience_does_not_wait(serve: list[Served], tmp_path: Path) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2, gate=str(tmp_path / "gate"))))
    server.send(tell(1), tell(2), ask(1, patience_s=0.05))
    server.expect(RefitBegun)
    assert what_it_knew(server.expect(Answer)) == (2, 0)
    (tmp_path / "gate").touch()
    server.expect(RefitDone)


def test_what_is_told_meanwhile_passes_a_waiting_ask_by(serve: list[Served], tmp_path: Path) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2, gate=str(tmp_path / "gate"))))
    server.send(tell(1), tell(2), ask(1))
    server.expect(RefitBegun)
    server.send(tell(3))
    (tmp_path / "gate").touch()
    done = server.expect(RefitDone)
    assert done.observations == 2
    server.send(adopt(done))
    assert what_it_knew(server.expect(Answer)) == (3, 1)


def test_what_ends_while_an_ask_waits_runs_no_longer_when_that_is_answered(
    serve: list[Served], tmp_path: Path
) -> None:
    """Whoever counts what runs, as populations do, would count it twice; of two alike the other one runs."""
    serve.append(server := Served(SlowAlgorithm(refit_every=2, gate=str(tmp_path / "gate"))))
    running = ({"x": 5.0}, {"x": 7.0}, {"x": 5.0})
    server.send(tell(1), tell(2), replace(ask(1), pending=running))
    server.expect(RefitBegun)
    server.send(tell(3))
    (tmp_path / "gate").touch()
    server.send(adopt(server.expect(RefitDone)))
    server.expect(Answer)
    assert server.algorithm.beside == [[0.7, 0.5]]


def test_a_refit_that_fails_lets_the_ask_go_and_is_tried_again_after_some_more_values(
    serve: list[Served], capfd: pytest.CaptureFixture[str]
) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2, trouble="raise")))
    server.send(tell(1), tell(2), ask(1))
    server.expect(RefitBegun)
    assert "not positive definite" in server.expect(RefitFailed).message
    assert what_it_knew(server.expect(Answer)) == (2, 0)
    server.send(*(tell(trial) for trial in range(3, 12)), ask(2))
    assert what_it_knew(server.expect(Answer)) == (11, 0)
    server.send(tell(12))
    assert server.expect(RefitBegun).observations == 12


def test_a_system_without_room_for_another_process_is_a_refit_that_fails(
    serve: list[Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fork", no_room)
    serve.append(server := Served(SlowAlgorithm(refit_every=2)))
    server.send(tell(1), tell(2), ask(1))
    server.expect(RefitBegun)
    assert "Cannot allocate memory" in server.expect(RefitFailed).message
    assert what_it_knew(server.expect(Answer)) == (2, 0)
    monkeypatch.undo()
    server.send(*(tell(trial) for trial in range(3, 13)))
    assert server.expect(RefitBegun).observations == 12
    server.expect(RefitDone)


def test_in_rounds_a_refit_whose_copy_is_killed_is_computed_all_the_same(
    serve: list[Served], capfd: pytest.CaptureFixture[str]
) -> None:
    for trouble in ("", "no memory for a copy"):
        serve.append(server := Served(SlowAlgorithm(refit_every=2, trouble=trouble), only_when_asked=True))
        server.send(tell(1), tell(2), ask(1))
        server.expect(RefitBegun)
        server.send(adopt(server.expect(RefitDone)))
        assert what_it_knew(server.expect(Answer)) == (2, 1)
        assert server.algorithm.handed == [{"sums": PREPARED}]
    assert "refit 1: its process ended with signal SIGKILL; it is computed without" in capfd.readouterr().err


def test_with_asks_that_do_not_wait_for_it_a_refit_whose_copy_is_killed_is_one_that_fails(
    serve: list[Served],
) -> None:
    serve.append(server := Served(SlowAlgorithm(refit_every=2, trouble="no memory for a copy")))
    server.send(tell(1), tell(2), ask(1))
    server.expect(RefitBegun)
    assert "SIGKILL" in server.expect(RefitFailed).message
    assert what_it_knew(server.expect(Answer)) == (2, 0)


def test_in_rounds_a_refit_needs_no_room_for_another_process(
    serve: list[Served], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "fork", no_room)
    serve.append(server := Served(SlowAlgorithm(refit_every=2), only_when_asked=True))
    server.send(tell(1), tell(2), ask(1))
    server.expect(RefitBegun)
    server.send(adopt(server.expect(RefitDone)))
    assert what_it_knew(server.expect(Answer)) == (2, 1)
    serve.append(at_fault := Served(SlowAlgorithm(refit_every=2, trouble="raise"), only_when_asked=True))
    at_fault.send(tell(1), tell(2), ask(1))
    at_fault.expect(RefitBegun)
    assert "not positive definite" in at_fault.expect(RefitFailed).message
    assert what_it_knew(at_fault.expect(Answer)) == (2, 0)


def test_in_rounds_it_is_tried_again_for_each_ask_as_by_a_process_that_knows_of_no_failure(
    serve: list[Served], capfd: pytest.CaptureFixture[str]
) -> None:
    serve.append(first := Served(SlowAlgorithm(refit_every=2, trouble="raise"), only_when_asked=True))
    serve.append(second := Served(SlowAlgorithm(refit_every=2, trouble="raise"), only_when_asked=True))
    first.send(tell(1), tell(2), ask(1))
    first.expect(RefitBegun)
    first.expect(RefitFailed)
    first.expect(Answer)
    first.send(tell(3), ask(2))
    second.send(tell(1), tell(2), tell(3), ask(2))
    for server in (first, second):
        assert server.expect(RefitBegun).observations == 3
        server.expect(RefitFailed)
        assert what_it_knew(server.expect(Answer)) == (3, 0)


def test_a_history_told_anew_gives_the_answer_that_was_never_given(serve: list[Served]) -> None:
    """A new process is sent everything at once: what was adopted, at its place, and the ask left open."""
    serve.append(first := Served(SlowAlgorithm(refit_every=3)))
    first.send(*(tell(trial) for trial in range(1, 4)), ask(1))
    first.expect(RefitBegun)
    refit = adopt(first.expect(RefitDone))
    first.send(refit)
    original = first.expect(Answer)

    serve.append(second := Served(SlowAlgorithm(refit_every=3)))
    second.send(*(tell(trial) for trial in range(1, 4)), ask(1), refit)
    replies: list[Reply] = []
    while not replies or not isinstance(replies[-1], Answer):
        replies.append(second.expect(object))  # type: ignore[arg-type]
    answer = replies[-1]
    assert isinstance(answer, Answer)
    assert (answer.ask, answer.suggestions) == (original.ask, original.suggestions)
    assert what_it_knew(answer) == (3, 1)


def test_a_history_longer_than_the_pipe_is_taken_in_whole(serve: list[Served]) -> None:
    serve.append(server := Served(SlowAlgorithm()))
    for start in range(0, 5_000, 100):
        server.send(*(tell(trial) for trial in range(start, start + 100)))
    server.send(ask(1))
    assert what_it_knew(server.expect(Answer)) == (5_000, 0)


def test_the_end_of_requests_ends_the_server_and_its_refit(tmp_path: Path) -> None:
    server = Served(SlowAlgorithm(refit_every=1, gate=str(tmp_path / "never")))
    server.send(tell(1))
    server.expect(RefitBegun)
    server.close()


def test_after_a_new_beginning_only_what_is_told_again_is_known_within_the_new_bounds(
    serve: list[Served],
) -> None:
    serve.append(server := Served(SlowAlgorithm(), anew=SlowAlgorithm))
    server.send(*(tell(trial) for trial in range(1, 51)), bounded(4.0, 6.0), tell(1), tell(2), ask(1))
    answer = server.expect(Answer)
    assert what_it_knew(answer) == (2, 0)
    assert dict(answer.suggestions[0].parameters) == {"x": pytest.approx(4.04)}


def test_a_refit_of_the_model_before_is_given_up_and_a_new_one_bears_the_new_model_s_number(
    serve: list[Served], tmp_path: Path
) -> None:
    gated = SlowAlgorithm(refit_every=2, gate=str(tmp_path / "never"))
    serve.append(server := Served(gated, anew=lambda: SlowAlgorithm(refit_every=2)))
    server.send(tell(1), tell(2), ask(1))
    server.expect(RefitBegun)
    server.send(bounded(0.0, 20.0, model=3), tell(1), tell(2), ask(2))
    assert server.expect(RefitBegun).observations == 2
    done = server.expect(RefitDone)
    assert (done.number, done.model) == (1, 3)
    server.send(adopt(done))
    answer = server.expect(Answer)
    assert answer.ask == 2
    assert what_it_knew(answer) == (2, 1)


def test_whose_orchestrator_died_while_it_chose_says_nothing_of_that(tmp_path: Path) -> None:
    """What it prints goes to the run's log, where people look for what went wrong."""
    folder = RunFolder(tmp_path)
    folder.spec.write_text(yaml.safe_dump(spec()))
    program = [sys.executable, "-m", "orchestrator.runtime.optimiser.server", str(tmp_path)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(program, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    asked = encode_request(Ask(ask=1, count=1, first_trial=1, pending=()))
    _, said = process.communicate(asked, timeout=PATIENCE_S)
    assert said == b""
    assert process.returncode == 1


TERMINATED = """
import os, signal, sys
from orchestrator.runtime.optimiser import server
from orchestrator.runtime.optimiser.attended_nodes import AttendedNodes

begin, end = server.OptimiserServer.__init__, AttendedNodes.end

def terminated(self, *arguments, **named):
    if sys.argv[2] == "before":
        os.kill(os.getpid(), signal.SIGTERM)
    begin(self, *arguments, **named)
    if sys.argv[2] == "after":
        os.kill(os.getpid(), signal.SIGTERM)

def let_go(self, *, over):
    print("nodes let go of", "for good" if over else "", file=sys.stderr)
    end(self, over=over)

server.OptimiserServer.__init__, AttendedNodes.end = terminated, let_go
sys.exit(server.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_one_that_is_to_end_while_it_starts_lets_its_nodes_go_all_the_same(when: str, tmp_path: Path) -> None:
    RunFolder(tmp_path).spec.write_text(yaml.safe_dump(spec()))
    program = [sys.executable, "-c", TERMINATED, str(tmp_path), when]
    over = encode_request(End())
    done = subprocess.run(program, input=over, capture_output=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 128 + signal.SIGTERM
    assert done.stderr.decode().splitlines()[-1] == "nodes let go of for good"
