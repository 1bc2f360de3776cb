"""What can be saved from behind the damage of a journal: the trials as they stood at its end.

A value whose parameters are not certain is not guessed at: it is dropped, and said. What people decided says
all by itself, and is kept: budgets, bounds, and what is held, before the trials, which may need them, the
rest after. Where it is about a trial or a known result that is lost, or not certain, that is said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from orchestrator.runtime.recovery.other_bearers import LostLines, other_bearers
from orchestrator.runtime.recovery.salvaged_decisions import (
    Salvageable,
    StillMeant,
    failed_since_approved,
    taken_behind,
)
from orchestrator.runtime.recovery.trials_behind import AtTheDamage, Fate, Made, TrialsBehind
from orchestrator.scheduler.amended_policy import amended_policy
from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    BudgetAmended,
    CandidatesAdded,
    HeldAmended,
    ObservationsForgotten,
)
from orchestrator.scheduler.comparison_events import ComparisonTold
from orchestrator.scheduler.event_parts import ROUND, Suggested
from orchestrator.scheduler.events import Event, TrialRefused
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.rules.bounds import bounds_words
from orchestrator.scheduler.rules.places import place_words
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.standing import ROUNDING
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.trial_names import trial_names

Rule: TypeAlias = BudgetAmended | BoundsAmended | CandidatesAdded | HeldAmended
"""What of an amendment decides over trials."""


@dataclass(frozen=True, slots=True)
class Salvage:
    """The event that stands for what was saved, and a sentence for each thing that was not.

    ``budget`` precedes it, where values prove that there was another; ``decisions`` of people follow it.
    ``values`` counts the results that the event holds, ``carried_out`` the trials that people did and that
    have none, as they are compared; ``again`` the trials to be evaluated again. ``moved_from`` is the first
    number that is another trial's from now on, or nobody's.
    """

    event: JournalMended
    budget: BudgetAmended | None
    decisions: tuple[Event, ...]
    values: int
    carried_out: int
    again: int
    moved_from: int
    dropped: tuple[str, ...]


def rules_behind(behind: Sequence[Event]) -> list[Rule]:
    """The budgets, bounds and candidates that people amended behind the damage, and where they held
    parameters; to be handled before `salvage`.
    """
    return [event for event in behind if isinstance(event, Rule)]


def salvage(
    before: State, behind: Sequence[Event], *, at: AtTheDamage, lost: LostLines, wall: str
) -> Salvage:
    """Gather ``behind`` into one event that follows ``before``, the state once the sound lines were handled,
    and the rules behind the damage.
    """
    end = max([before.at, *(event.at for event in behind)])
    trials = TrialsBehind(len(before.trials), at)
    decisions, of_no_use, made_before = _gone_through(behind, trials)

    dropped: list[str] = []
    budget = _proven_budget(before, trials, end, dropped)
    paid = before.policy if budget is None else amended_policy(before, budget)
    renumbered = _kept_of_those_made(before, trials, paid, dropped)
    saved = _settled_behind(before, trials) + [
        _saved(
            before,
            now,
            _renumbered(trials.made[was], before, renumbered),
            _as_it_was(trials.fate(was), was, now),
        )
        for was, now in renumbered.items()
    ]
    dropped += [f"{count} {name} without a part in any value" for name, count in sorted(of_no_use.items())]

    since = {now: trials.made[was] for was, now in renumbered.items() if was not in made_before}
    numbers = {**renumbered, **{number: number for number in before.trials}}
    mended = JournalMended(
        at=end,
        wall=wall,
        lost=lost.number,
        asks=trials.asks,
        trials=tuple(saved),
        requests=taken_behind(behind, numbers),
        lost_amendments=tuple(_asked_for_elsewhere(before, since)),
        within_bounds=True,
        last_given=numbers.get(trials.last_given, 0),
        others=other_bearers(before, behind, trials, renumbered, lost),
    )
    values = sum(one.value is not None for one in saved)
    carried_out = sum(one.carried_out for one in saved)
    settled = {one.number for one in saved if _is_settled(one)}
    unsettled = (set(before.unsettled) | {one.number for one in saved}) - settled
    still = StillMeant(before, numbers, unsettled, failed_since_approved(behind), dropped)
    following = [kept for one in decisions if (kept := still.kept(replace(one, at=end))) is not None]
    again = _to_be_tried(before, saved, unsettled)
    moved = [now for was, now in renumbered.items() if was != now]
    moved_from = min([*moved, len(before.trials) + len(renumbered) + 1])
    return Salvage(mended, budget, tuple(following), values, carried_out, again, moved_from, tuple(dropped))


def _gone_through(
    events: Sequence[Event], trials: TrialsBehind
) -> tuple[list[Salvageable], Counter[str], set[int]]:
    """What people decided, how many events of each kind are of no use, and the trials that were made before
    what counts, or where points may lie, was last changed; ``trials`` takes in the rest.
    """
    decisions: list[Salvageable] = []
    of_no_use: Counter[str] = Counter()
    made_before: set[int] = set()
    for event in events:
        if isinstance(event, TrialRefused) and event.forgotten and trials.fate(event.trial).result is None:
            told = ObservationsForgotten(at=event.at, trials=(event.trial,), reason=event.reason, by=event.by)
            decisions.append(told)
        if isinstance(event, ComparisonTold):
            trials.compared(event)
        if isinstance(event, BoundsAmended | HeldAmended | JournalMended):
            made_before = set(trials.made)
        if trials.take(event) or isinstance(event, Rule):
            continue
        if isinstance(event, Salvageable):
            decisions.append(event)
        else:
            of_no_use[type(event).__name__] += 1
    return decisions, of_no_use, made_before


def _to_be_tried(before: State, saved: Sequence[SavedTrial], unsettled: Collection[int]) -> int:
    """How many of them lie where points may lie."""
    points = {number: trial.parameters for number, trial in before.trials.items()}
    points |= {one.number: one.suggested.parameters for one in saved}
    return sum(before.inside(points[number]) and before.where_held(points[number]) for number in unsettled)


def _proven_budget(
    before: State, trials: TrialsBehind, at: float, dropped: list[str]
) -> BudgetAmended | None:
    """The budget that there must have been, where the line that raised it is lost: no value goes for that."""
    budget, cost = before.policy.budget.trials, before.policy.budget.cost
    needed = before.budgeted + trials.made_and_valued()
    raised = None if budget is None or needed <= budget else needed
    if raised is not None:
        dropped.append(
            f"whatever raised the budget of {budget}: there are values of more trials, so a budget of"
            f" {needed} trials is taken for granted"
        )
    paid = before.tally.spent + trials.cost_of_valued()
    # The last one may exceed what was left, by less than an evaluation at full fidelity.
    costlier = None if cost is None or paid < cost + 1.0 else paid
    if costlier is not None:
        dropped.append(
            f"whatever raised the budget of a cost of {cost:g}: there are values that cost more, so a budget"
            f" of {paid:g} is taken for granted"
        )
    if raised is None and costlier is None:
        return None
    return BudgetAmended(at=at, trials=raised, cost=costlier, by="fsck")


def _asked_for_elsewhere(before: State, made: Mapping[int, Made]) -> Iterator[str]:
    """That what is held, or the bounds, must have been amended in a line that is lost. ``before`` has the
    rest of what was.
    """
    points = {number: one.suggested.parameters for number, one in made.items()}
    for what, where, as_it_is, allowed in (
        ("where parameters are held", "elsewhere", place_words(before.policy.where.held), before.where_held),
        ("the bounds", "outside", bounds_words(before.amended.bounds), before.inside),
    ):
        if others := [number for number, point in points.items() if not allowed(point)]:
            said = f"{trial_names(others)} {'was' if len(others) == 1 else 'were'} asked for {where}"
            yield (
                f"what amended {what}, {as_it_is} by what is left: {said}; what has no value there is not"
                " evaluated"
            )


def _settled_behind(before: State, trials: TrialsBehind) -> list[SavedTrial]:
    """The trials that the sound part holds unsettled, and that were settled behind the damage."""
    saved = [
        _saved(
            before,
            number,
            Made(Suggested(parameters=trial.parameters), trial.ask),
            fate,
            trial.attempts.failed,
        )
        for number, trial in sorted(before.unsettled.items())
        if (fate := trials.fates.get(number)) is not None
    ]
    return list(filter(_is_settled, saved))


def _is_settled(saved: SavedTrial) -> bool:
    return saved.value is not None or saved.carried_out or bool(saved.message)


def _kept_of_those_made(
    before: State, trials: TrialsBehind, paid: Policy, dropped: list[str]
) -> dict[int, int]:
    """The numbers of the trials made behind the damage from now on, by those that they had.

    A gap in them is closed. Where the trials are more than is ``paid`` for, some without a value go.
    """
    limit = paid.budget.trials
    room = len(trials.made) if limit is None else max(0, limit - before.budgeted)
    room_without_value = room - trials.made_and_valued()
    left = (
        math.inf
        if paid.budget.cost is None
        else paid.budget.cost - before.tally.spent - trials.cost_of_valued()
    )
    renumbered: dict[int, int] = {}
    for was in sorted(trials.made):
        if trials.fate(was).result is None:
            room_without_value -= 1
            if room_without_value < 0:
                dropped.append(f"trial {was}: it is beyond the budget of {limit}")
                continue
            if left <= ROUNDING:
                dropped.append(f"trial {was}: it is beyond the budget of a cost of {paid.budget.cost:g}")
                continue
            left -= trials.made[was].suggested.cost
        now = renumbered[was] = len(before.trials) + len(renumbered) + 1
        if was != now:
            dropped.append(f"the number of trial {was}: it is trial {now} from now on")
    for was, fate in sorted(trials.fates.items()):
        if was > len(before.trials) and was not in trials.made and fate.result is not None:
            value = fate.result.value
            done = f"that trial {was} was carried out"
            what = done if value is None else f"the value {value!r} of trial {was}, from {fate.result.worker}"
            dropped.append(f"{what}: the line with its parameters is lost")
    return renumbered


def _renumbered(made: Made, before: State, numbers: Mapping[int, int]) -> Made:
    """With the numbers that those trials have now which it goes on from, and which settled what its round
    shares; of none, if they are lost.
    """

    def now(number: int) -> int:
        return number if number in before.trials else numbers.get(number, 0)

    suggested, together = made.suggested, made.suggested.why.get(ROUND)
    why = suggested.why
    if isinstance(together, Mapping):
        why = {**why, ROUND: {**together, "of": now(together.get("of", 0))}}
    return replace(made, suggested=replace(suggested, continues=now(suggested.continues), why=why))


def _as_it_was(fate: Fate, was: int, now: int) -> Fate:
    """With the number that the trial was evaluated under, which it may have had before an earlier repair."""
    evaluated_as = fate.evaluated_as or was
    return replace(fate, evaluated_as=0 if evaluated_as == now else evaluated_as)


def _saved(before: State, number: int, made: Made, fate: Fate, failures_before: int = 0) -> SavedTrial:
    saved = partial(
        SavedTrial,
        number=number,
        suggested=made.suggested,
        ask=made.ask,
        held=made.held,
        evaluated_as=fate.evaluated_as,
    )
    if (result := fate.result) is not None:
        return saved(
            value=result.value,
            variance=result.variance,
            factors=result.factors,
            extras=result.extras,
            broken=result.broken,
            elapsed=result.elapsed,
            worker=result.worker,
            curve=result.curve,
            not_finite_at=result.not_finite_at,
            own=result.own,
            by=result.by,
            carried_out=result.value is None,
            block=fate.block,
            continued=result.continued,
        )
    if (stopped := fate.stopped) is not None:
        return saved(message=stopped.reason, forecast=stopped.forecast, curve=stopped.curve)
    failures = failures_before + fate.failures
    spent = f"failed {failures} times" if failures >= before.policy.evaluations.attempts else ""
    return saved(message=fate.verdict or spent, by=fate.by)
