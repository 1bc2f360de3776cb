"""The optimiser is asked for points, and what it answers is taken in."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.scheduler.commands import AdoptRefit, Ask, EstimateGain
from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.endings import RESUMABLE
from orchestrator.scheduler.events import RefitFinished, RemainingGainEstimated, StockTaken, SuggestionsMade
from orchestrator.scheduler.gain import ESTIMATES_KEPT
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.handling.telling import tell_the_round
from orchestrator.scheduler.handling.trials import add_trial, drop_part
from orchestrator.scheduler.kept_limits import broken_since_asked
from orchestrator.scheduler.rules.places import away
from orchestrator.scheduler.standing import budget_left, patience_s, trials_wanted
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.scheduler.trial import Trial
from orchestrator.values.named import Values


def ask_if_short(step: Step) -> None:
    """Ask for as many points as are wanting, unless an answer is awaited."""
    state, optimiser = step.state, step.state.optimiser
    if optimiser.asking is not None or optimiser.exhausted or optimiser.awaits_results:
        return
    wanted = trials_wanted(state)
    if wanted <= 0:
        return
    optimiser.asks += 1
    optimiser.asking = wanted
    optimiser.asked_at, optimiser.asked_knowing = state.at, len(state.observed)
    step.command(
        Ask(
            ask=optimiser.asks,
            count=wanted,
            first_trial=len(state.trials) + 1,
            pending=_pending(state),
            patience_s=patience_s(state),
            held=state.places,
            stands=state.stands,
            parts=state.waiting.parts,
            sharing=state.policy.mode.sharing,
            left_s=None if state.ends_s is None else max(0.0, state.ends_s - state.at),
        )
    )


def _pending(state: State) -> tuple[Values, ...]:
    """Where trials are under way: those that the optimiser may still learn from."""
    under_way: Sequence[Trial] = (*state.unsettled.values(), *uncompared(state))
    if state.amended.bounds or state.optimiser.fixed or state.amended.constraints.added:
        under_way = [
            trial
            for trial in under_way
            if state.inside(trial.parameters)
            and not away(state.optimiser.fixed, trial.parameters)
            and not state.breaks_added(trial)
        ]
    return tuple([trial.parameters for trial in under_way])


def awaits(state: State, answer: SuggestionsMade) -> bool:
    """Whether an answer is that to the ask that is under way."""
    return state.optimiser.asking is not None and answer.ask == state.optimiser.asks


def suggestions_made(step: Step, event: SuggestionsMade) -> None:
    """The answer to the ask that is awaited; any other is of before, and not taken."""
    state, optimiser = step.state, step.state.optimiser
    if optimiser.asking is None or not awaits(state, event):
        return
    if len(event.suggestions) < optimiser.asking:
        _came_short(state, len(event.suggestions))
    wanted, optimiser.asking = optimiser.asking, None
    left = budget_left(state)
    # Less than was asked for, where the budget was lowered meanwhile.
    wanted = wanted if left is None else min(wanted, left)
    optimiser.pace.asked(event.seconds, len(event.suggestions))
    optimiser.insight = event.insight or optimiser.insight
    if state.end.why and state.end.why not in RESUMABLE:
        return
    if state.policy.sought.kept and broken_since_asked(state):
        # It is asked again.
        return
    for left_out in event.left_out:
        drop_part(state, left_out.part)
    for suggested in event.suggestions[:wanted]:
        add_trial(step, suggested, event.ask)


def _came_short(state: State, suggested: int) -> None:
    """There were fewer points than asked for. Where only those are suggested that keep limits surely enough,
    what comes to be known meanwhile, or once those under way are evaluated, may make others sure.
    """
    if state.policy.sought.kept and len(state.observed) > state.optimiser.asked_knowing:
        return
    state.optimiser.awaits_results = bool(state.policy.sought.kept) and bool(state.unsettled or suggested)
    state.optimiser.exhausted = not state.optimiser.awaits_results


def refit_finished(step: Step, event: RefitFinished) -> None:
    """Have a refit adopted, if it is of this model and newer than the last."""
    state, optimiser = step.state, step.state.optimiser
    if event.model != optimiser.model or event.number <= optimiser.refits:
        return
    optimiser.refits = event.number
    if event.observations > sum(map(state.counts, state.observed)) - len(state.untold):
        # Rounds of older journals were told result by result, and refits made of a part of one.
        tell_the_round(step)
    step.command(AdoptRefit(number=event.number, observations=event.observations, payload=event.payload))
    wonder(step)


def wonder(step: Step) -> None:
    """Ask what is left to gain, if anything hangs on it."""
    state = step.state
    if state.policy.budget.expected_gain is not None and state.phase in (Phase.ACTIVE, Phase.PAUSED):
        step.command(EstimateGain(refit=state.optimiser.refits))


def remaining_gain_estimated(step: Step, event: RemainingGainEstimated) -> None:
    """Keep an estimate of what is left to gain, unless a later one is known, or another model."""
    optimiser = step.state.optimiser
    stale = bool(optimiser.gains) and event.refit <= optimiser.gains[-1].refit
    if event.draws and event.model == optimiser.model and not stale:
        optimiser.gains = (*optimiser.gains, event)[-ESTIMATES_KEPT:]


def stock_taken(step: Step, event: StockTaken) -> None:
    """Keep what the optimiser believes, unless it began anew since."""
    optimiser = step.state.optimiser
    if event.model == optimiser.model:
        optimiser.insight = event.insight or optimiser.insight
