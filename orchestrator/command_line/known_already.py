"""Results of files that are added to a run which has some of them, as where a file has grown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Sequence

from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.block_name import OF_NO_BLOCK
from orchestrator.values.named import Values


def not_known_already(results: Sequence[KnownResult], state: State) -> list[KnownResult]:
    """Those that no result of a run is equal to; of replicates that came out alike, as many as it lacks."""
    names = state.policy.results.outcomes
    known: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
    for trial in state.observed:
        known[_told(trial, trial.extras, names)][block_of(state, trial) or OF_NO_BLOCK] += 1
    new = []
    for result in results:
        blocks = known[_told(result, result.outcomes, names)]
        # One that says no block may be of any.
        there = result.block or next(iter(+blocks), OF_NO_BLOCK)
        if blocks[there] > 0:
            blocks[there] -= 1
        else:
            new.append(result)
    return new


def words_on_known(count: int, known: int) -> str:
    """That so many of the results of files were known; empty if none was."""
    if not known:
        return ""
    are = "is" if known == 1 else "are"
    return (
        f"{known} of {count} results {are} known to the run already, with the same values, and not added"
        " again; --result adds what came out the same once more"
    )


def _told(one: KnownResult | Trial, brought: Values, names: Collection[str]) -> Hashable:
    outcomes = tuple(_hashable(brought.get(name)) for name in names)
    return frozenset(one.parameters.items()), one.value, one.variance, outcomes


def _hashable(outcome: object) -> object:
    """A curve is a list where it came as JSON."""
    return tuple(outcome) if isinstance(outcome, list) else outcome
