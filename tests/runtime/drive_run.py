"""The command line's `run` and `resume`, with the patience of a test and a line for everything noted.

python drive_run.py run SPEC LOGS PATIENCE | python drive_run.py resume FOLDER PATIENCE
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from orchestrator.errors import OrchestratorError
from orchestrator.runtime import loop
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.monitor import Opening
from orchestrator.runtime.optimiser import process as optimiser_process
from orchestrator.runtime.run import RunOptions, resume_experiment, run_experiment
from orchestrator.scheduler.endings import RESUMABLE
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.job_keeping import QueuePatience
from orchestrator.scheduler.liveness import Patience
from orchestrator.scheduler.state import State
from orchestrator.spec.load import load_spec


class SpokenMonitor:
    """Says on standard output where the run lies, and on standard error what is noted."""

    def opened(self, opening: Opening) -> None:
        print(json.dumps({"folder": str(opening.folder), "address": opening.address}), flush=True)

    def observed(self, event: Event, state: State) -> None: ...

    def progressed(self, lease: str, step: int, values: Mapping[str, float]) -> None: ...

    def noted(self, level: str, sentence: str) -> None:
        print(f"{level}: {sentence}", file=sys.stderr, flush=True)

    def ticked(self, state: State, now: float) -> None: ...

    def closed(self, state: State) -> None: ...


def main(command: str, path: str, *rest: str) -> int:
    told = {"silence_s": 60.0, "unheld_s": 60.0, **json.loads(rest[-1])}
    of_queue = QueuePatience(**told.pop("queue", {}))
    patience = Patience(**told)
    loop.SECONDS_TO_TAKE_STOCK = 60.0
    # Nodes are told by it that the run is over.
    optimiser_process.SECONDS_TO_LEAVE = 60.0
    try:
        if command == "run":
            options = RunOptions(SpokenMonitor(), Path(rest[0]), patience, of_queue)
            outcome = run_experiment(load_spec(path), options)
        else:
            options = RunOptions(SpokenMonitor(), patience=patience, queue_patience=of_queue)
            outcome = resume_experiment(RunFolder.open(Path(path)), options)
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    if outcome.failed:
        print(outcome.message, file=sys.stderr)
        return 1
    return 130 if outcome.interrupted and outcome.state.end.why in RESUMABLE else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
