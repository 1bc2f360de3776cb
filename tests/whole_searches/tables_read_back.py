"""What `orchestrator export` and `trials` write, read again and held against the journal."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from commands_given import answered

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.corrections import as_corrected

FORMATS = ("csv", "semicolons", "json")
CLOSE = 1e-9
Row = Mapping[str, Any]


def told_otherwise(folder: Path, told: Mapping[int, float | None]) -> Iterator[str]:
    """What of the tables is not what the journal says, or not what was ``told`` of trials last."""
    replay = Replay.of(RunFolder(folder))
    replay.catch_up()
    state = replay.scheduler.state
    objective = replay.spec.objective.name
    trials = list(as_corrected(state, state.trials.values()))
    for command in ("export", "trials"):
        for form in FORMATS:
            rows = rows_of(answered(folder, command, "--format", form), form)
            where = f"{command} --format {form}"
            if [int(row["trial"]) for row in rows] != list(state.trials):
                yield f"{where} has the trials {[row['trial'] for row in rows]}"
                continue
            for row, trial in zip(rows, trials, strict=True):
                number = int(row["trial"])
                for name, value in trial.parameters.items():
                    if not _same(row[name], value):
                        yield f"{where}: trial {number} has {name} {row[name]!r}, and had {value!r}"
                if state.policy.results.compared:
                    continue
                value = None if trial.forgotten else trial.value
                if not _same(row[objective], value):
                    yield f"{where}: trial {number} has the value {row[objective]!r}, and had {value!r}"
    for number, value in told.items():
        trial = trials[number - 1]
        if not trial.forgotten and not _same(trial.value, value):
            yield f"trial {number} has the value {trial.value!r}, and was told {value!r}"


def rows_of(text: str, form: str) -> list[Row]:
    """As a program reads them."""
    if form == "json":
        rows: list[Row] = json.loads(text)
        return rows
    lines = text.removeprefix("\ufeff").splitlines()
    return list(csv.DictReader(lines, delimiter=";" if form == "semicolons" else ","))


def _same(read: Any, value: Any) -> bool:
    if value is None:
        return read in (None, "")
    if isinstance(value, bool | str):
        return str(read).casefold() == str(value).casefold()
    try:
        number = float(str(read).replace(",", "."))
    except ValueError:
        return False
    return math.isclose(number, value, rel_tol=CLOSE, abs_tol=0.0)
