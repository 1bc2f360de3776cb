"""A run without its waiting: from messages and replies to events, through the scheduler, to what is sent.

A turn has three parts. `gather` takes what has come and lets the scheduler handle it; then whoever owns
the thread has the journal commit; then `perform` does what follows, all but telling and asking the
optimiser, which is for whoever feeds it (`Turn.for_optimiser`). So the laboratory that is simulated in tests
runs this very code, and can let the power fail between any two of its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Protocol, TypeAlias

from orchestrator.expressions.conditions import otherwise
from orchestrator.runtime.circumstances import Circumstances
from orchestrator.runtime.connections.broker import Received
from orchestrator.runtime.connections.repeated_hellos import without_repeated_hellos
from orchestrator.runtime.connections.sessions import Sessions
from orchestrator.runtime.evaluations.awaited_trials import (
    AwaitedApprovals,
    AwaitedComparisons,
    handed_over,
)
from orchestrator.runtime.evaluations.begun_anew import BegunAnew
from orchestrator.runtime.evaluations.begun_otherwise import begun_otherwise
from orchestrator.runtime.evaluations.early_stopping import EarlyStopping
from orchestrator.runtime.evaluations.missed_reports import MissedReports
from orchestrator.runtime.evaluations.results_in_doubt import ResultsInDoubt
from orchestrator.runtime.evaluations.seed import evaluation_seed
from orchestrator.runtime.inbox import Inbox
from orchestrator.runtime.life import Life
from orchestrator.runtime.monitor import Level, Monitor
from orchestrator.runtime.optimiser.messages import Reply
from orchestrator.runtime.optimiser.replies import event_of, words_of
from orchestrator.runtime.requests.decided_before import by_now
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.runtime.results.wanted_results import WantedNow
from orchestrator.runtime.turn import Turn
from orchestrator.runtime.welcome import welcome
from orchestrator.scheduler.commands import (
    Acknowledge,
    AdoptRefit,
    Ask,
    CancelLease,
    Command,
    EstimateGain,
    Evaluate,
    FinishRun,
    Rebuild,
    SendHome,
    SubmitJob,
    TakeBackJob,
    TakeStock,
    Tell,
    TellComparison,
)
from orchestrator.scheduler.events import (
    Event,
    FailureArrived,
    OptimiserFailed,
    ResultArrived,
    StockTaken,
    StopRequested,
    SuggestionsMade,
    WorkerJoined,
    WorkerLeft,
)
from orchestrator.scheduler.leases import own_leases, trial_under
from orchestrator.scheduler.liveness import Liveness, Patience
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.values.candidates import without
from orchestrator.values.named import Values
from orchestrator.wire import messages as wire
from orchestrator.wire.partial_quantities import quantities_of

Note: TypeAlias = Callable[[Level, str], None]


class Post(Protocol):
    """Messages from and to the workers; `Broker` says what each part means."""

    def receive(self) -> list[Received]: ...
    def send(self, peer: bytes, message: wire.FromOrchestrator) -> bool: ...


class Conductor:
    """One life of a run, turn by turn.

    ``started`` says whether the process with a number is a worker of our own; ``note`` takes sentences
    for people.

    Attributes:
        inbox: where events are left between turns.
        circumstances: why nothing moves, if so, as far as no event says it.
        finished: whether the run has come to its end.
        taking_stock: how often the optimiser is still to say what it believes, which that end waits for.
    """

    def __init__(
        self,
        life: Life,
        post: Post,
        patience: Patience,
        monitor: Monitor,
        note: Note,
        started: Callable[[int], bool],
    ) -> None:
        spec = life.spec
        self.inbox: Inbox[Event] = Inbox()
        self.circumstances = Circumstances()
        self.finished = False
        self.taking_stock = 0
        self._spec = spec
        self._scheduler = life.scheduler
        self._history = life.history
        self._journal = life.journal
        self._now = life.clock.now
        self._usual_s = patience.heartbeat_s
        self._attended_at = self._now()
        self._post = post
        self._monitor = monitor
        self._note = note
        self._out_of_time: float | None = None
        self._safe = True
        self._to_show = False
        self._wanted = WantedNow(spec)
        self._early_stopping = EarlyStopping(spec.evaluation.stop_when)
        begun = {trial.lease for trial in life.scheduler.state.unsettled.values()}
        self._awaited = (AwaitedApprovals(life.folder.path), AwaitedComparisons(life.folder.path))
        self._in_doubt = ResultsInDoubt(spec)
        self._begun_anew = BegunAnew()
        self._missed_reports = MissedReports(spec.evaluation, begun)
        self._accumulates = spec.accumulates
        self._conditions = conditions_of(spec.parameters)
        self._candidates = None if spec.candidates is None else spec.candidates.candidates
        self._liveness = Liveness(timeout_s=spec.evaluation.timeout_s, patience=patience)
        self._liveness.inherited(life.scheduler.state)
        self._sessions = Sessions(
            welcome(life, patience),
            factors=self._wanted.under(NOTHING_AMENDED).factors,
            liveness=self._liveness,
            send=post.send,
            note=lambda sentence: note("warning", sentence),
            progressed=self._progressed,
            local=started,
            was_given=life.scheduler.was_given,
            holds=life.scheduler.holds,
            turned_away=self.circumstances.turned_away,
            continues=bool(self._accumulates),
            several_slots=self._spec.evaluation.slots is not None,
        )

    # -- a turn ---------------------------------------------------------------------------------------

    def gather(self) -> Turn:
        """Take what has come and handle it; the events await the journal's next commit."""
        # First what was left: a worker that was lost before this turn may be back in it.
        came = self.inbox.take()
        received = without_repeated_hellos(self._post.receive())
        now = self._now()
        self._attend(now)
        for message in received:
            event = self._sessions.take(message, now)
            if event is not None:
                came.append(self._judged(event))
        events: list[Event] = []
        commands: list[Command] = []
        for event in came:
            if isinstance(event, ResultArrived | FailureArrived) and self._scheduler.is_repeated(event):
                commands.append(Acknowledge(worker=event.worker, lease=event.lease, counted=False))
                continue
            if isinstance(event, SuggestionsMade) and not self._scheduler.awaits(event):
                # An amendment before it in this turn has had the optimiser begin anew, or asked anew.
                continue
            event = by_now(event, events, self._spec, self._scheduler.state)
            events.append(event)
            commands.extend(self._scheduler.handle(event))
            if isinstance(event, WorkerJoined):
                self._believe(event, commands, now)
            elif isinstance(event, WorkerLeft):
                self._liveness.await_return(self._scheduler.state, now)
        if (measured := measured_anew(events, self._spec, self._scheduler.state)) is not None:
            events.append(measured)
            commands.extend(self._scheduler.handle(measured))
        self._journal.append(events)
        self._safe = not events
        return Turn(events, commands, bool(events or received))

    def perform(self, turn: Turn) -> None:
        """Do what follows from the events of a turn, which are safe by now."""
        self._safe = True
        # Not before: a process that was started during the commit has been told the history already.
        for event in turn.events:
            self._history.settle(event)
        self._history.note(turn.commands)
        taken = sum(isinstance(event, StockTaken) for event in turn.events)
        self.taking_stock = max(0, self.taking_stock - taken)
        if any(isinstance(event, OptimiserFailed) for event in turn.events):
            self.taking_stock = 0
        for event in turn.events:
            self._monitor.observed(event, self._scheduler.state)
        for command in turn.commands:
            self._perform(command)
        of_people = [awaited.sentences(self._scheduler.state) for awaited in self._awaited]
        for sentence in chain(handed_over(turn.commands, self._scheduler), *of_people):
            self._note("info", sentence)
        self._show()

    def _judged(self, event: Event) -> Event:
        """Of a result, whether it can be used, and what it breaks."""
        if not isinstance(event, ResultArrived):
            return event
        if missed := self._missed_reports.ended(event.lease):
            self._note("warning", missed)
        anew = self._begun_anew.heard(event, self._scheduler.state)
        for sentence in (*self._in_doubt.heard(event), *filter(None, [anew])):
            self._note("warning", sentence)
        event = self._early_stopping.with_curve(event)
        amended = self._scheduler.state.amended
        wanted = self._wanted.under(amended.constraints, amended.values)
        return wanted.judged(event, self._parameters_under(event.lease))

    def _parameters_under(self, lease: str) -> Values:
        trial = trial_under(self._scheduler.state, lease)
        assert trial is not None, "a lease that was given is of a trial"
        return trial.parameters

    def _believe(self, event: WorkerJoined, commands: Sequence[Command], now: float) -> None:
        """``commands`` are those of this turn so far: nothing of them is sent yet."""
        worker = self._scheduler.state.crew.workers.get(event.worker)
        if worker is not None:
            # What it is given now it cannot have yet, and its first heartbeat may cross that on its way.
            # It may have been given it by the hello before: one is repeated to whoever is slow to answer.
            new = {command.lease for command in commands if isinstance(command, Evaluate)}
            leases = [lease for lease in worker.running if lease not in new]
            self._liveness.believed(event.worker, leases, own_leases(event), now)

    # -- commands -------------------------------------------------------------------------------------

    def _perform(self, command: Command) -> None:
        match command:
            case Evaluate():
                self._evaluate(command)
            case Acknowledge():
                self._liveness.ended(command.lease, command.worker)
                self._sessions.tell(
                    command.worker, wire.Acknowledge(lease=command.lease, counted=command.counted)
                )
            case CancelLease():
                self._liveness.ended(command.lease, command.worker)
                self._sessions.tell(command.worker, wire.Cancel(lease=command.lease, reason=command.reason))
            case SendHome():
                self._sessions.tell(command.worker, wire.Drain(now=False))
            case FinishRun():
                self.finished = True
            case Rebuild():
                # Whatever was computed for the model before is of no use, or not heard.
                self.circumstances.refit_since = None
                self.taking_stock = 0
            case TakeStock():
                self.taking_stock += 1
            case (
                Ask()
                | Tell()
                | TellComparison()
                | AdoptRefit()
                | EstimateGain()
                | SubmitJob()
                | TakeBackJob()
            ):
                pass

    def _evaluate(self, command: Evaluate) -> None:
        if not self._scheduler.holds(command.worker, command.lease):
            # It ended later in the same turn, as where its worker said goodbye.
            return
        if self._sessions.peer_of(command.worker) is None:
            # A person's, or its connection did not take the lease before this one, and is known to be gone.
            return
        now = self._now()
        self._liveness.granted(command.lease, command.worker, now)
        sent = self._sessions.tell(
            command.worker,
            wire.Evaluate(
                run=self._scheduler.state.started.run,
                lease=command.lease,
                trial=command.trial,
                attempt=command.attempt,
                parameters=self._as_sent(command.parameters),
                seed=evaluation_seed(self._spec.seed, command.trial),
                timeout_s=self._spec.evaluation.timeout_s,
                accumulates=self._accumulates,
                continues=command.continues,
                begun=self._as_sent(begun_otherwise(self._scheduler.state, command, self._accumulates)),
                slots=command.slots,
            ),
        )
        if not sent:
            self._lose(WorkerLeft(at=now, worker=command.worker, lost=False, reason="its connection is gone"))

    def _as_sent(self, parameters: Values) -> dict[str, Any]:
        """Those of a point that an evaluation has; of none, none."""
        return without(self._candidates, otherwise(self._conditions, parameters)) if parameters else {}

    def _lose(self, event: WorkerLeft) -> None:
        """A worker is gone: whoever speaks over its connection from now on must say hello again."""
        self._sessions.lost(event.worker)
        self.inbox.leave(event)

    def dismiss(self) -> None:
        """Send every worker away, and whoever has said hello since the last turn: it would dial for ever."""
        known = self._sessions.everyone(self._now())
        came = [one.peer for one in self._post.receive() if isinstance(one.message, wire.Hello)]
        for peer in dict.fromkeys([*known, *came]):
            self._post.send(peer, wire.Drain(now=True))

    # -- what else happens ----------------------------------------------------------------------------

    def found(self, worker: str, result: wire.Result) -> None:
        """A worker of an earlier life, which is not there yet, has left a result: it counts before another is
        given its trial.
        """
        if (event := self._sessions.found(worker, result, self._now())) is not None:
            self.inbox.leave(self._judged(event))

    def took_over(self) -> None:
        """The first turn is over: the workers of an earlier life have from now on to come back."""
        self._liveness.await_return(self._scheduler.state, self._now())

    def tick(self) -> None:
        """To be called a few times a second: silence, and time that runs out, are found here."""
        now = self._now()
        if self._safe:
            self._attend(now)
        # What comes while the disk takes its time is not read before: nobody is silent meanwhile.
        listening = now - self._attended_at <= self._usual_s
        for event in self._liveness.expired(now) if listening else ():
            if isinstance(event, WorkerLeft):
                self._lose(event)
            else:
                self.inbox.leave(event)
        for outwaited in self._liveness.outwaited(self._scheduler.state, now) if listening else ():
            self.inbox.leave(outwaited)
        for found in self._early_stopping.due(self._scheduler.state, now):
            self.inbox.leave(found)
        limit = self._scheduler.state.ends_s
        if limit is not None and now >= limit and self._out_of_time != limit:
            self._out_of_time = limit
            self.inbox.leave(TimeRanOut(at=now))
        self._to_show = True
        self._show()

    def _attend(self, now: float) -> None:
        """What kept us from listening, a disk or whoever stopped this process, is nobody's silence."""
        # Beyond a heartbeat, so that whoever is silent while we are slow all the time is found out, too.
        held_up = now - self._attended_at - self._usual_s
        if held_up > 0.0:
            self._liveness.excuse(held_up)
        self._attended_at = now

    def _show(self) -> None:
        """Have it shown how the run stands: where that is not on disk yet, once it is."""
        if self._to_show and self._safe:
            self._to_show = False
            self._monitor.ticked(self._scheduler.state, self._now())

    def stop(self, *, now: bool, reason: str) -> None:
        """A person or a signal asks to stop: ``now``, or when what runs has finished."""
        self.inbox.leave(StopRequested(at=self._now(), now=now, reason=reason))

    def optimiser_replied(self, reply: Reply) -> None:
        """The optimiser has something to say."""
        now = self._now()
        self.circumstances.optimiser_replied(reply, now)
        if (words := words_of(reply)) is not None:
            self._note(*words)
        if (event := event_of(reply, self._scheduler.state, now)) is not None:
            self.inbox.leave(event)

    def optimiser_failed(self, message: str) -> None:
        """The optimiser cannot go on, even when started anew."""
        self.inbox.leave(OptimiserFailed(at=self._now(), message=message))

    def _progressed(self, progress: wire.Progress) -> None:
        quantities = quantities_of(progress)
        self._monitor.progressed(progress.lease, progress.step, quantities)
        self._missed_reports.reported(quantities)
        event = self._early_stopping.reported(
            self._scheduler.state, self._now(), progress.lease, progress.step, quantities
        )
        if event is not None:
            self.inbox.leave(event)
