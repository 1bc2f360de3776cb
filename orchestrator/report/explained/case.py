"""A trial that is to be explained, with what was known when it was chosen: found by replaying the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.errors import UsageError
from orchestrator.report.explained.trade_off import OnTheFront, trade_off_words
from orchestrator.report.seen.last_heard import is_last_heard_of
from orchestrator.report.seen.schedule import Stretch, changed_from, needed_before, schedule_of
from orchestrator.report.seen.trade_offs import ranges_words, trade_offs_of
from orchestrator.report.words.amendment import trial_note
from orchestrator.report.words.goals import units_of
from orchestrator.report.words.going_on import is_unfounded
from orchestrator.report.words.wording import counted, number
from orchestrator.scheduler.amendment_events import ValuesAmended
from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.changed import changed_for
from orchestrator.scheduler.corrections import as_corrected, corrected, corrections
from orchestrator.scheduler.events import Event, RemainingGainEstimated, RunStarted, SuggestionsMade
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.rules.amended_values import AS_GIVEN, AmendedValues
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.story import handled
from orchestrator.spec.model import Spec
from orchestrator.values.printable import printable


@dataclass(frozen=True, slots=True)
class Case:
    """A trial as it was corrected, if it was, with what was known when it was chosen.

    ``answer`` is the optimiser's answer that it was part of; ``best_before`` the best value at that time,
    and ``gain`` what the model had last said of what was left to gain over it; ``note`` why nothing follows
    from its value; ``ending`` that the run is over, and why, if it is. ``trade_offs`` says of several
    objectives what was traded off then, and ``as_one`` how the trial stands among the trade-offs now.
    ``block`` is which one it is of, however that was said, if of any; ``valued`` is how many values the
    optimiser had been told of then. ``values`` is how values came of results then, ``values_now`` how they
    do now, and ``anew`` says what it came to before. ``unfounded``: what the trial came to that it goes on
    from is forgotten, ``otherwise``: that had other settings; ``schedule`` has what led there, where settings
    changed, and ``before`` is what it went on from then. ``attended``: whether somebody works on the run.
    ``changes`` has the seconds that settings of the machine take to change for it.
    """

    spec: Spec
    trial: Trial
    answer: SuggestionsMade | None
    best_before: float | None
    best_now: Trial | None
    steps: Sequence[str]
    note: str = ""
    gain: RemainingGainEstimated | None = None
    ending: str = ""
    trade_offs: str = ""
    as_one: Sequence[str] = ()
    block: str = ""
    valued: int = 0
    values: AmendedValues = AS_GIVEN
    values_now: AmendedValues = AS_GIVEN
    anew: Sequence[str] = ()
    unfounded: bool = False
    otherwise: bool = False
    schedule: Sequence[Stretch] = ()
    before: Trial | None = None
    attended: bool = True
    changes: Mapping[str, float] = field(default_factory=dict)

    @property
    def last_heard_of(self) -> bool:
        """Whether nobody knows of a trial of this run that it runs still."""
        return is_last_heard_of(self.spec, attended=self.attended, finished=bool(self.ending))


@dataclass(frozen=True, slots=True)
class _WhenChosen:
    """What was known when a trial came to be: see `Case`; ``front`` has the trials that none beat."""

    answer: SuggestionsMade | None
    best_before: float | None
    gain: RemainingGainEstimated | None
    front: Sequence[Trial]
    valued: int
    values: AmendedValues

    @classmethod
    def by(cls, event: Event, best: Trial | None, front: Sequence[Trial], state: State) -> _WhenChosen:
        """By the event that it came with, the ``best`` trial and the front before, and the state after it."""
        answer = event if isinstance(event, SuggestionsMade) else None
        best_before = None if best is None or isinstance(event, RunStarted) else best.value
        gain = state.optimiser.gains[-1] if answer is not None and state.optimiser.gains else None
        return cls(answer, best_before, gain, front, _valued(state), state.amended.values)


def case_of(
    spec: Spec,
    policy: Policy,
    events: Iterable[Event],
    wanted: int,
    scheduler: Scheduler | None = None,
) -> Case:
    """Of the trial with the number ``wanted``, by the scheduler that takes the events from the first one on.
    Raises `UsageError` if there is none.
    """
    scheduler = Scheduler(policy) if scheduler is None else scheduler
    story: list[str] = []
    anew_words: list[str] = []
    then: _WhenChosen | None = None
    followed = OnTheFront(wanted)
    for event in events:
        best, front = scheduler.state.found.best, scheduler.state.found.front
        anew_words += _valued_anew(event, scheduler.state, wanted)
        story += handled(scheduler, event, wanted)
        followed.take(scheduler.state)
        if then is None and wanted in scheduler.state.trials:
            then = _WhenChosen.by(event, best, front, scheduler.state)
    state = scheduler.state
    if then is None:
        have = f"trials 1 to {len(state.trials)}" if state.trials else "no trials yet"
        raise UsageError(f"expected the number of a trial of this run, which has {have}, got {wanted}")
    trial, anew = state.trials[wanted], corrections(state).get(wanted)
    as_told = corrected(trial, anew)
    return Case(
        spec=spec,
        trial=as_told,
        answer=then.answer,
        best_before=then.best_before,
        best_now=None if state.found.best is None else as_corrected(state, [state.found.best])[0],
        steps=list(_steps(story, trial)),
        note=trial_note(trial, state, anew),
        gain=then.gain,
        ending=_ending(state),
        trade_offs=_traded_off(spec, policy, then.front),
        as_one=tuple(trade_off_words(state, trial, followed)) if policy.sought.further else (),
        # What waits is of the block that lies there when it is handed out.
        block="" if as_told.state is TrialState.QUEUED else block_of(state, as_told) or "",
        valued=then.valued,
        values=then.values,
        values_now=state.amended.values,
        anew=anew_words,
        unfounded=is_unfounded(trial, state),
        otherwise=changed_from(trial, state, spec.accumulates),
        schedule=schedule_of(trial, state, spec.accumulates),
        before=needed_before(trial, state, spec.accumulates),
        changes=changed_for(state, trial),
    )


def _ending(state: State) -> str:
    if state.phase is not Phase.FINISHED:
        return ""
    return f"The run {'has stopped' if state.resumable else 'is over'}: {state.end.why}."


def _traded_off(spec: Spec, policy: Policy, front: Sequence[Trial]) -> str:
    """What there was of several objectives when it was chosen."""
    if not front:
        return ""
    ranges = ranges_words(trade_offs_of(spec, policy, front), units_of(spec))
    there = "There was" if len(front) == 1 else "There were"
    return f"{there} {counted(len(front), 'trade-off')} then: {ranges}."


def _valued_anew(event: Event, state: State, wanted: int) -> Iterator[str]:
    """What a trial came to until an event, where that says it anew."""
    anew = [one for one in event.anew if one.trial == wanted] if isinstance(event, ValuesAmended) else []
    if not isinstance(event, ValuesAmended) or not anew:
        return
    trial = state.trials[wanted]
    was = "It had no value" if trial.value is None else f"Its value was {number(trial.value, 8)}"
    if trial.state is TrialState.COMPLETED and not anew[-1].message and trial.value == anew[-1].value:
        was = "It had returned something else"
    by = f" by {event.by}" if event.by else ""
    how = "read" if event.output is not None else "computed"
    why = f": {event.reason}" if event.reason else ""
    yield f"{was} until all were {how} anew{by}{why}."


def _valued(state: State) -> int:
    """How many values the optimiser was told of."""
    with_values = sum(trial.value is not None for trial in state.observed)
    return with_values - sum(trial.value is not None for trial in state.untold)


def _steps(lines: Iterable[str], trial: Trial) -> Iterator[str]:
    """The lines of the story that are about the trial, or happened to it while it was unsettled."""
    number = trial.number
    pair = rf"trials ({number} and \d+|\d+ and {number}) (are alike|compare)"
    about = re.compile(rf"\b(trial {number}\b|{pair}|(lease |stop ){number}\.\d)")
    given = re.compile(rf" s  trial {trial.number} goes to (.*) as lease ")
    over = re.compile(rf" s  trial {number} is (?!made)")
    holder = ""
    for entry in lines:
        line = entry.splitlines()[0]
        at = float(line.split(" s ", 1)[0])
        in_its_time = trial.queued_at <= at and (trial.settled_at is None or at <= trial.settled_at)
        if found := given.search(line):
            holder = found[1]
        told = line.split(" s  ", 1)[1]
        # Why a lease came to nothing, where it did.
        gone = holder and told.startswith((f"{holder} was lost", f"{holder} left"))
        if about.search(line) or (in_its_time and (gone or "resumed at" in line)):
            # The parameters were said before.
            yield printable(re.sub(r"( is made): .*", r"\1", line))
        if over.search(line):
            holder = ""
