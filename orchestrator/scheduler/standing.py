"""What follows from the trials as a whole: the best of them, and whether the run is at its end."""

from __future__ import annotations

import math

from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.endings import EVERY_CANDIDATE, EVERY_POINT, TIME_RAN_OUT
from orchestrator.scheduler.front import joined
from orchestrator.scheduler.gain import expectation_words, gain_words, little_left
from orchestrator.scheduler.reference import came_to_nothing
from orchestrator.scheduler.room import at_a_time, room_left, why_too_large
from orchestrator.scheduler.rules.places import place_words
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.ways import still_to_go
from orchestrator.values.reference_named import names_reference

ROUNDING = 1e-9
"""In evaluations: ten that cost a tenth each do not cost quite 1 together, as floats add them up."""


def compare(state: State, trial: Trial) -> None:
    """Note what another trial that counts makes of the best one, or of the front, and how many came since."""
    policy, best = state.policy, state.found.best
    nearer = _comes_nearer(state, trial)
    if policy.sought.further:
        front = joined(state, state.found.front, trial)
        improved, state.found.front = front is not state.found.front, front
    else:
        better = trial.value is not None and (
            best is None or best.value is None or policy.sought.better(trial.value, best.value)
        )
        improved = better and state.may_be_best(trial)
        if improved:
            state.found.best = trial
    corrects = trial.stands_for if state.started.renewed_by_trials else 0
    own = state.trials.get(max(trial.number, corrects))
    if improved and (own is not None or not state.started.renewed_by_trials):
        state.found.since_best = 0.0
    elif not improved and not nearer and own is not None and state.where_sought(trial):
        # What is known from elsewhere is no trial, and costs no patience; no more does what was evaluated
        # before parameters were held where they are now, or a constraint was added.
        state.found.since_best += own.cost


def _comes_nearer(state: State, trial: Trial) -> bool:
    """Whether a trial is on the way, and nearer to where it leads than the one before it was. Who is led now
    here, now there, does not arrive: that a run ends has to depend on it.
    """
    before, state.found.to_go = state.found.to_go, still_to_go(state.policy.where.travel, trial)
    return (
        state.started.spares_the_way and state.found.to_go > 0 and (before == 0 or state.found.to_go < before)
    )


def compare_all(state: State) -> None:
    """Find the best of all that counts anew."""
    state.found.best, state.found.front, state.found.since_best, state.found.to_go = None, (), 0.0, 0
    for trial in _in_turn(state) if state.started.renewed_by_trials else state.observed:
        if state.counts(trial):
            compare(state, trial)


def _in_turn(state: State) -> list[Trial]:
    """All that came, and what corrects a trial when that came."""
    turn = {trial.number: number for number, trial in enumerate(state.observed)}
    return sorted(state.observed, key=lambda trial: turn.get(trial.stands_for or trial.number, 0))


def goal_reached(state: State) -> str:
    """Why nothing more has to be evaluated, or nothing."""
    policy, best = state.policy, state.found.best
    if best is not None and best.value is not None and policy.target_reached(best.value):
        return "the target was reached"
    if not out_of_patience(state):
        return ""
    trials = "1 trial" if policy.budget.patience == 1 else f"{policy.budget.patience} trials"
    if policy.sought.full:
        trials = f"what {trials} at full fidelity cost{'s' if policy.budget.patience == 1 else ''}"
    if state.found.front:
        return f"no new trade-off in {trials}"
    if best is not None:
        return f"no improvement in {trials}"
    return f"nothing that satisfies the constraints in {trials}"


def out_of_patience(state: State) -> bool:
    """Whether there was no improvement in as many trials as were to be waited for, or nothing that satisfies
    the constraints on outcomes.
    """
    patience = state.policy.budget.patience
    if patience is None or state.found.since_best < patience - ROUNDING:
        return False
    return state.found.best is not None or bool(state.found.front) or _nothing_satisfies(state)


def _nothing_satisfies(state: State) -> bool:
    """Whether values came where parameters are held, and all of them break constraints on outcomes. One that
    does not, and is no best one for want of fidelity, may lead to one; of limits that are relative to what
    the reference has nobody knows before that is measured.
    """
    if not state.policy.results.outcomes or not state.tally.completed:
        return False
    # As it is measured, or was now, it is known at once which of these do.
    in_doubt = not state.amended.constraints.levels and not came_to_nothing(state)
    any_valued = False
    # From the newest on: where some satisfy them, the last ones mostly do, and the others need no look.
    for trial in reversed(state.observed):
        if trial.value is not None and state.counts(trial) and state.where_sought(trial):
            if not trial.broken or (in_doubt and all(map(names_reference, trial.broken))):
                return False
            any_valued = True
    return any_valued


def stock_due(state: State) -> bool:
    """Whether at its end the optimiser is to be heard again: what it said of noisy values was of fewer, and
    by the clock of an earlier time, and the last comparison came after that.
    """
    policy = state.policy
    told = "believed_best" in state.optimiser.insight or policy.no_trial_is_best or policy.results.compared
    return told and not state.end.badly


def gain_spent(state: State) -> str:
    """Why it is not worth going on, by the model's own account, or nothing."""
    threshold = state.policy.budget.expected_gain
    if threshold is None or not little_left(state.optimiser.gains, threshold):
        return ""
    beside_threshold = state.policy.sought.threshold is not None
    expects = expectation_words(f"less than {threshold:g}", beside_threshold=beside_threshold)
    return f"{expects} ({gain_words(state.optimiser.gains[-1], threshold)})"


def nothing_succeeds(state: State) -> str:
    """What the last of so many failures said that the evaluator must be broken; else nothing."""
    limit, count = state.policy.evaluations.give_up_after, state.tally.out_of_attempts
    if limit is None or state.tally.completed or count < limit or budget_left(state) == 0:
        return ""
    last = next(trial for trial in reversed(state.observed) if _is_given_up(state.policy, trial))
    said = last.message.partition("\n")[0] or "no reason given"
    return f"{count} trial{'s' if count > 1 else ''} failed, the last with: {said}"


def _is_given_up(policy: Policy, trial: Trial) -> bool:
    """Whether it failed at every attempt, or is larger than any worker."""
    return trial.attempts.failed >= policy.evaluations.attempts or bool(why_too_large(policy, trial))


def budget_spent(state: State) -> str:
    """Why no trial can be added to those there are, or nothing."""
    spent = _none_can_be_added(state)
    # Of those that people are to compare nobody knows yet what became.
    return "" if spent and uncompared(state) else spent


def _none_can_be_added(state: State) -> str:
    if state.optimiser.exhausted:
        return nothing_sure(state) or _every_one(state)
    trials, cost = state.policy.budget.trials, state.policy.budget.cost
    if trials is not None and state.budgeted >= trials:
        return "every trial of the budget is settled"
    if cost is not None and state.tally.spent >= cost - ROUNDING:
        return "the trials have cost what the budget pays for"
    return ""


def _every_one(state: State) -> str:
    if state.policy.where.candidates:
        return EVERY_CANDIDATE
    if state.policy.where.tried_once:
        held = state.policy.where.held
        return EVERY_POINT.format(f" where {place_words(held)}" if held else "")
    return "the optimiser has no more points to suggest"


def nothing_sure(state: State) -> str:
    """That no point is sure enough to keep what no trial may break; nothing where there is nothing such."""
    if not state.policy.sought.kept:
        return ""
    kept = "`, `".join(state.policy.sought.kept)
    if state.policy.where.candidates:
        # How many rows there are is not known here: it may be that none is left.
        return f"{EVERY_CANDIDATE}, but for those that are not known to be sure enough to keep `{kept}`"
    return f"no other point is known to be sure enough to keep `{kept}`"


def budget_left(state: State) -> int | None:
    """How many trials may still be made, whatever they cost; None without a limit.

    Each costs 1 at most, so that together they exceed what may still be spent by less than 1.
    """
    policy = state.policy
    left = [] if policy.budget.trials is None else [policy.budget.trials - state.budgeted]
    left += (
        [] if policy.budget.cost is None else [math.ceil(policy.budget.cost - state.tally.spent - ROUNDING)]
    )
    return max(0, min(left)) if left else None


def trials_wanted(state: State) -> int:
    """How many more trials should be under way, as far as the budget goes."""
    policy, under_way = state.policy, len(state.unsettled) + len(uncompared(state))
    if policy.mode.kind == "sequential":
        wanted = 1 - under_way
    elif policy.mode.kind == "synchronous":
        wanted = policy.mode.batch if under_way == 0 else 0
    else:
        # With no worker connected yet, one point is made ready for the first that comes.
        count = at_a_time(state)
        if state.started.takes_back and policy.evaluations.slots is None:
            under_way -= state.away
        # What people compare waits for them, however quickly it is made; and what is to be safe is to be so
        # by all that is known when it begins.
        waits = policy.results.compared or policy.sought.kept
        ahead = 0 if waits else state.optimiser.pace.lookahead(count, policy.budget.full_evaluations)
        wanted = count + ahead - under_way if policy.evaluations.slots is None else room_left(state, ahead)
    left = budget_left(state)
    return wanted if left is None else min(wanted, left)


def patience_s(state: State) -> float | None:
    """How long an ask may wait for a refit; None for as long as that takes."""
    if state.policy.mode.kind != "asynchronous":
        # One at a time, or in rounds, nobody works while a refit is awaited anyway.
        return None
    return state.optimiser.pace.patience_s(
        state.policy.budget.full_evaluations, first=state.optimiser.refits == 0
    )


def why_over(state: State) -> str:
    """Why a run of which nothing runs is over; nothing if it could go on. What waits has been paid for."""
    return why_ends(state) or ("" if state.waiting.queue else budget_spent(state))


def why_ends(state: State) -> str:
    """Why a run evaluates nothing more, whatever waits and is paid for; or nothing."""
    return goal_reached(state) or gain_spent(state) or out_of_time(state)


def out_of_time(state: State) -> str:
    """That the run has lasted as long as it may, or nothing."""
    limit, clock = state.ends_s, state.policy.where.clock
    if limit is None or state.at < limit:
        return ""
    if clock is None or limit == state.policy.budget.time_s:
        return TIME_RAN_OUT
    return clock.ended_words
