"""What the optimiser is told, one result after the other, and all of it where it begins anew."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.commands import Rebuild, Tell, TellComparison
from orchestrator.scheduler.comparison_events import ComparisonTold
from orchestrator.scheduler.comparisons import is_comparable
from orchestrator.scheduler.event_parts import ON_THE_WAY, ROUND, is_beside_what_stays
from orchestrator.scheduler.handling.step import Step
from orchestrator.scheduler.standing import compare_all
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.derivatives import DERIVATIVES


def tell_the_round(step: Step) -> None:
    """Have the optimiser told what is left of a round, in the order in which it was asked for."""
    for trial in sorted(step.state.untold, key=lambda trial: trial.number):
        tell(step, trial)
    step.state.untold.clear()


def tell(step: Step, trial: Trial) -> None:
    """Have the optimiser told what became of a trial, or would have become of one that was stopped."""
    foreseen = trial.forecast
    step.command(
        Tell(
            trial=trial.number,
            parameters=trial.parameters,
            value=trial.value if foreseen is None else foreseen.mean,
            variance=trial.variance if foreseen is None else foreseen.deviation**2,
            foreseen=foreseen is not None,
            held=bool(trial.held)
            or ROUND in trial.suggested.why
            or is_beside_what_stays(trial.suggested.why),
            completed=bool(trial.suggested.part),
            on_the_way=trial.suggested.why.get("source") == ON_THE_WAY,
            attached=trial.ask is None,
            seconds=trial.elapsed or None,
            worker=trial.worker or "",
            cost=trial.cost,
            continues=trial.suggested.continues,
            continued=trial.continued,
            began_anew=trial.went_on is False,
            block=block_of(step.state, trial),
            factors=trial.factors,
            outcomes={
                name: trial.extras[name]
                for name in step.state.policy.results.outcomes
                if name in trial.extras
            },
            derivatives=_derivatives(trial) if step.state.policy.results.derivatives else {},
        )
    )


def _derivatives(trial: Trial) -> Mapping[str, float]:
    told = trial.extras.get(DERIVATIVES)
    return told if isinstance(told, Mapping) else {}


def tell_comparison(step: Step, told: ComparisonTold) -> None:
    """Have the optimiser told how two trials compare, as long as both count."""
    if is_comparable(step.state, told.trial) and is_comparable(step.state, told.other):
        step.command(TellComparison(better=told.trial, worse=told.other, alike=told.alike))


def in_old_order(state: State) -> list[Trial]:
    """What the optimiser was told, or was to be: of rounds, by number."""
    if state.policy.mode.kind != "synchronous":
        return state.observed
    return sorted(state.observed, key=lambda trial: max(trial.number, 0))


def rebuild(step: Step) -> None:
    """The optimiser begins anew and is told, in the old order, what still counts."""
    state = step.state
    policy, optimiser, amended = state.policy, state.optimiser, state.amended
    optimiser.model += 1
    optimiser.refits, optimiser.asking, optimiser.gains = 0, None, ()
    optimiser.exhausted = optimiser.awaits_results = False
    known = [*filter(state.counts, state.observed), *state.unsettled.values()]
    # What knows of nothing elsewhere need not look there, and searches what is left as if that were all.
    optimiser.fixed = policy.where.held if all(state.where_held(one.parameters) for one in known) else {}
    step.command(
        Rebuild(
            model=optimiser.model,
            bounds=amended.bounds,
            fixed=optimiser.fixed,
            constraints=amended.constraints,
            travel=policy.where.travel,
            changes=policy.where.changes,
            candidates=amended.candidates,
            values=amended.values,
            trials=policy.budget.trials,
            cost=policy.budget.cost,
        )
    )
    state.untold.clear()
    for trial in in_old_order(state):
        if state.counts(trial):
            tell(step, trial)
    for told in state.compared:
        tell_comparison(step, told)
    compare_all(state)
