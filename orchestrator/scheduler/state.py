"""What the scheduler knows: the trials, the leases, the run, and which workers there are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.comparison_events import ComparisonTold
from orchestrator.scheduler.endings import RESUMABLE
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import Decision, RemainingGainEstimated
from orchestrator.scheduler.jobs import Jobs
from orchestrator.scheduler.mending_events import NO_OTHERS, OtherBearers
from orchestrator.scheduler.pace import Pace
from orchestrator.scheduler.reservations import Reservations
from orchestrator.scheduler.rules.added_candidates import Columns
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED, AmendedConstraints
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues
from orchestrator.scheduler.rules.bounds import outside
from orchestrator.scheduler.rules.places import Places, away
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.worker import IN_DOUBT, Worker
from orchestrator.values.named import Values


@dataclass(slots=True)
class State:
    """Everything that follows from the events so far. ``slots`` is the capacity of all connected workers;
    ``parted`` has of those that are gone, by name, how many values and failures they sent.

    ``observed`` are the trials that the optimiser was to be told of, and the results known from elsewhere
    (numbered from 0 downwards), in the order in which they came; of these, the ``untold`` wait for the rest
    of their round. ``bounds`` and ``constraints`` are those that were amended, ``broken_before`` has beside
    each of these on outcomes, and of those relative to the reference, the trials that did not satisfy it by
    then, ``candidates`` are the rows that were added to the listed ones, ``values`` is how values come of
    results, as far as that was amended, ``fixed`` is what is held of which the optimiser knows no other
    value,
    ``withdrawn`` counts the trials abandoned that the budget does not pay for, ``spent`` adds up what the
    others cost, ``added`` counts the results that came to be known after the start, ``points_added`` the
    trials that people did, and ``model`` how often the optimiser began anew.
    ``paused`` outlasts a stop. ``unattended_s`` is how long nobody worked on the run, as its clock, if
    it has one, went on; that had come to ``shown_s`` when the time of day was ``wall``.
    ``requests`` are those of people that took effect, by name and kind of event.
    ``out_of_attempts`` counts the trials of this life that failed at every attempt, and ``failing_alike`` has
    those for which the run stopped last, as they all failed in the same words. ``gains`` are this
    model's last estimates of what is left to gain. ``best`` is the best trial of one objective, and of
    several the ``front`` those that no other one beats in all; ``since_best`` is what the trials cost that
    were settled after it, or after the last that joined the front: each 1, where all look equally closely.
    ``asked_knowing`` is how many had come when the optimiser was last asked; it ``awaits_results`` where it
    has no more points before some come in of what runs.
    ``compared`` is what people said of how two trials compare.
    ``parts`` of points are to be tried still, of each of which the rest is chosen when its turn comes.
    ``to_go`` is how many evaluations the last of them was from where it led, 0 unless it was on the way.
    ``lost_amendments`` are those of a mended journal that nobody has resumed yet, and ``others`` had numbers
    there that trials have now. ``last_leased`` is the trial that was last given to a worker, ``put_at`` where
    a person has put the machine since, and ``changing_s`` what all changes so far take, as that was said.
    ``block`` is that of what is handed out now, as far as a person said so. ``jobs`` are those that a queue
    has. Where trials take several slots, some worker can have each up to number ``fitting`` that waits.
    """

    policy: Policy
    phase: Phase = Phase.WAITING
    run: str = ""
    wall: str = ""
    at: float = 0.0
    lives: int = 0
    unattended_s: float = 0.0
    shown_s: float = 0.0
    in_turn: bool = False
    pays_for_begun: bool = False
    takes_back: bool = False
    approves_attempts: bool = False
    spares_the_way: bool = False
    renewed_by_trials: bool = False
    counts_given_back: bool = False
    gives_up_alike: bool = False
    evaluated_by: Mapping[str, str] = field(default_factory=dict)
    trials: dict[int, Trial] = field(default_factory=dict)
    unsettled: dict[int, Trial] = field(default_factory=dict)
    queue: deque[int] = field(default_factory=deque)
    workers: dict[str, Worker] = field(default_factory=dict)
    parted: dict[str, tuple[int, int]] = field(default_factory=dict)
    idle: dict[str, Worker] = field(default_factory=dict)
    slots: int = 0
    asks: int = 0
    asking: int | None = None
    asked_at: float = 0.0
    asked_knowing: int = 0
    exhausted: bool = False
    awaits_results: bool = False
    completed: int = 0
    failed: int = 0
    out_of_attempts: int = 0
    failing_alike: frozenset[int] = frozenset()
    stopped: int = 0
    abandoned: int = 0
    known: int = 0
    added: int = 0
    points_added: int = 0
    observed: list[Trial] = field(default_factory=list)
    untold: list[Trial] = field(default_factory=list)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    constraints: AmendedConstraints = NOTHING_AMENDED
    broken_before: Mapping[str, frozenset[int]] = field(default_factory=dict)
    candidates: Columns = field(default_factory=dict)
    values: AmendedValues = AS_GIVEN
    fixed: Places = field(default_factory=dict)
    withdrawn: int = 0
    spent: float = 0.0
    model: int = 0
    paused: bool = False
    requests: set[tuple[str, str]] = field(default_factory=set)
    late: int = 0
    refits: int = 0
    best: Trial | None = None
    front: tuple[Trial, ...] = ()
    since_best: float = 0.0
    to_go: int = 0
    insight: Mapping[str, Any] = field(default_factory=dict)
    gains: tuple[RemainingGainEstimated, ...] = ()
    pace: Pace = field(default_factory=Pace)
    ending: str = ""
    ended_badly: bool = False
    message: str = ""
    lost_amendments: tuple[str, ...] = ()
    others: OtherBearers = NO_OTHERS
    last_leased: Trial | None = None
    put_at: Values = field(default_factory=dict)
    changing_s: float = 0.0
    compared: list[ComparisonTold] = field(default_factory=list)
    block: str = ""
    parts: tuple[Values, ...] = ()
    jobs: Jobs = field(default_factory=Jobs)
    fitting: int = 0

    @property
    def stands(self) -> Mapping[str, Any]:
        """Where the machine stands, if it may not travel anywhere at once, or not in no time: at the trial
        that it was last given, whatever came of that; before any, at the first, with which a spec begins that
        says how far it may travel; or where a person has put it since. Else empty.
        """
        trial = self.last_leased or (self.trials.get(1) if self.policy.travel else None)
        there = {} if trial is None else trial.parameters
        return {**there, **self.put_at} if self.policy.one_machine else {}

    @property
    def will_stand(self) -> Values:
        """The same once all is evaluated that people want evaluated."""
        wanted = [number for number in self.queue if self.trials[number].ask is None]
        return self.trials[wanted[-1]].parameters if wanted and self.policy.travel else self.stands

    def shown_by_clock(self, at: float) -> Places:
        """The parameter whose value is the time, if there is one, and what it is ``at`` a time of the run."""
        clock = self.policy.clock
        return {} if clock is None else {clock.parameter: clock.shows(at + self.unattended_s)}

    @property
    def places(self) -> Places:
        """Where parameters are held now, the time among them."""
        return {**self.policy.held, **self.shown_by_clock(self.at)}

    @property
    def ends_s(self) -> float | None:
        """When the run is over, in its seconds as events have them: its time is spent, or its clock is at its
        end; None if never.
        """
        clock = self.policy.clock
        ends = [] if self.policy.time_s is None else [self.policy.time_s]
        ends += [] if clock is None else [clock.end_s - self.unattended_s]
        return min(ends, default=None)

    @property
    def next_to_lease(self) -> tuple[Trial, Worker] | None:
        """The first trial in the queue that may go to a worker which waits for work and has room for it, and
        that worker. Where a trial waits for room, a worker is reserved for it.
        """
        if not self.queue or not self.idle or (self.in_turn and self.running >= self.policy.at_a_time):
            return None
        if (waiting := len(self.uncompared)) and self.running + waiting >= self.room:
            return None
        shared = self.shared_now
        reserved: Reservations | None = None
        for number in self.queue:
            trial = self.trials[number]
            if (trial.approved or not self.policy.approval) and not away(shared, trial.parameters):
                if reserved is None or trial.slots <= reserved.most_free:
                    for worker in self._idle_for(trial):
                        has_room = trial.slots <= worker.free and (reserved is None or worker not in reserved)
                        if has_room and self.may_try(worker, trial):
                            return trial, worker
                if trial.slots > 1:
                    reserved = reserved or Reservations(self.workers.values())
                    reserved.reserve_for(trial, self.may_try)
                    if reserved.most_free <= 0:
                        return None
        return None

    def _idle_for(self, trial: Trial) -> Iterable[Worker]:
        """Those who wait for work, the longest idle first; but where the trial goes on from another, first
        those where that lies.
        """
        begun = self.begun(trial)
        if begun is None:
            return self.idle.values()
        return sorted(self.idle.values(), key=lambda worker: worker.place != begun.place)

    def begun(self, trial: Trial) -> Trial | None:
        """The trial that one goes on from; None if from none, or if what that came to is not believed."""
        begun = self.trials.get(trial.continues)
        return None if begun is None or begun.forgotten else begun

    def keeps_files_under(self, trial: Trial) -> int:
        """The number under which its files are where it left them; 0 where they are nowhere, as it was never
        evaluated, or another one was since under the number that it had then.
        """
        other = self.trials.get(trial.evaluated_as)
        is_left = other is None or other.evaluated_as > 0 or other.begun == 0
        return trial.files_number if is_left else 0

    @property
    def shared_now(self) -> Places:
        """What all have that run, where trials share something: what is elsewhere waits until none runs."""
        if not self.policy.sharing:
            return {}
        running = (one for one in self.unsettled.values() if one.lease is not None)
        return next((self.policy.shared_by(one.parameters) for one in running), {})

    def may_try(self, worker: Worker, trial: Trial) -> bool:
        """Elsewhere than where it failed, if that is in doubt: a sick machine must not use up the attempts of
        all trials. Where there is no other place, there. The worker whose machine may travel only so far, or
        takes time to change, is the one that had the last trial, as long as it is there: others would stand
        somewhere else.
        """
        last = self.last_leased
        if self.policy.one_machine and last is not None and last.worker in self.workers:
            return worker.name == last.worker
        if worker.place not in trial.failed_at or worker.failed_in_a_row < IN_DOUBT:
            return True
        large_enough = (other for other in self.workers.values() if other.slots >= trial.slots)
        takers = (other for other in large_enough if not other.draining)
        return all(other.place in trial.failed_at for other in takers)

    @property
    def comparable(self) -> list[Trial]:
        """The trials that people can compare, in the order in which they were carried out."""
        if not self.policy.compared:
            return []
        return [one for one in self.observed if one.state is TrialState.COMPLETED and self.counts(one)]

    def weighs(self, trial: Trial) -> bool:
        """Whether it has a value, or was carried out where people compare trials."""
        carried_out = self.policy.compared and trial.state is TrialState.COMPLETED
        return trial.value is not None or carried_out

    def is_comparable(self, number: int) -> bool:
        """Whether a trial was carried out, and counts."""
        trial = self.trials.get(number)
        return trial is not None and trial.state is TrialState.COMPLETED and self.counts(trial)

    @property
    def uncompared(self) -> list[Trial]:
        """Those of them that people are to compare: each keeps its place among those under way until then. To
        the first of all, where none is compared yet, the others are compared.
        """
        if not self.policy.compared:
            return []
        comparable = self.comparable
        told = self._compared_among(comparable)
        waiting = [one for one in comparable if one.number not in told]
        return waiting if told else waiting[1:]

    @property
    def compared_by_now(self) -> set[int]:
        """The numbers of those that were compared with one another."""
        return self._compared_among(self.comparable)

    def _compared_among(self, comparable: Iterable[Trial]) -> set[int]:
        numbers = {one.number for one in comparable}
        pairs = [(one.trial, one.other) for one in self.compared]
        return {number for pair in pairs if numbers.issuperset(pair) for number in pair}

    @property
    def budgeted(self) -> int:
        """Trials that the budget pays for: all but those that were withdrawn."""
        return len(self.trials) - self.withdrawn

    def inside(self, parameters: Values) -> bool:
        """Whether a point lies within the bounds as they are now."""
        return not (self.bounds and outside(self.bounds, parameters))

    def where_held(self, parameters: Values) -> bool:
        """Whether a point lies where parameters are held now."""
        return not away(self.policy.held, parameters)

    def breaks_added(self, trial: Trial) -> tuple[str, ...]:
        """The constraints added to the run that a trial's point does not satisfy, or on outcomes those that
        were not satisfied by what had come of it when they were added, or when it became known what they are
        relative to.
        """
        if not (trial.broken and (self.constraints.added or self.broken_before)):
            return ()
        added, before = self.constraints.added, self.broken_before
        return tuple(
            text
            for text in trial.broken
            if (trial.number in before[text] if text in before else text in added)
        )

    def where_sought(self, trial: Trial) -> bool:
        """Whether a trial lies where the best one is sought: where parameters are held, and the constraints
        that were added hold.
        """
        return self.where_held(trial.parameters) and not self.breaks_added(trial)

    def may_wait(self, trial: Trial) -> bool:
        """Whether a trial may be evaluated still: it is within the bounds, and where the best one is."""
        return self.inside(trial.parameters) and self.where_sought(trial)

    def counts(self, trial: Trial) -> bool:
        """Whether anything follows from what became of a trial: the model, the best, the end of the run."""
        return not trial.forgotten and self.inside(trial.parameters)

    def may_be_best(self, told: Trial | KnownResult) -> bool:
        """Whether what came of a point may be the best, or a trade-off, if it counts: it satisfies the
        constraints and is where the best one must be. By the clock that is now, which no trial is; over what
        varies in use it is in all of that, and a trial in one condition.
        """
        return (
            not self.policy.no_trial_is_best
            and not told.broken
            and not self.policy.elsewhere(told.parameters)
        )

    def takes(self, event: Amendment | Decision) -> bool:
        """Note that an event takes effect; False if its request, where a person caused it, did so before."""
        if event.request:
            taken = (event.request, type(event).__name__)
            if taken in self.requests:
                return False
            self.requests.add(taken)
        return True

    @property
    def resumable(self) -> bool:
        """Whether a new life has anything to do: the run did not end as its budget meant."""
        return self.phase is not Phase.FINISHED or self.ending in RESUMABLE

    @property
    def room(self) -> float:
        """How many trials may be under way at a time, those counted that wait for people to compare them."""
        return min(self.policy.at_a_time, max(1, self.slots))

    @property
    def away(self) -> int:
        """Trials under a live lease of a worker that is not connected, where each takes one slot."""
        return self.running - (self.slots - sum(worker.free for worker in self.idle.values()))

    @property
    def running(self) -> int:
        """Trials under a live lease."""
        return len(self.unsettled) - len(self.queue)
