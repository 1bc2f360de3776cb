"""The rules that an orchestrator keeps, each tried over a real connection by scripted workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from orchestrator.wire.codec import encode
from orchestrator.wire.messages import (
    PIECE_LIMIT,
    PROTOCOL,
    Acknowledge,
    Evaluate,
    Failure,
    Goodbye,
    Heartbeat,
    Reject,
    Result,
    Taken,
    Welcome,
)
from orchestrator.wire.pieces import in_pieces
from orchestrator.wire.scripted import Breach, ScriptedWorker

VALUE = 0.5
QUIET_S = 1.0


def orchestrator_rules(address: str, name: str, evaluator: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """The rules in words, each with what tries it, in an order in which they build on each other."""
    with ScriptedWorker(address, name, evaluator) as worker:
        rules = _OrchestratorRules(worker, address)
        yield "asks a stranger to say hello first", rules.stranger
        yield "refuses another protocol, in words", rules.protocol
        yield "refuses a worker without the evaluator, in words", rules.evaluator
        yield "refuses what is no message, in words, and goes on", rules.malformed
        yield "welcomes a worker to a run, with its evaluator and heartbeat", rules.welcome
        yield "answers heartbeats", rules.heartbeat
        yield "refuses a second worker of the same name", rules.name
        yield "gives an evaluation of the run, with all its parameters", rules.evaluate
        yield "acknowledges a result", rules.result
        yield "acknowledges the same result again", rules.result_again
        yield "takes a result in pieces, if it says so, and answers each", rules.in_pieces
        yield "refuses a result of another run, naming its lease", rules.other_run
        yield "refuses a result that cannot be read, naming its lease", rules.unreadable
        yield "acknowledges a failure", rules.failure
        yield "lets a worker go and come back", rules.goodbye
        yield "gives work to a worker that leaves and comes back in one breath", rules.quick_return
        yield "gives nothing more to a worker that says that it drains, until its next hello", rules.draining


class _OrchestratorRules:
    def __init__(self, worker: ScriptedWorker, address: str) -> None:
        self._worker = worker
        self._address = address
        self._welcome: Welcome | None = None
        self._task: Evaluate | None = None

    def stranger(self) -> None:
        self._worker.send(Heartbeat())
        self._expect_reject("hello")

    def protocol(self) -> None:
        self._worker.hello(protocol=PROTOCOL + 1_000)
        self._expect_reject("protocol")

    def evaluator(self) -> None:
        self._worker.hello(evaluator="conformance:no_such_evaluator")
        self._expect_reject("evaluator")

    def malformed(self) -> None:
        for frame in (b"", b"{", b"\xff\xfe", b"[]", b'{"type":"later"}', b'{"type":"result"}', b"{" * 5000):
            self._worker.send_bytes(frame)
            self._expect_reject("malformed")
        self._worker.send_bytes(b'{"type":"heartbeat"}', b"{}")
        self._expect_reject("malformed")

    def welcome(self) -> None:
        self._worker.hello()
        welcome = self._welcome = self._worker.expect(Welcome)
        if welcome.protocol != PROTOCOL or welcome.evaluator != self._worker.evaluator:
            raise Breach(f"expected protocol {PROTOCOL} and {self._worker.evaluator}, got {welcome}")
        if not welcome.run or welcome.heartbeat_s <= 0:
            raise Breach(f"expected a run and a heartbeat interval above 0, got {welcome}")

    def heartbeat(self) -> None:
        self._worker.send(Heartbeat())
        answer = self._worker.expect(Heartbeat, Evaluate)
        if isinstance(answer, Evaluate):
            self._task = answer
            self._worker.expect(Heartbeat)

    def name(self) -> None:
        with ScriptedWorker(self._address, self._worker.name, self._worker.evaluator) as double:
            double.hello(session="another")
            _check_code(double.expect(Reject), "name")

    def evaluate(self) -> None:
        if self._task is None:
            self._task = self._worker.expect(Evaluate)
        task = self._task
        assert self._welcome is not None
        if task.run != self._welcome.run:
            raise Breach(f"expected run {self._welcome.run}, got {task.run}")
        if self._welcome.parameters and set(task.parameters) != set(self._welcome.parameters):
            raise Breach(f"expected the parameters {self._welcome.parameters}, got {task.parameters}")

    def result(self) -> None:
        self._worker.send(self._result())
        self._expect_acknowledged()

    def result_again(self) -> None:
        self._worker.send(self._result())
        self._expect_acknowledged()

    def in_pieces(self) -> None:
        assert self._welcome is not None
        if not self._welcome.takes_pieces:
            return
        frame = encode(replace(self._result(), extras={"curve": "ü" * PIECE_LIMIT}))
        for piece in in_pieces(frame, self._result().lease):
            self._worker.send(piece)
            taken = self._worker.expect(Taken, passing_over=(Evaluate, Heartbeat))
            if (taken.of, taken.number) != (piece.of, piece.number):
                raise Breach(f"expected piece {piece.number} of {piece.of} taken, got {taken}")
        self._expect_acknowledged()

    def other_run(self) -> None:
        self._worker.send(Result(run="conformance-other-run", lease="other-1", trial=1, value=VALUE))
        reject = self._expect_reject("run", passing_over=(Evaluate, Heartbeat))
        if reject.lease != "other-1":
            raise Breach(f"expected the lease other-1 in the refusal, got {reject}")

    def unreadable(self) -> None:
        self._worker.send_bytes(b'{"type":"result","run":"r","lease":"other-2","trial":1,"value":NaN}')
        reject = self._expect_reject("malformed", passing_over=(Evaluate, Heartbeat))
        if reject.lease != "other-2":
            raise Breach(f"expected the lease other-2 in the refusal, got {reject}")

    def failure(self) -> None:
        # The lease was settled by its result: a late failure is thanked for as well.
        task = self._task
        assert task is not None
        self._worker.send(
            Failure(run=task.run, lease=task.lease, trial=task.trial, kind="error", message="conformance")
        )
        self._expect_acknowledged()

    def goodbye(self) -> None:
        self._worker.send(Goodbye(reason="conformance"))
        self._worker.send(Heartbeat())
        self._expect_reject("hello", passing_over=(Evaluate, Heartbeat))
        self._worker.hello()
        self._worker.expect(Welcome, passing_over=(Evaluate, Heartbeat))

    def quick_return(self) -> None:
        self._worker.send(Goodbye(reason="conformance"))
        self._worker.hello()
        self._worker.expect(Welcome, passing_over=(Evaluate, Heartbeat))
        self._task = self._worker.expect(Evaluate, passing_over=(Heartbeat,))

    def draining(self) -> None:
        assert self._task is not None
        self._worker.send(Heartbeat(leases=[self._task.lease], draining=True))
        self._worker.send(self._result())
        self._expect_acknowledged()
        self._worker.expect_none(Evaluate, QUIET_S)
        self._worker.hello(session="not-draining")
        self._worker.expect(Welcome, passing_over=(Heartbeat,))
        self._worker.expect(Evaluate, passing_over=(Heartbeat,))
        self._worker.send(Goodbye(reason="conformance"))

    def _result(self) -> Result:
        assert self._task is not None
        return Result(run=self._task.run, lease=self._task.lease, trial=self._task.trial, value=VALUE)

    def _expect_acknowledged(self) -> None:
        assert self._task is not None
        answer = self._worker.expect(Acknowledge, passing_over=(Evaluate, Heartbeat))
        if answer.lease != self._task.lease:
            raise Breach(f"expected lease {self._task.lease} acknowledged, got {answer}")

    def _expect_reject(
        self, code: str, passing_over: tuple[type[Evaluate] | type[Heartbeat], ...] = ()
    ) -> Reject:
        return _check_code(self._worker.expect(Reject, passing_over=passing_over), code)


def _check_code(reject: Reject, code: str) -> Reject:
    if reject.code != code or not reject.reason:
        raise Breach(f"expected a refusal with code {code} and a reason, got {reject}")
    return reject
