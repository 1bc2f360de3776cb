"""Follows a run and can say at any moment what a person sees of it; the same for live runs and journals."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from orchestrator.report.seen.counts import trial_counts
from orchestrator.report.seen.crew import SeenCrew
from orchestrator.report.seen.errands import wanted_of_a_person
from orchestrator.report.seen.found_so_far import FoundSoFar
from orchestrator.report.seen.insight import belief_of
from orchestrator.report.seen.last_heard import is_last_heard_of
from orchestrator.report.seen.outlook import Attendance, activity, remaining
from orchestrator.report.seen.settlements import (
    ABOUT_A_LEASE,
    Settlements,
    came_late,
    left_without_value,
    settled_by,
    trial_of_result,
)
from orchestrator.report.seen.trade_offs import objective_words, objectives_of
from orchestrator.report.seen.view import View
from orchestrator.report.seen.workers import worker_lines
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.broken_limits import broken_limits
from orchestrator.report.words.change import changes_so_far
from orchestrator.report.words.fidelity import is_full, settled_cost, spending_of
from orchestrator.report.words.goals import goals_of, sought_words, units_of
from orchestrator.report.words.happenings import SLOW_ASK_S, Happening, Taken, Tone, happenings
from orchestrator.report.words.jobs import jobs_so_far, jobs_words
from orchestrator.report.words.no_best import lacking_words
from orchestrator.report.words.relative_limits import relative_limits
from orchestrator.report.words.wording import first_line, parameter_words
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    ConstraintsAmended,
    HeldAmended,
    ObservationsForgotten,
    ResultsAdded,
    ValuesAmended,
)
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.front import joined
from orchestrator.scheduler.mending_events import JournalMended
from orchestrator.scheduler.reference_events import ReferenceMeasured
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.spec.results.related_table import related_tables
from orchestrator.values.printable import printable

EVENTS_KEPT = 50
PACE_OVER = 200
"""Settled trials that the pace is taken over."""
ANEW = (
    JournalMended
    | BoundsAmended
    | HeldAmended
    | ConstraintsAmended
    | ObservationsForgotten
    | ValuesAmended
    | ReferenceMeasured
)
"""What counts, and where the best one may be, is another after these."""
CURVE_LIMIT = 4_000
"""Improvements kept; beyond it every other one is forgotten, which no terminal could show."""


class Chronicle:
    """What has to be remembered of the events beyond the scheduler's state. An event costs microseconds."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._units = units_of(spec)
        self._related = related_tables(spec)
        self._settlements = Settlements()
        self._recent: deque[tuple[ev.Event, Taken] | Happening] = deque(maxlen=EVENTS_KEPT)
        self._settled_at: deque[float] = deque(maxlen=PACE_OVER)
        self._curve: list[tuple[int, float]] = []
        self._best = 0.0
        self._front: tuple[Trial, ...] = ()
        self._found = FoundSoFar(spec)
        self._completed = self._full = 0
        self._progress: dict[str, tuple[int, Mapping[str, float]]] = {}
        self._began_at = 0.0
        self._there: set[str] = set()
        self._last_left: tuple[float, str] | None = None

    def take(self, event: ev.Event, state: State) -> Taken:
        """An event happened; ``state`` is not before it."""
        taken = self._taken(event, state)
        if isinstance(event, ev.RunStarted | ResultsAdded):
            self._hear_of_known(event.known if isinstance(event, ev.RunStarted) else event.results, state)
        if isinstance(event, ANEW):
            self._curve, self._front = [], ()
        if isinstance(event, ANEW | ev.RunResumed) and not (self._curve or self._front):
            self._recall(state, event.at)
        if isinstance(event, ev.RunStarted | ev.RunResumed | JournalMended):
            self._began_at = event.at
            self._settled_at.clear()
            self._progress.clear()
        if isinstance(event, ABOUT_A_LEASE):
            self._progress.pop(event.lease, None)
        routine = isinstance(event, ev.SuggestionsMade) and event.seconds < SLOW_ASK_S
        if not ((routine and not taken.settled) or taken.again):
            if isinstance(event, ev.ResultArrived) and event.extras:
                # Of what is shown, none is among them, and they may be large.
                event = replace(event, extras={})
            self._recent.append((event, taken))
        return taken

    def _taken(self, event: ev.Event, state: State) -> Taken:
        settled = self._settlements.take(event, state)
        own = trial_of_result(event, settled)
        improved, best_before = False, self._best if self._curve else None
        # By what follows at once of the reference it may be good after all, as others before it.
        broken = isinstance(event, ev.ResultArrived) and event.broken
        objectives = "" if own is None else self._objectives(own)
        for trial in settled:
            if trial.settled_at is not None:
                self._settled_at.append(trial.settled_at)
            if trial.value is not None:
                self._count(trial, state)
                counts = state.counts(trial) and state.may_be_best(trial) and not broken
                improved |= counts and self._improves(trial, trial.value, state)
        lacking = "" if own is None else lacking_words(state, own)
        again = self._is_there_already(event)
        late = isinstance(event, ev.FailureArrived) and came_late(event, settled, state)
        valueless = left_without_value(event, state)
        crosses = state.policy.sought.threshold is not None
        return Taken(settled, improved, best_before, again, objectives, lacking, late, valueless, crosses)

    def _hear_of_known(self, results: Sequence[KnownResult], state: State) -> None:
        if state.policy.sought.further:
            self._join_known(state)
            return
        for known in results:
            if known.value is not None and state.may_be_best(known):
                self._compare(known.value)

    def _is_there_already(self, event: ev.Event) -> bool:
        """Follow who is there; whether it is a worker that joins, and had joined before.

        Hellos wait in a queue while the loop is held up, and a connection that is lost is made again.
        """
        match event:
            case ev.WorkerJoined():
                there = event.worker in self._there
                self._there.add(event.worker)
                return there
            case ev.WorkerLeft():
                self._there.discard(event.worker)
                self._last_left = event.at, _last_words(event)
            case ev.RunStarted() | ev.RunResumed() | JournalMended():
                self._there.clear()
                self._last_left = None
        return False

    def _recall(self, state: State, at: float) -> None:
        """A run was taken over whose events were not seen: the curve or the front follows from its trials by
        then. So they do where they were seen, and none of them is a best one.
        """
        self._completed = self._full = 0
        self._join_known(state)
        if (
            state.found.best is not None
            and state.found.best.number < 1
            and state.found.best.value is not None
        ):
            self._compare(state.found.best.value)
        completed = [t for t in state.trials.values() if t.value is not None and settled_by(t, at)]
        for trial in sorted(completed, key=lambda trial: trial.settled_at or 0.0):
            assert trial.value is not None
            self._count(trial, state)
            if state.counts(trial) and state.may_be_best(trial):
                self._improves(trial, trial.value, state)

    def _count(self, trial: Trial, state: State) -> None:
        """One more has a value."""
        self._completed += 1
        self._full += is_full(state.policy, trial)

    def _improves(self, trial: Trial, value: float, state: State) -> bool:
        """Take what came of a trial into the curve, or into the front; whether it is the best or joins it."""
        if not state.policy.sought.further:
            return self._compare(value)
        before, self._front = self._front, joined(state, self._front, trial)
        return self._front is not before

    def _join_known(self, state: State) -> None:
        """Where there are several objectives, take what is known from elsewhere into the front."""
        for known in state.observed if state.policy.sought.further else ():
            if known.number < 1 and known.value is not None and state.counts(known):
                self._improves(known, known.value, state)

    def _objectives(self, own: Trial) -> str:
        """Those of a result, in words that tell them from the last trade-off; of one objective, nothing."""
        if not self._spec.further_objectives:
            return ""
        beside = objectives_of(self._spec, self._front[-1]) if self._front else {}
        return objective_words(objectives_of(self._spec, own), beside, self._units)

    def _compare(self, value: float) -> bool:
        """Take a value into the curve; whether it is the best so far."""
        better = value > self._best if self._spec.objective.goal == "maximise" else value < self._best
        if not better and self._curve:
            return False
        self._best = value
        self._curve.append((self._completed, value))
        if len(self._curve) > CURVE_LIMIT:
            del self._curve[1:-1:2]
        return True

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None:
        """A running evaluation reported partial quantities."""
        self._progress[lease] = (step, values)

    def noted(self, at: float, sentence: str, tone: Tone = "plain") -> None:
        """Something besides the events is worth a sentence."""
        self._recent.append(Happening(at, first_line(sentence), tone))

    def view(self, state: State, now: float, attendance: Attendance | None = None) -> View:
        """What a person sees at ``now``, in seconds since the run began."""
        spec = self._spec
        attendance = attendance or Attendance()
        attendance = replace(attendance, since=self._began_at, last_left=self._last_left)
        left = remaining(state, now, self._settled_at, self._began_at)
        if len(self._progress) > 2 * len(state.unsettled) + 100:
            live = {trial.lease for trial in state.unsettled.values()}
            self._progress = {lease: said for lease, said in self._progress.items() if lease in live}
        places = {**state.policy.where.held, **state.shown_by_clock(max(now, state.at))}
        return View(
            experiment=spec.experiment,
            algorithm=spec.algorithm.name,
            objective=spec.objective.name,
            goal=spec.objective.goal,
            phase=state.phase,
            attended=attendance.attended,
            resumable=state.resumable,
            lives=state.lives,
            now=now,
            remaining=left if attendance.attended and not attendance.hangs else None,
            share_done=self._share_done(state, now),
            budget=state.policy.budget.trials,
            spending=spending_of(state, self._full),
            trials=trial_counts(state),
            found=self._found.by_now(state, self._curve),
            crew=SeenCrew(
                workers=worker_lines(state, now, self._progress) if attendance.attended else (),
                connected=len(state.crew.workers),
                slots=state.crew.slots,
                slots_taken=sum(worker.taken for worker in state.crew.workers.values()),
                jobs=self._jobs(state, now, attendance),
            ),
            wanted=wanted_of_a_person(spec, state, attendance),
            sought=sought_words(spec) if spec.objective.threshold is not None else "",
            compared=state.policy.results.compared,
            belief=belief_of(spec, state),
            happenings=tuple(self._last()),
            activity=activity(spec, state, now, attendance),
            amended=amendment_words(spec, state),
            held_at=", ".join(f"{name} = {text}" for name, text in parameter_words(spec, places)),
            places=places,
            related=tuple(len(one.rows) for one in self._related),
            related_left_out=sum(one.left_out for one in self._related),
            goals=goals_of(spec) if spec.further_objectives else {},
            limits="; ".join(filter(None, [broken_limits(state), relative_limits(spec, state)])),
            changes=changes_so_far(spec, state),
            units=self._units,
            of_python=attendance.of_python,
            last_heard_of=is_last_heard_of(
                spec, attended=attendance.attended, finished=state.phase is Phase.FINISHED
            ),
        )

    def _jobs(self, state: State, now: float, attendance: Attendance) -> str:
        seen = attendance.circumstances.jobs
        if attendance.attended and seen is not None and state.phase is not Phase.FINISHED:
            return jobs_words(seen, now)
        return jobs_so_far(state)

    def _share_done(self, state: State, now: float) -> float | None:
        budget, shares = state.policy, list[float]()
        if budget.budget.trials is not None:
            shares.append((state.budgeted - len(state.unsettled)) / budget.budget.trials)
        if budget.budget.cost is not None:
            shares.append(settled_cost(state) / budget.budget.cost)
        if state.ends_s:
            shares.append(now / state.ends_s)
        return min(1.0, max(shares)) if shares else None

    def _last(self) -> Sequence[Happening]:
        told: list[Happening] = []
        for entry in self._recent:
            if isinstance(entry, Happening):
                told.append(entry)
            else:
                told.extend(happenings(*entry))
        return told


def _last_words(event: ev.WorkerLeft) -> str:
    reason = f" ({first_line(event.reason)})" if event.reason else ""
    return printable(f"{event.worker}, {'was lost' if event.lost else 'left'}{reason}")
