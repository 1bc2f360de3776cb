"""Which blocks results are of: of a block they share an offset, as those of a plate, or of a worker."""

from __future__ import annotations

from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.values.block_name import BY_WORKER, OF_NO_BLOCK, block_name


def block_of(state: State, trial: Trial) -> str | None:
    """That of a trial, or of a known result: as it says itself, or as its worker has one of its own, or as
    was said of it, or as the trial that it corrects has it; None without blocks.
    """
    blocks = state.policy.results.blocks
    if blocks is None:
        return None
    said = (block_name(told.get(blocks), blocks) for told in (trial.extras, trial.own))
    name = next(filter(None, said), trial.block)
    if not name and blocks == BY_WORKER:
        name = trial.worker or OF_NO_BLOCK
    return name if name or not trial.stands_for else block_of(state, state.trials[trial.stands_for])
