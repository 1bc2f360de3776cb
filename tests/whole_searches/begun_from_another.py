"""A run that begins from what another one exported, as results that are known, or of a related experiment."""

from __future__ import annotations

from pathlib import Path
from random import Random

import yaml
from commands_given import answered
from lived_run import BrokenRun, LivedRun
from tables_read_back import rows_of

from orchestrator.spec.load import load_spec_text

TRIALS = 3
FOUND = "humidity"
"""A parameter that nobody thought of before: what it was, the spec says beside the file."""
READ_BACK = ("completed", "failed")


def begun_from(folder: Path, chance: Random, values: bool) -> None:
    """Of the same spec, to its first ask; ``values``: whether trials have any.

    Raises BrokenRun where it does not know what the first one found.
    """
    text = (folder / "spec.yaml").read_text()
    spec = yaml.safe_load(text)
    exported = answered(folder, "export")
    (folder.parent / "found.csv").write_text(exported)
    rows = [row for row in rows_of(exported, "csv") if row["state"] in READ_BACK]
    how = chance.choice(["results", "related"])
    initial = {key: one for key, one in spec.get("initial", {}).items() if key in ("related", "points")}
    spec["initial"] = {**initial, how: ["found.csv"]}
    spec["budget"] = {"trials": TRIALS}
    if how == "results" and "candidates" not in spec and chance.random() < 0.5:
        spec["parameters"][FOUND] = {"type": "float", "bounds": [10, 90]}
        spec["initial"]["results"] = {"file": "found.csv", "where": {FOUND: 40}}
        for point in spec["initial"].get("points", ()):
            point[FOUND] = 55
    loaded = load_spec_text(yaml.safe_dump(spec, sort_keys=False), "second.yaml", folder.parent)
    run = LivedRun(loaded, folder.parent / "drawn-2", 1, 1.0)
    if how == "results" and values and run.state.tally.known != len(rows):
        raise BrokenRun(f"of {len(rows)} rows {run.state.tally.known} are known")
    run.think()
    run.die()
