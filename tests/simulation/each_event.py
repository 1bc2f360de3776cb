"""What must hold after each event that the scheduler handles, by books that are simpler than its own."""

from __future__ import annotations

from collections.abc import Sequence

from books import Books, Learned
from hunches import check_part
from ovens import check_alike
from tying import breaks
from virtual_child import WAVE
from virtual_world import Broken

from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import Amendment
from orchestrator.scheduler.commands import (
    AdoptRefit,
    Ask,
    Command,
    EstimateGain,
    Evaluate,
    Rebuild,
    TakeStock,
    Tell,
)
from orchestrator.scheduler.event_parts import ROUND
from orchestrator.scheduler.invariants import violations
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState

LITTLE_LEFT = "the model expects less than "
GOING_ON = (Phase.ACTIVE, Phase.PAUSED)
LEFT_OUT = ("outside the amended", "elsewhere than what is held", "where `")
"""What trials say that cost no budget any more."""
LEARNED_ANEW = (
    ev.BoundsAmended,
    ev.HeldAmended,
    ev.ConstraintsAmended,
    ev.ObservationsForgotten,
    ev.ValuesAmended,
)


def check(
    event: ev.Event, commands: list[Command], state: State, books: Books, *, repeated: bool = False
) -> None:
    """The scheduler has handled an event, which is entered in the books. Raises `Broken`.

    ``repeated``: this life and the one before it have handled the same events so far. The scheduler's state
    was looked through then, and will be again after the first event that differs or is new.
    """
    books.events.append(event)
    if isinstance(event, ev.ResultArrived | ev.FailureArrived):
        books.answered.add(event.lease)
    if isinstance(event, ev.ResultArrived):
        _check_result(event, state, books)
    if isinstance(event, ev.FailureArrived):
        _check_unusable(event, state, books)
    taken = list(books.take(event))
    if (unread := books.unread - books.forgotten) and not isinstance(event, ev.ValuesAmended):
        raise Broken(f"trials {unread} have values of before, and count")
    if isinstance(event, ev.ValuesAmended):
        _take_values(event, state, books)
    learned = [*taken, *_settled(state, books)]
    _check_made(event, state, books)
    if isinstance(event, ev.PointsAdded):
        _check_added(event, state)
    _check_told(event, commands, learned, state, books)
    _check_best(event, state, books)
    _check_gain(event, commands, state, books)
    for command in commands:
        if isinstance(command, Ask | TakeStock) and command.held != books.held:
            raise Broken(f"{books.held} is held, and the optimiser is asked otherwise: {command}")
        if isinstance(command, Ask):
            books.next_of_ask[command.ask] = command.first_trial
            books.told_before_ask[command.ask] = books.model, len(books.told[books.model])
            books.wondered_before_ask[command.ask] = books.wondered
        elif isinstance(command, TakeStock):
            books.told_before_stock[books.model] = len(books.told[books.model])
        elif isinstance(command, Evaluate):
            _check_given(command, books)
            books.given[command.lease] = command.worker, command.trial
            books.plates[command.trial] = books.plate
        if books.paused and isinstance(command, Ask | Evaluate):
            raise Broken(f"the run is paused, and begins something: {command}")
    asked = books.told_before_ask.get(state.optimiser.asks, (books.model, 0))[0]
    if state.optimiser.asking is not None and asked != books.model:
        raise Broken(f"ask {state.optimiser.asks} is waited for, and model {asked} it was made of is no more")
    if books.budget is not None and books.made > books.budget:
        raise Broken(f"{books.made} trials are made, of {books.budget}")
    check_alike(event, state, books.running)
    books.running = {number: trial.parameters for number, trial in state.unsettled.items() if trial.lease}
    broken = [] if repeated else violations(state)
    if broken:
        raise Broken(f"after {event}: {'; '.join(broken)}")


def _take_values(event: ev.ValuesAmended, state: State, books: Books) -> None:
    """What had come has other values, and what workers of before still read as it is not any more is none."""
    books.value_anew(event, state)
    if event.output is not None:
        given = sorted(map(_attempt, books.given))
        books.read_otherwise = {trial: attempt for trial, attempt in given if trial not in books.settled}


def _attempt(lease: str) -> tuple[int, int]:
    trial, _, attempt = lease.partition(".")
    return int(trial), int(attempt)


def _check_made(event: ev.Event, state: State, books: Books) -> None:
    """The trials that were made now are where parameters are held, and know it if that was asked for."""
    for number in range(len(books.asked_where) + 1, len(state.trials) + 1):
        trial = state.trials[number]
        if not books.where_held(trial.parameters):
            raise Broken(f"{books.held} is held, and trial {number} is made at {trial.parameters}")
        if trial.ask is not None:
            # As the optimiser was told, whose draws hang on it.
            if books.next_of_ask.get(trial.ask) != number:
                raise Broken(
                    f"trial {number} was to be {books.next_of_ask.get(trial.ask)} of ask {trial.ask}"
                )
            books.next_of_ask[trial.ask] += 1
        books.asked_where[number] = {} if trial.ask is None else books.held
        check_part(event, trial, state)
        if trial.held != books.asked_where[number]:
            raise Broken(f"{books.held} is held, and trial {number} was asked for where {trial.held} is")


def _check_added(event: ev.PointsAdded, state: State) -> None:
    """Each point is a trial, of the number that the event says, and waits before what the optimiser chose."""
    made = [state.trials.get(event.first_trial + k) for k in range(len(event.points))]
    if [trial and trial.parameters for trial in made] != list(event.points):
        raise Broken(f"{event} was accepted, and made {made}")
    asked = [state.trials[number].ask is not None for number in state.waiting.queue]
    if asked != sorted(asked):
        raise Broken(f"after {event} the queue is {list(state.waiting.queue)}")


def _check_best(event: ev.Event, state: State, books: Books) -> None:
    best = None if state.found.best is None else state.found.best.value
    if best != books.best(state):
        raise Broken(f"after {event} the best value is {best}, and should be {books.best(state)}")


def _check_given(command: Evaluate, books: Books) -> None:
    if command.worker in books.draining:
        raise Broken(f"{command.worker} takes nothing more, and is given {command.lease}")
    if command.lease in books.given:
        raise Broken(f"lease {command.lease} was given twice")
    if command.trial in books.settled:
        raise Broken(f"trial {command.trial} is settled, and runs again")
    if not books.inside(command.parameters):
        raise Broken(f"trial {command.trial} is begun outside {books.bounds}: {command.parameters}")
    if not books.where_held(command.parameters):
        raise Broken(f"{books.held} is held, and trial {command.trial} is begun at {command.parameters}")
    if broken := breaks(command.parameters, books.constraints.added):
        raise Broken(f"trial {command.trial} is begun where {broken} do not hold: {command.parameters}")


def _other_cost(event: ev.Event, state: State, books: Books) -> bool:
    """Whether a person changed what trials may cost together, on which hangs how closely they look."""
    if not isinstance(event, ev.BudgetAmended):
        return False
    before, now = books.cost, state.policy.budget.cost
    # What was spent between the request and this is spent.
    meant = before if event.cost is None else max(event.cost, state.tally.spent)
    books.cost = None if "cost" in event.lifted else meant
    if now != books.cost:
        raise Broken(f"after {event} trials may cost {now}, and should {books.cost}")
    return now != before


def _check_told(
    event: ev.Event,
    commands: Sequence[Command],
    learned: Sequence[Learned],
    state: State,
    books: Books,
) -> None:
    """The optimiser is told at once, or when its round is over, of what is learned and counts; a new
    model, of all that ever was.
    """
    anew = isinstance(event, LEARNED_ANEW) or _other_cost(event, state, books)
    # What is refused and forgotten in one is no sooner learned than forgotten.
    anew |= any(one.trial in books.forgotten for one in learned)
    facts = [command for command in commands if isinstance(command, Tell | AdoptRefit | Rebuild)]
    due = books.due(learned, state, anew=anew)
    told = [
        Learned(fact.trial, fact.parameters, fact.value) if isinstance(fact, Tell) else fact
        for fact in facts
        if not isinstance(fact, AdoptRefit)
    ]
    if told != due:
        raise Broken(f"after {event} the optimiser is told {told}, and should be told {due}")
    for fact in facts:
        if isinstance(fact, Tell) and fact.held != _was_held(fact.trial, state, books):
            raise Broken(f"what was held when trial {fact.trial} was asked for is not what is told: {fact}")
        if isinstance(fact, Tell) and (fact.block or "") != books.plates.get(fact.trial, ""):
            raise Broken(
                f"trial {fact.trial} was given out on plate {books.plates[fact.trial]}, not so: {fact}"
            )
    if any(isinstance(fact, AdoptRefit) and fact.payload["model"] != books.model for fact in facts):
        raise Broken(f"model {books.model} is to adopt a refit of another: {event}")
    begins = [place for place, fact in enumerate(facts) if isinstance(fact, Rebuild)]
    books.told[books.model] += facts[begins[-1] :] if begins else facts


def _was_held(number: int, state: State, books: Books) -> bool:
    """When it was asked for: by people, or by the round that it is of."""
    trial = state.trials.get(number)
    return bool(books.asked_where.get(number)) or (trial is not None and ROUND in trial.suggested.why)


def _check_gain(event: ev.Event, commands: Sequence[Command], state: State, books: Books) -> None:
    """The run ends because little is left to gain if the journal says so, and then it does."""
    adopted = [command.number for command in commands if isinstance(command, AdoptRefit)]
    wonders = [command.refit for command in commands if isinstance(command, EstimateGain)]
    if adopted and books.enough is not None and state.phase in GOING_ON and wonders != adopted:
        raise Broken(f"refit {adopted} is adopted, and what is left to gain is asked for {wonders}")
    for refit in wonders:
        books.wondered = books.wondered[0] + 1, refit
    ends = state.end.why.startswith(LITTLE_LEFT)
    said = f"of what is left to gain {books.gains[-2:]} was said, and less than {books.enough} is enough"
    if ends and not books.little_left and (not books.ends_for_gain or isinstance(event, Amendment)):
        raise Broken(f"after {event} the run ends as {state.end.why!r}, and {said}")
    if books.little_left and state.phase in GOING_ON:
        raise Broken(f"after {event} the run goes on, and {said}")
    books.ends_for_gain = ends


def _check_result(event: ev.ResultArrived, state: State, books: Books) -> None:
    """The first result of a lease that was given counts, if its trial is not settled; no other does."""
    number = books.given.get(event.lease, ("", 0))[1]
    trial = state.trials.get(number)
    if trial is None or number in books.settled:
        return
    if _attempt(event.lease)[1] <= books.read_otherwise.get(number, 0):
        if trial.settled:
            raise Broken(f"{event} was read otherwise than it is now, and counts")
        return
    if trial.value != event.value or trial.state is not TrialState.COMPLETED:
        raise Broken(f"{event} is the first result of trial {number}, and does not count")


def _check_unusable(event: ev.FailureArrived, state: State, books: Books) -> None:
    """What has a value as values come now is no failure."""
    if WAVE in event.extras and books.value_at(state.trials[_attempt(event.lease)[0]].parameters) is not None:
        raise Broken(f"{event} has a value by {books.way!r}")


def _settled(state: State, books: Books) -> list[Learned]:
    """What is learned of the trials that were settled now; the others are as they were."""
    learned = []
    made = len(state.trials)
    begun = {number for _, number in books.given.values()}
    for number, trial in state.trials.items():
        known = books.settled.get(number)
        if known is not None:
            if known != (trial.state, trial.value):
                raise Broken(f"trial {number} was settled as {known}, and is {trial.state}, {trial.value}")
        elif trial.settled:
            books.settled[number] = trial.state, trial.value
            books.said[number] = trial.message
            foreseen = None if trial.forecast is None else trial.forecast.mean
            if trial.value is not None and trial.value != books.value_at(trial.parameters):
                raise Broken(f"trial {number} at {trial.parameters} has a value of another: {trial.value}")
            if trial.state is not TrialState.ABANDONED:
                learned.append(
                    Learned(number, trial.parameters, trial.value if foreseen is None else foreseen)
                )
        left_out = number not in begun or trial.message.startswith(LEFT_OUT)
        made -= trial.state is TrialState.ABANDONED and left_out
    books.made = made
    # Of those that one event settles, none is first: any order will do, if it stays.
    order = {trial.number: place for place, trial in enumerate(state.observed)}
    return sorted(learned, key=lambda one: order.get(one.trial, 0))
