"""A result outlives its worker, its connection and its orchestrator."""

from __future__ import annotations

from worker_lab import BEATS_S, PATIENCE_S, Lab, eventually, result

from orchestrator.wire.messages import Acknowledge, Drain, Failure, Heartbeat, Hello, Reject, Result

QUIET_S = 0.4


def test_a_successor_delivers_what_a_killed_worker_could_not(lab: Lab) -> None:
    wire = lab.orchestrator()
    first = lab.start(wire.address)
    wire.greet()
    for number in range(3):
        wire.evaluate(f"L{number}", {"how": "well"}, trial=number)
    sent = [wire.expect(Result) for _ in range(3)]
    wire.send(Acknowledge(lease="L1"))
    # Answered in order: after this, the acknowledgement has been read.
    wire.evaluate("L2", {"how": "well"}, trial=2)
    assert wire.expect(Result) == sent[2]
    first.kill()
    first.wait()

    lab.start(wire.address)
    wire.greet()
    assert [wire.expect(Result) for _ in range(2)] == [sent[0], sent[2]]
    wire.expect_none(Result, QUIET_S)


def test_everything_acknowledged_leaves_nothing_behind(lab: Lab) -> None:
    wire = lab.orchestrator()
    first = lab.start(wire.address)
    wire.greet()
    for number in range(3):
        wire.evaluate(f"L{number}", {"how": "well"})
        result(wire, f"L{number}")
    eventually(lambda: (lab.directory / "w" / "outbox.jsonl").stat().st_size == 0)
    first.kill()
    first.wait()
    lab.start(wire.address)
    wire.greet()
    wire.expect_none(Result, QUIET_S)


def test_a_result_that_is_refused_as_another_runs_is_kept_but_not_repeated(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    wire.expect(Result)
    wire.send(Reject(code="run", reason="not of this run", lease="L1"))
    # Not even after a welcome, when all that is kept for the run is sent.
    wire.send(wire.assignment)
    wire.evaluate("L2", {"how": "well"})
    result(wire, "L2")
    wire.expect_none(Result, QUIET_S)
    assert b'"L1"' in (lab.directory / "w" / "outbox.jsonl").read_bytes()
    assert "not of this run" in lab.said()


def test_a_result_that_is_not_acknowledged_is_sent_again_after_a_while(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=0.5)
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    first = wire.expect(Result)
    assert wire.expect(Result) == first


def test_how_many_results_are_kept_is_said_at_the_end(lab: Lab) -> None:
    wire = lab.orchestrator()
    worker = lab.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    wire.expect(Result)
    wire.send(Drain(now=True))
    assert worker.wait(PATIENCE_S) == 0
    assert "1 result is not acknowledged and is kept; a worker started with the same" in lab.said()


def test_a_worker_works_on_while_its_orchestrator_is_away_and_delivers_on_its_return(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=0.5)
    lab.start(wire.address)
    hello = wire.greet()
    gate, note = lab.directory / "gate", lab.directory / "note"
    wire.evaluate("L1", {"how": "gate", "note": str(note), "open": str(gate)}, trial=2)
    eventually(note.exists)
    wire.close()
    eventually(lambda: "silent" in lab.said())
    gate.touch()
    eventually(lambda: (lab.directory / "w" / "outbox.jsonl").stat().st_size > 0)

    back = lab.orchestrator(address=wire.address)
    again = back.greet()
    assert (again.session, again.leases) == (hello.session, [])
    answer = back.expect(Result)
    assert (answer.lease, answer.trial) == ("L1", 2)


def test_a_worker_that_still_runs_something_says_so_to_a_new_orchestrator(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=BEATS_S)
    lab.start(wire.address)
    wire.greet()
    gate, note = lab.directory / "gate", lab.directory / "note"
    task = {"how": "gate", "note": str(note), "open": str(gate)}
    wire.evaluate("L1", task)
    eventually(note.exists)
    wire.close()
    back = lab.orchestrator(address=wire.address, heartbeat_s=BEATS_S)
    while not isinstance(message := back.receive(), Hello):
        assert message is not None
        back.send(Reject(code="hello", reason="who are you?"))
    assert message.leases == ["L1"]
    back.send(back.assignment)
    back.evaluate("L1", task)  # it holds this lease: not evaluated a second time
    back.evaluate("L2", {"how": "well"})
    while "L2" not in back.expect(Heartbeat).leases:
        pass  # until it has read both: a lease that has ended by then is answered again
    gate.touch()
    first = result(back, "L1")
    assert first.value == float(note.read_text())
    assert result(back, "L2").lease == "L2"
    back.expect_none(Result, QUIET_S)


def test_an_orchestrator_that_stops_answering_is_asked_again(lab: Lab) -> None:
    wire = lab.orchestrator(heartbeat_s=0.5)
    lab.start(wire.address)
    hello = wire.greet()
    # Until then another hello might be one that was said before its welcome had come, and is passed by.
    wire.expect(Heartbeat, passing_over=())
    wire.answering = False
    again = wire.expect(Hello, passing_over=(Heartbeat,))
    assert again.session == hello.session
    assert "silent" in lab.said()


def test_a_worker_may_start_before_its_orchestrator(lab: Lab) -> None:
    wire = lab.orchestrator()
    wire.close()
    lab.start(wire.address)
    eventually(lambda: "dialling" in lab.said())
    late = lab.orchestrator(address=wire.address)
    late.greet()
    late.evaluate("L1", {"how": "well"})
    result(late, "L1")


def test_a_name_in_use_is_tried_again_until_it_is_free(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.expect(Hello)
    wire.send(Reject(code="name", reason="the name w is in use by another worker"))
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    result(wire, "L1")
    assert "the name w is in use" in lab.said()


def test_a_trial_whose_value_is_on_its_way_is_not_begun_again(lab: Lab) -> None:
    """The lease was taken back while the machine slept, and the trial given again when it woke."""
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("7.1", {"how": "well"}, trial=7)
    wire.expect(Result)
    wire.evaluate("7.2", {"how": "print", "what": "again"}, trial=7, attempt=2)
    wire.expect_none(Result, QUIET_S)
    assert not lab.trial_file(7, "attempt-2.out").exists()
    wire.send(Acknowledge(lease="7.1", counted=False))
    assert result(wire, "7.2").lease == "7.2"
    eventually(lambda: lab.trial_file(7, "attempt-2.out").exists())

    wire.evaluate("8.1", {"how": "well"}, trial=8)
    wire.expect(Result)
    wire.evaluate("8.2", {"how": "print", "what": "again"}, trial=8, attempt=2)
    wire.evaluate("9.1", {"how": "well"}, trial=9)
    assert result(wire, "9.1").trial == 9, "what waits holds up no other trial"
    wire.send(Acknowledge(lease="8.1", counted=True))
    wire.expect_none(Result, QUIET_S)
    assert not lab.trial_file(8, "attempt-2.out").exists()


def test_a_value_that_is_refused_holds_up_no_further_attempt(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("7.1", {"how": "well"}, trial=7)
    wire.expect(Result)
    wire.evaluate("7.2", {"how": "well"}, trial=7, attempt=2)
    wire.send(Reject(code="malformed", reason="no number", lease="7.1"))
    assert result(wire, "7.2").trial == 7


def test_after_a_failure_that_is_on_its_way_the_next_attempt_begins_at_once(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("7.1", {"how": "raise"}, trial=7)
    wire.expect(Failure)
    wire.evaluate("7.2", {"how": "well"}, trial=7, attempt=2)
    assert result(wire, "7.2").trial == 7
