"""Whatever happens, in whatever order: the invariants hold, a replay agrees, and the run can end."""

from __future__ import annotations

import copy
import math

from any_policy import KEPT, MOST_SLOTS, RELATIVE, RULES, policies
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lab import Lab, leased, only

from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    BudgetAmended,
    HeldAmended,
    ObservationsForgotten,
    PointsAdded,
    ResultsAdded,
    RunContinued,
    RunPaused,
)
from orchestrator.scheduler.commands import Acknowledge, Ask, Evaluate, Rebuild, Tell
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import (
    Event,
    LeaseExpired,
    RefitFinished,
    RemainingGainEstimated,
    TrialApproved,
    TrialRefused,
    WorkerBeganDraining,
)
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.rules.places import away
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.scheduler.transitions import Phase

WORKERS = st.sampled_from(["w1", "w2", "w3"])
BATCHES = st.sampled_from(["march", "april"])
EXTRAS = st.fixed_dictionaries(
    {"lift": st.sampled_from([0.0, 1.0, 2.0]), "heat": st.sampled_from([0.0, 1.0])}
)


class AnySequence(RuleBasedStateMachine):
    """Three workers, a handful of trials, and every event at any moment."""

    @initialize(
        policy=policies,
        as_now=st.booleans(),
        crew=st.lists(WORKERS, unique=True, min_size=1),
        quick=st.sampled_from([*[True] * 7, False]),
    )
    def begin(self, policy: Policy, as_now: bool, crew: list[str], quick: bool) -> None:
        """``quick``: what is asked for is suggested at once, or few would ever be evaluated."""
        self.lab = Lab(policy)
        self.given: list[str] = []
        self.quick = quick
        self.do(self.lab.start(**dict.fromkeys(RULES, as_now)))
        for worker in crew:
            self.do(self.lab.join(worker, MOST_SLOTS))

    def do(self, commands: list[object]) -> None:
        self.latest = commands
        self.check(commands)
        while self.quick and self.lab.state.optimiser.asking:
            batch = "march" if len(self.lab.state.trials) % 2 else "april"
            more = self.answer(self.lab.state.optimiser.asking, 1.0, batch)
            self.latest = [*self.latest, *more]
            self.check(more)

    def answer(self, count: int, cost: float, batch: str) -> list[object]:
        low, _ = self.lab.state.amended.bounds.get("x", (None, None))
        beside = {"batch": batch, **self.lab.state.policy.where.held}
        return self.lab.suggest(count, x=low, cost=cost, beside=beside)

    def check(self, commands: list[object]) -> None:
        new = leased(commands)
        assert not set(new) & set(self.given), "a lease is given once"
        self.given.extend(new)
        for command in only(Evaluate, commands):
            state, trial = self.lab.state, self.lab.trial(command.trial)
            if (worker := state.crew.workers.get(command.worker)) is not None:
                assert worker.taken <= worker.slots, "nobody is given more than has room"
            assert trial.approved or not state.policy.evaluations.approval
            assert not away(state.shared_now, trial.parameters), "what runs has in common what is shared"

    def active(self) -> bool:
        return self.lab.state.phase in (Phase.ACTIVE, Phase.DRAINING)

    def a_lease(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([*self.given, "99.1"]))

    @precondition(lambda self: self.lab.state.optimiser.asking is not None)
    @rule(short=st.integers(0, 1), cost=st.sampled_from([1.0, 0.1, 0.7]), batch=BATCHES)
    def suggest(self, short: int, cost: float, batch: str) -> None:
        asking = self.lab.state.optimiser.asking
        assert asking is not None
        self.do(self.answer(max(0, asking - short * (len(self.given) > 5)), cost, batch))

    @rule(
        worker=WORKERS,
        slots=st.sampled_from([1, 2, MOST_SLOTS]),
        local=st.booleans(),
        draining=st.booleans(),
        data=st.data(),
    )
    def join(self, worker: str, slots: int, local: bool, draining: bool, data: st.DataObject) -> None:
        held = data.draw(st.lists(st.sampled_from([*self.given, "99.1"]), max_size=2, unique=True))
        # Not one in two: those who work are what the rest is about.
        self.do(self.lab.join(worker, slots, held, local, draining and local))

    @rule(worker=WORKERS)
    def drain(self, worker: str) -> None:
        self.do(self.lab.happen(WorkerBeganDraining(at=self.lab.tick(), worker=worker)))

    @rule(worker=WORKERS, lost=st.booleans())
    def leave(self, worker: str, lost: bool) -> None:
        self.do(self.lab.leave(worker, lost))

    @rule(levels=st.sampled_from([{}, {"heat": 1.0}]), broken=st.lists(st.integers(-2, 6), unique=True))
    def measure_the_reference(self, levels: dict[str, float], broken: list[int]) -> None:
        at = self.lab.tick()
        event = ReferenceMeasured(at=at, levels=levels, broken={RELATIVE: tuple(broken)})
        self.do(self.lab.happen(event))

    @rule(
        worker=WORKERS,
        value=st.sampled_from([0.0, 1.0, -1.0, 100.0]),
        broken=st.sampled_from([(), (), (KEPT,), (RELATIVE,)]),
        extras=EXTRAS,
        data=st.data(),
    )
    def succeed(
        self,
        worker: str,
        value: float,
        broken: tuple[str, ...],
        extras: dict[str, float],
        data: st.DataObject,
    ) -> None:
        state = self.lab.state
        waiting = {trial.number for trial in state.untold}
        commands = self.lab.succeed(
            self.a_lease(data), value, worker, elapsed=0.5, broken=broken, extras=extras
        )
        assert len(only(Acknowledge, commands)) == 1
        counted = only(Acknowledge, commands)[0].counted
        # A trial that the bounds have left behind while it ran is recorded, and not told.
        latest = state.observed[-1] if counted else None
        if latest is not None and state.counts(latest):
            waiting.add(latest.number)
        # A round is told as a whole.
        held_back = state.policy.mode.kind == "synchronous" and bool(state.unsettled)
        told = [tell.trial for tell in only(Tell, commands)]
        assert told == ([] if held_back else sorted(waiting))
        self.do(commands)

    @rule(worker=WORKERS, data=st.data())
    def fail(self, worker: str, data: st.DataObject) -> None:
        self.do(self.lab.fail(self.a_lease(data), worker))

    @rule(data=st.data())
    def find_unlikely(self, data: st.DataObject) -> None:
        lease = self.a_lease(data)
        live = any(trial.lease == lease for trial in self.lab.state.unsettled.values())
        stopped = self.lab.state.tally.stopped
        self.do(self.lab.find_unlikely(lease))
        assert self.lab.state.tally.stopped - stopped == live

    @rule(counts=st.booleans(), waited=st.booleans(), data=st.data())
    def expire(self, counts: bool, waited: bool, data: st.DataObject) -> None:
        at, lease = self.lab.tick(), self.a_lease(data)
        expired = LeaseExpired(at=at, lease=lease, reason="late", counts=counts and not waited, waited=waited)
        self.do(self.lab.happen(expired))

    @rule(trial=st.integers(1, 8))
    def approve(self, trial: int) -> None:
        self.do(self.lab.happen(TrialApproved(at=self.lab.tick(), trial=trial)))

    @rule(trial=st.integers(1, 8), forgotten=st.booleans())
    def refuse(self, trial: int, forgotten: bool) -> None:
        at = self.lab.tick()
        self.do(self.lab.happen(TrialRefused(at=at, trial=trial, reason="too hot", forgotten=forgotten)))

    @rule(number=st.integers(1, 4))
    def refit(self, number: int) -> None:
        self.do(self.lab.happen(RefitFinished(at=self.lab.tick(), number=number, observations=1, payload={})))

    @rule(number=st.integers(1, 4), little=st.booleans())
    def estimate_gain(self, number: int, little: bool) -> None:
        self.do(
            self.lab.happen(
                RemainingGainEstimated(
                    at=self.lab.tick(),
                    refit=number,
                    observations=1,
                    draws=(0.0, 0.001 if little else 1.0),
                    model=self.lab.state.optimiser.model,
                )
            )
        )

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

    @rule(low=st.integers(-1, 4), width=st.integers(1, 9))
    def amend_bounds(self, low: int, width: int) -> None:
        self.amend(BoundsAmended(at=self.lab.tick(), bounds={"x": (low, low + width)}))

    @rule(
        trials=st.none() | st.integers(1, 12),
        cost=st.none() | st.sampled_from([0.1, 1.0, 3.3]),
        patience=st.none() | st.integers(1, 6),
        good_enough=st.none() | st.sampled_from([0.5, 100.0]),
        lifted=st.sampled_from([(), (), ("target",), ("patience", "time"), ("cost", "expected_gain")]),
    )
    def amend_budget(
        self,
        trials: int | None,
        cost: float | None,
        patience: int | None,
        good_enough: float | None,
        lifted: tuple[str, ...],
    ) -> None:
        self.amend(
            BudgetAmended(
                at=self.lab.tick(),
                trials=trials,
                cost=cost,
                patience=patience,
                target=good_enough,
                lifted=lifted,  # type: ignore[arg-type]
            )
        )

    @rule(batch=st.none() | BATCHES)
    def amend_what_is_held(self, batch: str | None) -> None:
        held, freed = ({}, ("batch",)) if batch is None else ({"batch": batch}, ())
        self.amend(HeldAmended(at=self.lab.tick(), held=held, freed=freed))

    @rule(
        x=st.integers(-2, 6),
        batch=BATCHES,
        value=st.sampled_from([None, 0.0, 1.0, 100.0]),
        outcomes=EXTRAS | st.just({}),
    )
    def add_a_result(self, x: int, batch: str, value: float | None, outcomes: dict[str, float]) -> None:
        known = KnownResult(parameters={"x": x, "batch": batch}, value=value, outcomes=outcomes)
        self.amend(ResultsAdded(at=self.lab.tick(), results=(known,)))

    @rule(
        places=st.lists(st.integers(-2, 6), min_size=1, max_size=3),
        batch=BATCHES,
        cost=st.sampled_from([1.0, 0.1]),
    )
    def add_points(self, places: list[int], batch: str, cost: float) -> None:
        before, phase = set(self.lab.state.trials), self.lab.state.phase
        points = tuple({"x": x, "batch": batch} for x in places)
        event = PointsAdded(at=self.lab.tick(), points=points, costs=(cost,) * len(points))
        commands = self.lab.happen(event)
        state = self.lab.state
        made = [trial.parameters for number, trial in state.trials.items() if number not in before]
        # As many as the budget pays for.
        assert made == list(points[: len(made)])
        asked_for = [state.trials[number].ask is not None for number in state.waiting.queue]
        assert asked_for == sorted(asked_for), "what people want waits before what the optimiser asked for"
        assert phase is not Phase.FINISHED or state.phase is Phase.FINISHED
        self.do(commands)

    @rule(number=st.integers(-2, 8))
    def forget(self, number: int) -> None:
        self.amend(ObservationsForgotten(at=self.lab.tick(), trials=(number,), reason="unplugged"))

    @rule(on=st.booleans())
    def pause(self, on: bool) -> None:
        self.amend(RunPaused(at=self.lab.tick()) if on else RunContinued(at=self.lab.tick()))

    def amend(self, event: Event) -> None:
        made, phase = len(self.lab.state.trials), self.lab.state.phase
        commands = self.lab.happen(event)
        assert len(self.lab.state.trials) == made
        # Nobody is at work on a run that has ended: it goes on when it is resumed.
        assert phase is not Phase.FINISHED or self.lab.state.phase is Phase.FINISHED
        self.do(commands)

    @invariant()
    def a_paused_run_starts_nothing(self) -> None:
        if hasattr(self, "lab") and self.lab.state.phase is Phase.PAUSED:
            assert not only(Ask, self.latest)
            assert not only(Evaluate, self.latest)

    @invariant()
    def nobody_who_drains_is_given_anything(self) -> None:
        if hasattr(self, "lab"):
            state = self.lab.state
            draining = {name for name, worker in state.crew.workers.items() if worker.draining}
            assert not draining & {command.worker for command in only(Evaluate, self.latest)}

    @invariant()
    def no_value_is_told_twice(self) -> None:
        if hasattr(self, "lab"):
            commands = self.lab.commands
            anew = [index for index, command in enumerate(commands) if isinstance(command, Rebuild)]
            told = [tell.trial for tell in only(Tell, commands[anew[-1] if anew else 0 :])]
            assert len(told) == len(set(told))
            state = self.lab.state
            waiting = {trial.number for trial in state.untold}
            counting = [trial.number for trial in state.observed if state.counts(trial)]
            assert waiting <= set(counting)
            if anew and state.policy.mode.kind != "synchronous":
                # Since the last time that what counts has changed, in the old order.
                assert told == counting
            else:
                assert set(told) == set(counting) - waiting

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
        lab.happen(RunContinued(at=lab.tick()))
        for _ in range(200):
            if lab.state.phase is Phase.FINISHED:
                break
            if lab.state.optimiser.asking:
                low, _ = lab.state.amended.bounds.get("x", (0, 0))
                lab.suggest(x=low, beside={"batch": "march", **lab.state.policy.where.held})
            for trial in [trial for trial in lab.state.unsettled.values() if trial.lease]:
                # The fleet is replaced: what is out is called lost, and the good worker does the rest.
                if trial.worker != "good":
                    lab.happen(LeaseExpired(at=lab.tick(), lease=str(trial.lease), reason="lost"))
            for number in [number for number in lab.state.waiting.queue if not lab.trial(number).approved]:
                lab.happen(TrialApproved(at=lab.tick(), trial=number))
            if "good" not in lab.state.crew.workers:
                for name in list(lab.state.crew.workers):
                    lab.leave(name, lost=False)
                lab.join("good", slots=1 if lab.state.policy.evaluations.slots is None else MOST_SLOTS)
            for lease in lab.leases("good"):
                lab.succeed(lease, -5.0, "good")
        assert lab.state.phase is Phase.FINISHED, lab.state
        assert not violations(lab.state)
        assert math.isfinite(lab.state.at)


TestAnySequence = AnySequence.TestCase
TestAnySequence.settings = settings(max_examples=150, stateful_step_count=40)
