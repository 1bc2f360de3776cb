"""The rules that a worker keeps, each tried on a real process by a scripted orchestrator."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType

from orchestrator.wire.messages import (
    PROTOCOL,
    Acknowledge,
    Cancel,
    Drain,
    Failure,
    Goodbye,
    Heartbeat,
    Hello,
    Progress,
    Reject,
    Result,
)
from orchestrator.wire.scripted import PATIENCE_S, Breach, ScriptedOrchestrator

HEARTBEAT_S = 0.5
QUIET_S = 0.8


class WorkerUnderTest:
    """A worker's process, and the orchestrator that it sees: gone and back at will, on one address."""

    def __init__(
        self,
        command: Sequence[str],
        evaluator: str,
        parameters: dict[str, object],
        slow: dict[str, object] | None,
        objective: str,
    ) -> None:
        self.evaluator = evaluator
        self.parameters = parameters
        self.slow = slow
        self.objective = objective
        # What the worker keeps of an earlier check that was broken off is of another run.
        self.run = f"conformance-{time.time_ns()}"
        self.wire = ScriptedOrchestrator(
            evaluator, run=self.run, heartbeat_s=HEARTBEAT_S, objective=objective, gone=self._gone
        )
        self._command = [argument.replace("{address}", self.wire.address) for argument in command]
        self.process = subprocess.Popen(self._command)

    def __enter__(self) -> WorkerUnderTest:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.wire.close()

    def kill(self) -> None:
        """SIGKILL."""
        self.process.kill()
        self.process.wait()

    def _gone(self) -> str:
        code = self.process.poll()
        return "" if code is None else f"the worker's process has ended, with exit code {code}"

    def restart(self) -> None:
        """Start the same command again."""
        self.process = subprocess.Popen(self._command)

    def replace_orchestrator(self, run: str = "") -> Hello:
        """The orchestrator dies and another takes its address; the worker's next hello, welcomed."""
        self.wire.close()
        self.wire = ScriptedOrchestrator(
            self.evaluator,
            address=self.wire.address,
            run=run or self.run,
            heartbeat_s=HEARTBEAT_S,
            objective=self.objective,
            gone=self._gone,
        )
        deadline = time.monotonic() + PATIENCE_S
        while (remaining := deadline - time.monotonic()) > 0:
            message = self.wire.receive(remaining)
            if isinstance(message, Hello):
                self.wire.send(self.wire.assignment)
                return message
            if message is not None:
                # What a stranger says before its hello is answered with a request for one.
                self.wire.send(Reject(code="hello", reason="expected hello first"))
        gone = f": {why}" if (why := self._gone()) else ""
        raise Breach(f"expected a hello to the new orchestrator within {PATIENCE_S:g} s, none came{gone}")

    def outcome(self, lease: str, repeated: Sequence[Result | Failure] = ()) -> Result | Failure:
        """The next result or failure, which must be of this lease; those ``repeated`` may come before it."""
        message = self.wire.expect(Result, Failure)
        while message in repeated:
            message = self.wire.expect(Result, Failure)
        assert isinstance(message, Result | Failure)
        if message.lease != lease:
            raise Breach(f"expected the outcome of lease {lease}, got {message}")
        return message

    def settle(self, lease: str) -> Result | Failure:
        """The outcome of a lease, acknowledged."""
        outcome = self.outcome(lease)
        self.wire.send(Acknowledge(lease=lease))
        return outcome

    def expect_end(self) -> int:
        """The exit code of a worker that should be ending."""
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Breach(f"expected the process to end within {PATIENCE_S:g} s") from None


def worker_rules(worker: WorkerUnderTest) -> Iterator[tuple[str, Callable[[], None]]]:
    """The rules in words, each with what tries it, in an order in which they build on each other."""
    rules = _WorkerRules(worker)
    yield "says hello first, with protocol, name, session and the evaluator", rules.hello
    yield "says hello again, of the same session, when it is told that it is unknown", rules.unknown
    yield "beats at the interval it was given", rules.beats
    yield "goes on after frames that are no messages and fields that it does not know", rules.malformed
    yield "answers an evaluation with a result of the same run, lease and trial", rules.evaluates
    yield "sends a result again, unchanged, when its lease is given again", rules.repeats
    yield "sends unacknowledged results to a new orchestrator, after its welcome", rules.resends
    yield "forgets a result that was acknowledged", rules.forgets
    yield "sends all that it keeps, oldest first, before its first beat after a welcome", rules.keeps_order
    yield "keeps results of another run, and sends them only to that run", rules.keeps_runs_apart
    if worker.slow is not None:
        yield "lists the lease that it works on in its heartbeats", rules.lists_leases
        yield "stops on cancel, says nothing more of that lease, and takes another", rules.cancels
        yield "kills an evaluation at its timeout and says so", rules.times_out
    yield "keeps results across its own death", rules.survives
    if worker.slow is not None:
        yield "drained at work, goes on with that, says so, and takes nothing more", rules.finishes
    yield "says goodbye and exits with 0 when drained", rules.drains
    yield "exits, with a code other than 0, when its protocol is refused", rules.refused


class _WorkerRules:
    def __init__(self, worker: WorkerUnderTest) -> None:
        self._worker = worker
        self._session = ""
        self._result: Result | Failure | None = None
        self._kept: list[Result | Failure] = []

    @property
    def _wire(self) -> ScriptedOrchestrator:
        return self._worker.wire

    def hello(self) -> None:
        hello = self._wire.expect(Hello, passing_over=())
        self._session = hello.session
        if hello.protocol != PROTOCOL:
            raise Breach(f"expected protocol {PROTOCOL}, got {hello.protocol}")
        if not hello.worker or not hello.session or hello.slots < 1:
            raise Breach(f"expected a name, a session and at least one slot, got {hello}")
        if self._worker.evaluator not in hello.evaluators:
            raise Breach(f"expected {self._worker.evaluator} among the evaluators, got {hello.evaluators}")

    def unknown(self) -> None:
        self._wire.send(Reject(code="hello", reason="expected hello first"))
        hello = self._wire.greet()
        if hello.session != self._session:
            raise Breach(f"expected session {self._session} again, got {hello.session}")

    def beats(self) -> None:
        for _ in range(3):
            self._wire.expect(Heartbeat, within_s=10 * HEARTBEAT_S, passing_over=())

    def malformed(self) -> None:
        for frame in (b"{", b"\xff\xfe", b"[]", b'{"type": "later"}', b'{"type": "evaluate"}'):
            self._wire.send_bytes(frame)
        self._wire.send_bytes(b' { "type" : "heartbeat", "later": {"a": [1, null]} }\n')
        self.beats()

    def evaluates(self) -> None:
        task = self._wire.evaluate("lease-1", self._worker.parameters, trial=7)
        self._result = self._worker.outcome("lease-1")
        if not isinstance(self._result, Result):
            raise Breach(f"expected a result, got {self._result}")
        if (self._result.run, self._result.trial) != (task.run, task.trial):
            raise Breach(f"expected run {task.run} and trial {task.trial}, got {self._result}")

    def repeats(self) -> None:
        self._wire.evaluate("lease-1", self._worker.parameters, trial=7)
        self._expect_the_same()

    def resends(self) -> None:
        hello = self._worker.replace_orchestrator()
        if hello.session != self._session:
            raise Breach(f"expected session {self._session} again, got {hello.session}")
        self._expect_the_same()
        self._wire.send(Acknowledge(lease="lease-1"))

    def forgets(self) -> None:
        # Messages arrive in order: with this outcome, the acknowledgement before it has been read.
        self._wire.evaluate("lease-fence", self._worker.parameters, trial=7)
        self._worker.outcome("lease-fence")
        self._worker.replace_orchestrator()
        self._worker.settle("lease-fence")
        self._wire.expect_none(Result, QUIET_S)

    def keeps_order(self) -> None:
        kept = self._kept
        for number in range(3):
            lease = f"lease-kept-{number}"
            self._wire.evaluate(lease, self._worker.parameters, trial=20 + number)
            # Where an evaluation is slow, what was not acknowledged comes again meanwhile.
            kept.append(self._worker.outcome(lease, repeated=kept))
        self._worker.replace_orchestrator()
        for outcome in kept:
            again = self._wire.expect(Result, Failure, passing_over=())
            if again != outcome:
                raise Breach(f"expected {outcome}, which is older, got {again}")
            self._wire.send(Acknowledge(lease=outcome.lease))

    def keeps_runs_apart(self) -> None:
        self._wire.evaluate("lease-2", self._worker.parameters, trial=8)
        self._result = self._worker.outcome("lease-2", repeated=self._kept)
        self._worker.replace_orchestrator(run=f"{self._worker.run}-2")
        self._wire.expect_none(Result, QUIET_S)
        self._worker.replace_orchestrator()
        self._expect_the_same()
        self._wire.send(Acknowledge(lease="lease-2"))

    def lists_leases(self) -> None:
        self._wire.evaluate("lease-3", self._worker.slow or {}, trial=9)
        for _ in range(10):
            beat = self._wire.expect(Heartbeat, passing_over=(Progress,))
            if beat.leases == ["lease-3"]:
                return
        raise Breach(f"expected lease-3 in its heartbeats, got {beat.leases}")

    def cancels(self) -> None:
        self._wire.send(Cancel(lease="lease-3", reason="conformance"))
        self._wire.evaluate("lease-4", self._worker.parameters, trial=10)
        self._worker.settle("lease-4")

    def times_out(self) -> None:
        self._wire.evaluate("lease-5", self._worker.slow or {}, trial=11, timeout_s=0.3)
        failure = self._worker.settle("lease-5")
        if not isinstance(failure, Failure) or failure.kind != "timeout":
            raise Breach(f"expected a failure of kind timeout, got {failure}")

    def survives(self) -> None:
        self._wire.evaluate("lease-6", self._worker.parameters, trial=12)
        self._result = self._worker.outcome("lease-6")
        self._worker.kill()
        self._worker.restart()
        hello = self._worker.replace_orchestrator()
        if hello.session == self._session:
            raise Breach("expected a new session of a new process, got that of the one killed")
        self._expect_the_same()
        self._wire.send(Acknowledge(lease="lease-6"))

    def finishes(self) -> None:
        self._wire.evaluate("lease-7", self._worker.slow or {}, trial=13)
        while self._wire.expect(Heartbeat, passing_over=(Progress,)).leases != ["lease-7"]:
            pass
        self._wire.send(Drain())
        self._wire.evaluate("lease-8", self._worker.parameters, trial=14)
        # Some may have been on their way.
        for _ in range(10):
            if self._wire.expect(Heartbeat, passing_over=(Progress,)).draining:
                break
        for _ in range(3):
            beat = self._wire.expect(Heartbeat, passing_over=(Progress,))
            if not beat.draining or beat.leases != ["lease-7"]:
                raise Breach(f"expected a heartbeat that says draining, with lease-7 alone, got {beat}")

    def drains(self) -> None:
        self._wire.send(Drain())
        if self._worker.slow is not None:
            self._wire.send(Cancel(lease="lease-7", reason="conformance"))
        self._wire.expect(Goodbye)
        code = self._worker.expect_end()
        if code != 0:
            raise Breach(f"expected exit code 0 after a drain, got {code}")

    def refused(self) -> None:
        self._worker.restart()
        self._wire.expect(Hello)
        self._wire.send(Reject(code="protocol", reason="this orchestrator is of another age"))
        code = self._worker.expect_end()
        if code == 0:
            raise Breach("expected an exit code other than 0, got 0")

    def _expect_the_same(self) -> None:
        assert self._result is not None
        again = self._worker.outcome(self._result.lease)
        if again != self._result:
            raise Breach(f"expected the same result again, {self._result}, got {again}")
