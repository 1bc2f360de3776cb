"""Results that local workers of an earlier life finished, and that it did not live to record.

They lie in the workers' outboxes, and each worker sends its own again once it is started anew. But another
may come before that, and be given the trial.
"""

from __future__ import annotations

from pathlib import Path

from orchestrator.wire.kept_frames import read_kept, result_in
from orchestrator.wire.messages import Result


def left_results(workers: Path, run: str) -> list[tuple[str, Result]]:
    """What was left for a run in the folder of its local ``workers``: the name of a worker, and a result.

    What cannot be read is passed over, as it loses nothing: its worker has it.
    """
    left: list[tuple[str, Result]] = []
    for path in sorted(workers.glob("*/outbox.jsonl")):
        try:
            kept = read_kept(path.read_bytes())
        except OSError:
            continue
        for (of, _), frame in kept.frames.items():
            if of == run and (result := result_in(frame)) is not None:
                left.append((path.parent.name, result))
    return left
