"""Whatever happens, in whatever order: the invariants hold, a replay agrees, and the run can end."""

from __future__ import annotations

import copy
import math

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lab import Lab, leased, only

from orchestrator.scheduler.commands import Acknowledge, Tell
from orchestrator.scheduler.events import LeaseExpired, RefitFinished, TimeRanOut
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.policy import Policy
from orchestrator.scheduler.transitions import Phase, TrialState

WORKERS = st.sampled_from(["w1", "w2", "w3"])
policies = st.builds(
    Policy,
    goal=st.sampled_from(["maximise", "minimise"]),
    trials=st.integers(1, 8),
    target=st.none() | st.just(100.0),
    patience=st.none() | st.integers(1, 5),
    attempts=st.integers(1, 3),
    mode=st.sampled_from(["asynchronous", "synchronous", "sequential"]),
    batch=st.integers(1, 4),
)


class AnySequence(RuleBasedStateMachine):
    """Three workers, a handful of trials, and every event at any moment."""

    @initialize(policy=policies)
    def begin(self, policy: Policy) -> None:
        self.lab = Lab(policy)
        self.given: list[str] = []
        self.do(self.lab.start())

    def do(self, commands: list[object]) -> None:
        new = leased(commands)
        assert not set(new) & set(self.given), "a lease is given once"
        self.given.extend(new)

    def active(self) -> bool:
        return self.lab.state.phase in (Phase.ACTIVE, Phase.DRAINING)

    def a_lease(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([*self.given, "99.1"]))

    @precondition(lambda self: self.lab.state.asking is not None)
    @rule(short=st.integers(0, 1))
    def suggest(self, short: int) -> None:
        assert self.lab.state.asking is not None
        self.do(self.lab.suggest(max(0, self.lab.state.asking - short * (len(self.given) > 5))))

    @rule(worker=WORKERS, slots=st.integers(1, 2), local=st.booleans(), data=st.data())
    def join(self, worker: str, slots: int, local: bool, data: st.DataObject) -> None:
        held = data.draw(st.lists(st.sampled_from([*self.given, "99.1"]), max_size=2, unique=True))
        self.do(self.lab.join(worker, slots, held, local))

    @rule(worker=WORKERS, lost=st.booleans())
    def leave(self, worker: str, lost: bool) -> None:
        self.do(self.lab.leave(worker, lost))

    @rule(worker=WORKERS, value=st.sampled_from([0.0, 1.0, -1.0, 100.0]), data=st.data())
    def succeed(self, worker: str, value: float, data: st.DataObject) -> None:
        commands = self.lab.succeed(self.a_lease(data), value, worker, elapsed=0.5)
        assert len(only(Acknowledge, commands)) == 1
        assert len(only(Tell, commands)) == int(only(Acknowledge, commands)[0].counted)
        self.do(commands)

    @rule(worker=WORKERS, data=st.data())
    def fail(self, worker: str, data: st.DataObject) -> None:
        self.do(self.lab.fail(self.a_lease(data), worker))

    @rule(data=st.data())
    def expire(self, data: st.DataObject) -> None:
        self.do(self.lab.happen(LeaseExpired(at=self.lab.tick(), lease=self.a_lease(data), reason="late")))

    @rule(number=st.integers(1, 4))
    def refit(self, number: int) -> None:
        self.do(self.lab.happen(RefitFinished(at=self.lab.tick(), number=number, observations=1, payload={})))

    @rule()
    def resume(self) -> None:
        self.do(self.lab.resume())

    @rule(now=st.booleans())
    def stop(self, now: bool) -> None:
        self.do(self.lab.stop(now))

    @rule(chance=st.integers(0, 9))
    def run_out_of_time(self, chance: int) -> None:
        if chance == 0:
            self.do(self.lab.happen(TimeRanOut(at=self.lab.tick())))

    @invariant()
    def no_value_is_told_twice(self) -> None:
        if hasattr(self, "lab"):
            told = [tell.trial for tell in only(Tell, self.lab.commands)]
            assert len(told) == len(set(told))
            settled = {
                number
                for number, trial in self.lab.state.trials.items()
                if trial.state in (TrialState.COMPLETED, TrialState.FAILED)
            }
            assert set(told) == settled

    def teardown(self) -> None:
        if not hasattr(self, "lab"):
            return
        again = Scheduler(self.lab.policy)
        commands = [command for event in self.lab.events for command in again.handle(event)]
        assert commands == self.lab.commands
        assert again.state == self.lab.state
        self.end()

    def end(self) -> None:
        """One good worker from here on: the run ends."""
        lab = copy.deepcopy(self.lab)
        lab.resume()
        for _ in range(200):
            if lab.state.phase is Phase.FINISHED:
                break
            if lab.state.asking:
                lab.suggest()
            for trial in [trial for trial in lab.state.unsettled.values() if trial.lease]:
                # The fleet is replaced: what is out is called lost, and the good worker does the rest.
                if trial.worker != "good":
                    lab.happen(LeaseExpired(at=lab.tick(), lease=str(trial.lease), reason="lost"))
            if "good" not in lab.state.workers:
                for name in list(lab.state.workers):
                    lab.leave(name, lost=False)
                lab.join("good")
            for lease in lab.leases("good"):
                lab.succeed(lease, -5.0, "good")
        assert lab.state.phase is Phase.FINISHED, lab.state
        assert not violations(lab.state)
        assert math.isfinite(lab.state.at)


TestAnySequence = AnySequence.TestCase
TestAnySequence.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
