"""Which blocks results are of: of a block they share an offset, as those of a plate, or of a worker."""

from __future__ import annotations

from orchestrator.scheduler.state import State, Trial
from orchestrator.values.block_name import BY_WORKER, OF_NO_BLOCK, block_name


def block_of(state: State, trial: Trial) -> str | None:
    """That of a trial, or of a known result: as it says itself, or as was said of it; None without blocks."""
    blocks = state.policy.blocks
    if blocks is None:
        return None
    if blocks == BY_WORKER:
        return trial.block or trial.worker or OF_NO_BLOCK
    return block_name(trial.extras.get(blocks)) or trial.block
