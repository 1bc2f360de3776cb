"""What is to be expected of a run: how long it takes still, and why nothing moves if nothing does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from orchestrator.report.seen.last_heard import ran_when_last_heard_of
from orchestrator.report.words.fidelity import settled_cost
from orchestrator.report.words.wording import counted, first_line, passing
from orchestrator.report.words.worker_line import worker_line
from orchestrator.runtime.circumstances import Circumstances
from orchestrator.runtime.connections.refusals import refused_for_key, refused_without_key
from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.endings import RESUMABLE
from orchestrator.scheduler.job_numbers import first_too_large
from orchestrator.scheduler.room import why_it_waits
from orchestrator.scheduler.rules.places import away, place_words
from orchestrator.scheduler.standing import budget_left
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.system.shell_lines import shell_line

LOCAL_START_S = 15.0
"""Local workers that have not joined by then are not merely starting."""
UNHEARD_S = 10.0
"""The file of how a run stands is written twice a second, and where that takes long, as seldom as it says."""
LOOKED_AT = 2_000
"""Unsettled trials that are looked at for a sentence, so that it costs the same whatever the queue."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """Seconds until a budget is spent. ``at_most``: by the clock; otherwise by the pace so far."""

    seconds: float
    at_most: bool


def remaining(state: State, now: float, settled_at: Sequence[float], since: float) -> Remaining | None:
    """When the run's budget of trials, of their cost or of time will be spent, whichever comes first; None if
    unknown.

    ``settled_at`` are the times at which the last trials were settled, ``since`` when the run began or was
    resumed. A target or patience may end the run before, which nobody can foresee.
    """
    if state.phase is not Phase.ACTIVE:
        return None
    answers: list[Remaining] = []
    budget = state.policy
    if state.ends_s is not None:
        answers.append(Remaining(max(0.0, state.ends_s - now), at_most=True))
    # While nobody is connected the pace says nothing of when somebody will be, nor of when a person goes on.
    settled = state.budgeted - len(state.unsettled)
    left = [] if budget.budget.trials is None else [float(budget.budget.trials - settled)]
    if budget.budget.cost is not None and settled:
        paid = settled_cost(state)
        # Those that follow may be others than those before, which nobody can foresee either.
        left.append(max(0.0, budget.budget.cost - paid) / (paid / settled))
    by_people = PERSON in state.crew.workers or state.policy.results.compared
    if left and settled_at and state.crew.workers and not by_people:
        first, earlier = settled_at[0], len(settled_at) - 1
        if earlier == 0:
            # One value: the pace is since the beginning, for all slots at once.
            first, earlier = since, 1
        # Up to now, so that a run that stands still is not promised an end.
        elapsed = max(now - first, 1e-9)
        answers.append(Remaining(min(left) * elapsed / earlier, at_most=False))
    return min(answers, key=lambda answer: answer.seconds, default=None)


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who attends to the run, as far as the watcher knows.

    ``attended``: an orchestrator works on it, and has since that time of the run. ``address``: where workers
    dial, if known. ``folder``: of the run. ``how_to_stop_now``: words for whoever can, once it is stopping.
    ``disk_full``: nothing can be written to the folder. ``unheard_s``: how long the orchestrator, that
    ``process``, has not said how the run stands; ``stopped``: the system says why. ``heard_ago_s``: how long
    ago a run that nobody attends to was heard of, if clocks tell. ``of_python``: it is a search, and no run.
    ``last_left``: when a worker left last, by the run's time, and which, and why; None while none has.
    """

    attended: bool = True
    since: float = 0.0
    address: str = ""
    folder: str = ""
    how_to_stop_now: str = ""
    disk_full: bool = False
    unheard_s: float = 0.0
    process: int = 0
    stopped: bool = False
    heard_ago_s: float | None = None
    of_python: bool = False
    last_left: tuple[float, str] | None = None
    circumstances: Circumstances = field(default_factory=Circumstances)

    @property
    def hangs(self) -> bool:
        """Whether the orchestrator is there and does nothing, by all that is known."""
        return self.attended and (self.stopped or self.unheard_s > UNHEARD_S)


def activity(spec: Spec, state: State, now: float, attendance: Attendance) -> str:
    """What goes on, in one sentence; if nothing moves, why."""
    if attendance.of_python and state.resumable:
        return _of_python(state, attendance.attended)
    if state.phase is Phase.FINISHED:
        message = f" ({first_line(state.end.message)})" if state.end.message and state.end.badly else ""
        if state.end.why in RESUMABLE:
            further = f"{_continue(attendance)}{_by_hand(spec, state, attendance)}"
            return f"{state.end.why}{message}{_room(attendance)}{further}"
        return f"ended: {state.end.why}{message}"
    if not attendance.attended and state.phase is Phase.WAITING:
        spec_of_it = f": {shell_line('run', f'{attendance.folder}/spec.yaml')}" if attendance.folder else ""
        return f"it ended before it had begun{_room(attendance)}; start it again{spec_of_it}"
    if not attendance.attended:
        further = f"{_continue(attendance)}{_by_hand(spec, state, attendance)}"
        ran = ran_when_last_heard_of(spec, state, attendance.heard_ago_s)
        ran = f"; {ran}" if ran else ""
        return f"no orchestrator works on this run now{_room(attendance)}{ran}{further}"
    if attendance.hangs:
        process, otherwise = (
            attendance.process,
            "" if attendance.stopped else ", or its disk keeps it waiting",
        )
        return (
            f"process {process} has said nothing for {passing(attendance.unheard_s)}: it was stopped, as by "
            f"Ctrl-Z (go on: kill -CONT {process}){otherwise}"
        )
    if state.phase is Phase.WAITING:
        return "the run is about to begin"
    absent = _away(state)
    if state.phase is Phase.DRAINING:
        why = "" if state.end.why in RESUMABLE else f" because {state.end.why}"
        return (
            f"stopping{why}: {counted(state.running, 'trial')} may finish first{attendance.how_to_stop_now}"
        )
    if state.phase is Phase.PAUSED:
        running = f"; {counted(state.running, 'trial')} may finish" if state.running else ""
        run = [attendance.folder] if attendance.folder else []
        go_on = shell_line("amend", *run, "--continue")
        return f"paused: nothing new is started{running}; go on: {go_on}"
    if not state.crew.workers:
        awaited = _of_people(state, attendance)
        nobody = "" if awaited and _all_are_compared(state) else _nobody(spec, now, attendance, len(absent))
        return "; ".join(filter(None, (awaited, nobody, _larger_than_jobs(state))))
    return _working(state, now, absent, attendance)


def _of_python(state: State, attended: bool) -> str:
    """Of a search, whose program evaluates as many trials at a time as it likes."""
    if not attended:
        return "no program has it open now: it goes on where its program is run again"
    goes_on = "to be compared" if state.policy.results.compared else "running"
    return f"{counted(state.running, 'trial')} {goes_on}" if state.running else "between two trials"


def _room(attendance: Attendance) -> str:
    return "; its disk is full, so make room first" if attendance.disk_full else ""


def _continue(attendance: Attendance) -> str:
    return f"; continue it: {shell_line('resume', attendance.folder)}" if attendance.folder else ""


def _by_hand(spec: Spec, state: State, attendance: Attendance) -> str:
    """Where a person finds what is to be done and recorded meanwhile."""
    if spec.evaluation.evaluator != PERSON or not state.unsettled or not attendance.folder:
        return ""
    # A run that was killed has handed them out still.
    where = "running" if state.running else "queued"
    return f"; what is to be done: {shell_line('trials', attendance.folder, '--state', where)}"


def _away(state: State) -> list[Trial]:
    """Trials under a lease of a worker that is not connected: it has some time to come back."""
    looked_at = islice(state.unsettled.values(), LOOKED_AT)
    return [t for t in looked_at if t.state is TrialState.RUNNING and t.worker not in state.crew.workers]


def _missed(absent: list[Trial], running: int) -> str:
    """Where the trials run whose workers are not connected, of all that are ``running``."""
    some = "" if len(absent) == running else f"{len(absent)} of them "
    workers = {trial.worker for trial in absent}
    if len(workers) == 1:
        return f"{some}on {workers.pop()}, which is not connected now and has up to a minute to come back"
    return f"{some}on workers that are not connected now and have up to a minute to come back"


def _nobody(spec: Spec, now: float, attendance: Attendance, absent: int) -> str:
    refused = attendance.circumstances.last_refused
    if refused:
        return f"no worker is connected: the last that came was refused: {first_line(refused)}"
    keys = spec.workers.keys or "keys"
    if times := attendance.circumstances.keys_refused:
        # An orchestrator of an earlier version does not say which.
        key = attendance.circumstances.key_refused or "an unknown or revoked key"
        return f"no worker is connected: {refused_for_key('worker', times, key, keys)}"
    if absent:
        return f"no worker is connected; {counted(absent, 'trial')} may still run on workers that come back"
    if spec.workers.local and now - attendance.since < LOCAL_START_S:
        count = spec.workers.processes(several_slots=spec.evaluation.slots is not None).count
        return f"waiting for {counted(count, 'local worker')} to start"
    if times := attendance.circumstances.keyless_refused:
        # Anything that looks for open ports knocks so: it says less than what is above.
        return f"no worker is connected; {refused_without_key('worker', times, keys)}"
    jobs = attendance.circumstances.jobs
    if jobs is not None and not jobs.given_up:
        # How they stand is said beside this.
        return f"no worker is connected{_last_left(now, attendance)}"
    address = attendance.address or spec.workers.listen
    connect = "" if address.endswith(":*") else f"; start one: {worker_line(spec, address)}"
    return f"no worker is connected{_last_left(now, attendance)}{connect}"


def _last_left(now: float, attendance: Attendance) -> str:
    if attendance.last_left is None:
        return ""
    at, words = attendance.last_left
    return f", for {passing(now - at)}: the last, {words}"


def _unapproved(state: State) -> list[int]:
    """Others in the queue wait for another worker than those that are free, or for their turn."""
    return [number for number in islice(state.waiting.queue, LOOKED_AT) if not state.trials[number].approved]


def _all_are_compared(state: State) -> bool:
    """Whether all that is left to do is to compare trials: no worker would have anything to do."""
    is_full = len(uncompared(state)) >= state.policy.mode.at_a_time
    return is_full or (_none_follows(state) and bool(uncompared(state)) and not state.unsettled)


def _none_follows(state: State) -> bool:
    return budget_left(state) == 0 or state.optimiser.exhausted


def _of_people(state: State, attendance: Attendance) -> str:
    """What people are waited for, if nothing can be done before, or by those who are free."""
    run = [attendance.folder] if attendance.folder else []
    waiting = uncompared(state)
    if waiting and (_all_are_compared(state) or state.running + len(waiting) >= state.room):
        some = "trial" if len(waiting) == 1 else "trials"
        numbers = ", ".join(str(one.number) for one in waiting[:5])
        compare = "compares" if len(waiting) == 1 else "compare"
        return f"waiting for how {some} {numbers} {compare}: {shell_line('prefer', *run)}"
    some_free = not state.crew.workers or any(worker.free for worker in state.crew.idle.values())
    if some_free and state.policy.evaluations.approval and (unapproved := _unapproved(state)):
        numbers = ", ".join(map(str, unapproved[:5]))
        some = "trial" if len(unapproved) == 1 else "trials"
        return f"waiting for approval of {some} {numbers}: {shell_line('approve', *run)}"
    return ""


def _waits_for_room(state: State) -> str:
    """What of the queue is longest without room on any worker, though some has slots free, if anything is."""
    if state.policy.evaluations.slots is None or not state.crew.idle:
        return ""
    waiting = (state.trials[number] for number in islice(state.waiting.queue, LOOKED_AT))
    first = next((trial for trial in waiting if trial.approved and trial.slots > 1), None)
    why = "" if first is None else why_it_waits(state, first)
    return f"trial {first.number} waits: {why}" if first is not None and why else ""


def _larger_than_jobs(state: State) -> str:
    """Why no job is submitted for what waits, if it is as that is larger than jobs are."""
    number = first_too_large(state)
    if number is None:
        return ""
    takes, most = state.trials[number].slots, counted(state.jobs.largest, "slot")
    return (
        f"trial {number} takes {takes} slots of a worker, and those of jobs had {most}: have larger ones"
        " submitted, stop the run and resume it"
    )


def _working(state: State, now: float, absent: list[Trial], attendance: Attendance) -> str:
    if awaited := _of_people(state, attendance):
        return awaited
    free = sum(worker.free for worker in state.crew.idle.values())
    running = state.running
    if free and state.optimiser.asking is not None:
        idle = f", {counted(free, 'slot')} free" if running else ""
        points = counted(state.optimiser.asking, "point")
        why = _why_choosing_takes_long(now, attendance.circumstances)
        so_long = passing(now - state.optimiser.asked_at)
        return f"waiting for the optimiser to choose {points}, for {so_long}{idle}{why}"
    if all(worker.draining for worker in state.crew.workers.values()):
        waiting = (
            f", {counted(len(state.waiting.queue), 'trial')} waiting for another worker"
            if state.waiting.queue
            else ""
        )
        finishing = f"{counted(running, 'trial')} running" if running else "nothing runs"
        return f"{finishing}{waiting}: whoever is connected takes nothing more"
    waits = _waits_for_room(state)
    if not running:
        return waits or "between two trials"
    trials = f"{counted(running, 'trial')} running"
    if absent:
        return f"{trials}, {_missed(absent, running)}"
    since = _longest_running(state, now)
    if free and (apart := _kept_apart(state)):
        return f"{apart}: {trials}{since}"
    if waits:
        return f"{waits}: {trials}{since}"
    if free and _none_follows(state):
        return f"the last {'trial running' if running == 1 else trials}{since}"
    if free and state.policy.mode.kind == "synchronous":
        return f"{counted(free, 'slot')} waiting for the batch of {state.policy.mode.batch}: {trials}{since}"
    if free and state.policy.mode.kind == "sequential":
        return f"one trial at a time, as the spec says: {trials}{since}"
    return f"{trials}{since}"


def _kept_apart(state: State) -> str:
    """What waits, as it has not what all that run share; if anything."""
    shared = state.shared_now
    waiting = [
        one for one in islice(state.waiting.queue, LOOKED_AT) if away(shared, state.trials[one].parameters)
    ]
    if not waiting:
        return ""
    return f"{counted(len(waiting), 'trial')} waiting until nothing runs that has {place_words(shared)}"


def _why_choosing_takes_long(now: float, circumstances: Circumstances) -> str:
    if circumstances.nodes_awaited:
        return f": {circumstances.nodes_awaited}"
    since = circumstances.refit_since
    return "" if since is None else f": it is refitting, for {passing(now - since)}"


def _longest_running(state: State, now: float) -> str:
    longest = min(
        (t for t in islice(state.unsettled.values(), LOOKED_AT) if t.started_at is not None and t.lease),
        key=lambda trial: trial.started_at or 0.0,
        default=None,
    )
    if longest is None or longest.started_at is None:
        return ""
    return f", trial {longest.number} for {passing(now - longest.started_at)}"
