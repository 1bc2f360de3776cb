"""What keeps a result from being the best, in words: where it is, and what it does not satisfy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from orchestrator.expressions.constraints import in_doubt
from orchestrator.expressions.counts import in_words
from orchestrator.report.words.broken_limits import limits_words
from orchestrator.report.words.fidelity import is_full
from orchestrator.report.words.wording import number
from orchestrator.scheduler.kept_limits import broke
from orchestrator.scheduler.rules.places import away, place_words
from orchestrator.scheduler.rules.policy import Policy
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.printable import printable


def lacking_words(state: State, trial: Trial) -> str:
    """Of a result, as it comes: ``at cells = 40``, ``does not satisfy `lift >= 0.4```, or both; else
    nothing.
    """
    policy, told = state.policy, trial.parameters
    said = [
        f"at {name} = {number(told[name])}" if name in told else f"without {name}"
        for name in policy.elsewhere(told)
    ]
    return ", ".join([*said, *_unsatisfied(state, trial)])


def note_of_lacking(state: State, trial: Trial) -> str:
    """The same beside the parameters: ``not at full fidelity``, ``not at batch = april``, ``does not satisfy
    `lift >= 0.4```, joined by ``and``.
    """
    policy = state.policy
    said = [] if is_full(policy, trial) else ["not at full fidelity"]
    missed = {name: policy.where.held[name] for name in away(policy.where.held, trial.parameters)}
    said += [f"not at {place_words(missed)}"] if missed else []
    return " and ".join([*said, *_unsatisfied(state, trial)])


def better_dots(policy: Policy, trials: Iterable[Trial]) -> str:
    """What a chart's legend says of dots that are no best, if there are any."""
    cheap = elsewhere = constrained = False
    for trial in trials:
        cheap |= not is_full(policy, trial)
        elsewhere |= bool(away(policy.where.held, trial.parameters))
        constrained |= bool(_constraints(policy, trial))
    said = "; dots better than it do not satisfy the constraints" if constrained else ""
    small = ["at full fidelity"] if cheap else []
    small += [f"at {printable(place_words(policy.where.held))}"] if elsewhere else []
    return f"{said}; small ones are not {' or not '.join(small)}" if small else said


def some_unsatisfied(policy: Policy, trials: Iterable[Trial]) -> bool:
    """Whether some of the trials do not satisfy constraints."""
    return any(_constraints(policy, trial) for trial in trials)


def doubtful_of(state: State, trial: Trial) -> tuple[str, ...]:
    """The constraints of which nobody knows whether a result satisfies them, as an outcome is not known, or
    what the reference has of one.
    """
    return in_doubt(
        trial.broken, state.policy.results.outcomes, trial.extras, state.amended.constraints.known_levels
    )


def _unsatisfied(state: State, trial: Trial) -> Iterator[str]:
    policy = state.policy
    kept, doubtful = broke(policy, trial), doubtful_of(state, trial)
    if kept:
        yield f"broke {limits_words(kept)}, which every trial is to keep"
    if broken := [text for text in _constraints(policy, trial) if text not in (*kept, *doubtful)]:
        yield f"does not satisfy `{'`, `'.join(map(in_words, broken))}`"
    if doubtful:
        yield f"is not known to satisfy `{'`, `'.join(map(in_words, doubtful))}`"


def _constraints(policy: Policy, trial: Trial) -> Sequence[str]:
    """Those that a trial does not satisfy. Older journals have full fidelity among them, as ``cells = 400``;
    constraints are inequalities.
    """
    return [
        one for one in trial.broken if not one.startswith(tuple(f"{name} = " for name in policy.sought.full))
    ]
