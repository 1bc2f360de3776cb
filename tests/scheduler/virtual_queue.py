"""A run and its queue without a world: the rules decide, a clock that is set carries it all out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lab import Lab, only
from policies import policy_with

from orchestrator.scheduler.commands import SendHome, SubmitJob, TakeBackJob
from orchestrator.scheduler.job_events import JobEnded, JobRefused, JobSubmitted
from orchestrator.scheduler.job_keeping import (
    JobRule,
    heard,
    to_ask_after,
    to_call_off,
    to_send_home,
    to_submit,
)
from orchestrator.scheduler.job_lists import Fate, Listed, Listing
from orchestrator.scheduler.rules.policy import Policy

HOUR_S = 3_600.0


@dataclass
class QueueLab:
    """A lab beside a queue. ``jobs`` are those that the queue has, by number: the worker, whether it runs.

    ``refuses``: it takes none. ``silent``: it does not say how they stand. ``deaf``: it takes them, and its
    answer is heard by nobody. ``keeps``: it drops none. ``blank``: it lists nothing, whatever it has. Of
    jobs that it does not list it ``tells`` how they ended, by number, as far as that is there. Those that
    are ``stuck``, by number, it keeps for a reason.
    """

    policy: Policy
    at_most: int = 3
    named: bool = True
    refuses: bool = False
    silent: bool = False
    deaf: bool = False
    keeps: bool = False
    blank: bool = False
    stuck: dict[str, str] = field(default_factory=dict)
    tells: dict[str, Fate] = field(default_factory=dict)
    jobs: dict[str, tuple[str, str, bool]] = field(default_factory=dict)
    taken: int = 0

    def __post_init__(self) -> None:
        self.lab = Lab(self.policy)
        self.rule = JobRule(self.at_most, "wing", "tcp://here:5556", self.named)
        self.listing = Listing()

    def start(self) -> None:
        self.lab.start()
        self.lab.suggest()

    def passes(self, seconds: float, step: float = 10.0) -> None:
        """Time, in which the queue is asked and told what follows."""
        until = self.lab.now + seconds
        while self.lab.now < until:
            self.lab.now = min(until, self.lab.now + step)
            self.look()

    def look(self) -> None:
        """Ask how jobs stand, and do what the rules say until there is nothing left to do."""
        if not self.silent:
            listed = {
                number: (name, self._as_it_stands(number, runs))
                for number, (name, _, runs) in self.jobs.items()
                if not self.blank
            }
            by_name = dict(listed.values()) if self.named else {}
            now_listed = Listing(self.lab.now, {number: one for number, (_, one) in listed.items()}, by_name)
            known = self.lab.state.jobs.known.values()
            self.listing = now_listed.after(self.listing, known, self.rule.patience.listed_s)
        state, now = self.lab.state, self.lab.now
        fates = {job.number: self.tells.get(job.job) for job in to_ask_after(state, self.listing)}
        self.listing = replace(self.listing, fates=fates)
        for event in [*heard(state, self.rule, self.listing, now)]:
            self.lab.happen(event)
        for called_off in [*to_call_off(state, self.rule, self.listing, now)]:
            for back in only(TakeBackJob, self.lab.happen(called_off)):
                if not self.keeps:
                    self.jobs.pop(back.job, None)
        for goes in [*to_send_home(state, self.rule, now)]:
            for home in only(SendHome, self.lab.happen(goes)):
                if not self.lab.leases(home.worker):
                    self.end(next(job for job, (_, worker, _) in self.jobs.items() if worker == home.worker))
        while (asked := to_submit(state, self.rule, now)) is not None:
            for command in only(SubmitJob, self.lab.happen(asked)):
                self._submit(command)

    def _as_it_stands(self, job: str, runs: bool) -> Listed:
        why = self.stuck.get(job, "")
        return Listed(
            job=job, state="R" if runs else "PD", reason=why, waits=not runs, stuck=bool(why) and not runs
        )

    def _submit(self, command: SubmitJob) -> None:
        number, now = command.number, self.lab.now
        if self.refuses:
            self.lab.happen(JobRefused(at=now, number=number, message="no such partition"))
            return
        self.taken += 1
        job = f"{100 + self.taken}"
        self.jobs[job] = (command.name, command.worker, False)
        if not self.deaf:
            self.lab.happen(JobSubmitted(at=now, number=number, job=job))

    # -- what the cluster does ------------------------------------------------------------------------

    def begin(self, job: str, slots: int = 1) -> str:
        """A job begins, and its worker joins."""
        name, worker, _ = self.jobs[job]
        self.jobs[job] = (name, worker, True)
        self.lab.join(worker, slots)
        return worker

    def end(self, job: str) -> None:
        """A job ends, and its worker with it, if it had come."""
        self.keep(job)
        del self.jobs[job]

    def keep(self, job: str) -> None:
        """A job's worker leaves, if it had come, and the queue keeps the job as one that waits."""
        name, worker, runs = self.jobs[job]
        self.jobs[job] = (name, worker, False)
        if runs and worker in self.lab.state.crew.workers:
            self.lab.leave(worker, lost=False)

    def of(self, kind: type) -> list[object]:
        return [event for event in self.lab.events if isinstance(event, kind)]

    @property
    def ended(self) -> int:
        return len(self.of(JobEnded))


def queue(at_most: int = 3, named: bool = True, **rules: object) -> QueueLab:
    """A run that has begun beside a queue that has nothing yet."""
    there = QueueLab(policy_with(**{"trials": 20, **rules}), at_most, named)  # type: ignore[arg-type]
    there.start()
    return there
