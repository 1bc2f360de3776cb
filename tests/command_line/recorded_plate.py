"""A plate of which a person records some wells: its spec, how its run began, what a file records of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from policies import policy_with

from orchestrator.command_line.recorded_results import RecordedResults, RunAsItStands, results_to_record
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

PLATE = """\
experiment: plate
objectives: {gain: maximise, waste: minimise}
outcomes: [price]
parameters: {acid: {type: float, bounds: [0, 1]}}
constraints: [price <= 40]
budget: {trials: 9}
algorithm: random
evaluation: {evaluator: person}
"""
SPEC = load_spec_text(PLATE, "plate.yaml", None).spec
BY_PLATE = load_spec_text(
    """\
experiment: plates
objective: {name: gain, goal: maximise, unit: dB}
parameters: {acid: {type: float, bounds: [0, 1]}}
blocks: plate
budget: {trials: 9}
evaluation: {evaluator: person}
columns: {Gewinn: gain}
""",
    "plates.yaml",
    None,
).spec
"""Of which results say the plate."""
BEGUN = [
    ev.RunStarted(at=0.0, run="plate-1", wall="2024-01-01T00:00:00", points=({"acid": 0.2},) * 4),
    ev.WorkerJoined(at=1.0, worker="person", slots=3, local=True),
]
"""Three of four wells are a person's."""


def interrupted_run(logs: Path) -> Path:
    """The folder of a run of it that nobody works on: the three wells were in hand as the power was lost."""
    folder = logs / "plate-1"
    folder.mkdir(parents=True)
    (folder / "spec.yaml").write_text(PLATE)
    journal = JournalWriter.create(folder / "journal.jsonl", "test")
    journal.append(BEGUN)
    journal.commit()
    journal.close()
    return folder


def read(
    folder: Path,
    table: str,
    *events: ev.Event,
    held: bool = True,
    spec: Spec = SPEC,
    begun: Sequence[ev.Event] = BEGUN,
    replicates: bool = False,
    correct: bool = False,
) -> RecordedResults:
    (folder / "read.csv").write_text(table)
    scheduler = Scheduler(policy_with(trials=4, blocks=spec.blocks))
    for event in (*begun, *events):
        scheduler.handle(event)
    run = RunAsItStands(spec, scheduler.state, attended=held)
    return results_to_record(folder / "read.csv", run, replicates=replicates, correct=correct)
