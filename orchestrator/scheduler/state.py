"""What the scheduler knows: the trials, the leases, the run, and which workers there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.scheduler.amended import Amended
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.comparison_events import ComparisonTold
from orchestrator.scheduler.crew import Crew
from orchestrator.scheduler.endings import RESUMABLE
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.events import Decision, RunStarted
from orchestrator.scheduler.jobs import Jobs
from orchestrator.scheduler.mending_events import NO_OTHERS, OtherBearers
from orchestrator.scheduler.optimiser import Optimiser
from orchestrator.scheduler.rules.bounds import outside
from orchestrator.scheduler.rules.places import Places, away
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state_parts import Apparatus, End, Found, Unattended, Waiting
from orchestrator.scheduler.tally import Tally
from orchestrator.scheduler.transitions import Phase
from orchestrator.scheduler.trial import Trial
from orchestrator.values.named import Values

NOT_STARTED = RunStarted(at=0.0, run="", wall="")
"""Of a run that waits for its first event."""


@dataclass(slots=True)
class State:
    """Everything that follows from the events so far.

    ``started`` is the event that the run began with: what the journals of its time meant hangs on it.
    ``observed`` are the trials that the optimiser was to be told of, and the results known from elsewhere
    (numbered from 0 downwards), in the order in which they came; of these, the ``untold`` wait for the rest
    of their round. ``jobs`` are those that a queue has. ``evaluated_by`` are the checksums of files that
    evaluations are made with, as they are now. ``block`` is that of what is handed out now, as far as a
    person said so. ``compared`` is what people said of how two trials compare. ``requests`` are those of
    people that took effect, by name and kind of event. ``paused`` outlasts a stop. ``others`` had numbers in
    a mended journal that trials have now.
    """

    policy: Policy
    phase: Phase = Phase.WAITING
    started: RunStarted = NOT_STARTED
    at: float = 0.0
    lives: int = 0
    unattended: Unattended = field(default_factory=Unattended)
    evaluated_by: Mapping[str, str] = field(default_factory=dict)
    trials: dict[int, Trial] = field(default_factory=dict)
    unsettled: dict[int, Trial] = field(default_factory=dict)
    waiting: Waiting = field(default_factory=Waiting)
    observed: list[Trial] = field(default_factory=list)
    untold: list[Trial] = field(default_factory=list)
    crew: Crew = field(default_factory=Crew)
    jobs: Jobs = field(default_factory=Jobs)
    optimiser: Optimiser = field(default_factory=Optimiser)
    tally: Tally = field(default_factory=Tally)
    found: Found = field(default_factory=Found)
    amended: Amended = field(default_factory=Amended)
    requests: set[tuple[str, str]] = field(default_factory=set)
    paused: bool = False
    compared: list[ComparisonTold] = field(default_factory=list)
    block: str = ""
    others: OtherBearers = NO_OTHERS
    apparatus: Apparatus = field(default_factory=Apparatus)
    end: End = field(default_factory=End)

    @property
    def stands(self) -> Mapping[str, Any]:
        """Where the machine stands, if it may not travel anywhere at once, or not in no time: at the trial
        that it was last given, whatever came of that; before any, at the first, with which a spec begins that
        says how far it may travel; or where a person has put it since. Else empty.
        """
        trial = self.apparatus.last_leased or (self.trials.get(1) if self.policy.where.travel else None)
        there = {} if trial is None else trial.parameters
        return {**there, **self.apparatus.put_at} if self.policy.where.one_machine else {}

    @property
    def will_stand(self) -> Values:
        """The same once all is evaluated that people want evaluated."""
        wanted = [number for number in self.waiting.queue if self.trials[number].ask is None]
        return self.trials[wanted[-1]].parameters if wanted and self.policy.where.travel else self.stands

    def shown_by_clock(self, at: float) -> Places:
        """The parameter whose value is the time, if there is one, and what it is ``at`` a time of the run."""
        clock = self.policy.where.clock
        return {} if clock is None else {clock.parameter: clock.shows(at + self.unattended.seconds)}

    @property
    def places(self) -> Places:
        """Where parameters are held now, the time among them."""
        return {**self.policy.where.held, **self.shown_by_clock(self.at)}

    @property
    def ends_s(self) -> float | None:
        """When the run is over, in its seconds as events have them: its time is spent, or its clock is at its
        end; None if never.
        """
        clock = self.policy.where.clock
        ends = [] if self.policy.budget.time_s is None else [self.policy.budget.time_s]
        ends += [] if clock is None else [clock.end_s - self.unattended.seconds]
        return min(ends, default=None)

    def begun(self, trial: Trial) -> Trial | None:
        """The trial that one goes on from; None if from none, or if what that came to is not believed."""
        begun = self.trials.get(trial.suggested.continues)
        return None if begun is None or begun.forgotten else begun

    def keeps_files_under(self, trial: Trial) -> int:
        """The number under which its files are where it left them; 0 where they are nowhere, as it was never
        evaluated, or another one was since under the number that it had then.
        """
        other = self.trials.get(trial.evaluated_as)
        is_left = other is None or other.evaluated_as > 0 or other.attempts.begun == 0
        return trial.files_number if is_left else 0

    @property
    def shared_now(self) -> Places:
        """What all have that run, where trials share something: what is elsewhere waits until none runs."""
        if not self.policy.mode.sharing:
            return {}
        running = (one for one in self.unsettled.values() if one.lease is not None)
        return next((self.policy.mode.shared_by(one.parameters) for one in running), {})

    @property
    def budgeted(self) -> int:
        """Trials that the budget pays for: all but those that were withdrawn."""
        return len(self.trials) - self.tally.withdrawn

    def inside(self, parameters: Values) -> bool:
        """Whether a point lies within the bounds as they are now."""
        return not (self.amended.bounds and outside(self.amended.bounds, parameters))

    def where_held(self, parameters: Values) -> bool:
        """Whether a point lies where parameters are held now."""
        return not away(self.policy.where.held, parameters)

    def breaks_added(self, trial: Trial) -> tuple[str, ...]:
        """The constraints added to the run that a trial's point does not satisfy, or on outcomes those that
        were not satisfied by what had come of it when they were added, or when it became known what they are
        relative to.
        """
        added, before = self.amended.constraints.added, self.amended.broken_before
        if not (trial.broken and (added or before)):
            return ()
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
        return self.phase is not Phase.FINISHED or self.end.why in RESUMABLE

    @property
    def room(self) -> float:
        """How many trials may be under way at a time, those counted that wait for people to compare them."""
        return min(self.policy.mode.at_a_time, max(1, self.crew.slots))

    @property
    def away(self) -> int:
        """Trials under a live lease of a worker that is not connected, where each takes one slot."""
        return self.running - (self.crew.slots - sum(worker.free for worker in self.crew.idle.values()))

    @property
    def running(self) -> int:
        """Trials under a live lease."""
        return len(self.unsettled) - len(self.waiting.queue)
