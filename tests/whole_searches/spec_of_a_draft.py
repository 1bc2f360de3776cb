"""A draft as a spec says it, for a run of the same search."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from cheap_values import Returned
from drafts import Draft
from ways_of_runs import WAYS

from orchestrator import Candidates

OF_PYTHON_ALONE = ("foreseen", "watched", "held", "again", "abandoned", "table")
"""Manners that a run has no word for, or another one."""
OF_THE_OBJECTIVE = ("noise", "value", "fit", "covariance", "over", "threshold", "derivatives")
KNOWN = 9


def as_spec(draft: Draft, trials: int, folder: Path, ways: Sequence[str] = ()) -> str | None:
    """Its text, with tables beside it in the folder; None where it has what no spec says. ``ways``: how its
    run is done, by name.
    """
    if draft.manner.intersection(OF_PYTHON_ALONE):
        return None
    told, names = draft.told, ("outcomes", "fidelity", "factors", "clock", "seed")
    spec: dict[str, Any] = {
        "experiment": "drawn",
        **_objectives(draft),
        "parameters": {name: _parameter(draft, name, one) for name, one in draft.parameters.items()},
        "budget": {"trials": told["plan"].trials if "plan" in told else trials},
        "evaluation": {"evaluator": "json:dumps", "attempts": 1},
        "mode": _mode(draft),
        **{name: told[name] for name in names if name in told},
    }
    if draft.outcomes:
        spec["outcomes"] = draft.outcomes
    if bounds := [*draft.constraints, *draft.limits]:
        spec["constraints"] = bounds
    if "candidates" in told:
        spec["candidates"] = _candidates(told["candidates"])
    if told.get("blocks"):
        spec["blocks"] = "day" if told["blocks"] == "day" else "plate"
    if "algorithm" in told or "options" in told:
        spec["algorithm"] = {"name": told.get("algorithm", "auto"), "options": told.get("options", {})}
    if initial := _initial(draft, folder):
        spec["initial"] = initial
    for way in ways:
        WAYS[way](spec, draft.chance)
    return yaml.safe_dump(_plain(spec), sort_keys=False)


def _objectives(draft: Draft) -> dict[str, Any]:
    told = draft.told
    own = {"name": "height", **{name: told[name] for name in OF_THE_OBJECTIVE if name in told}}
    if "fit" in told:
        own = {name: one for name, one in own.items() if name != "name"}
    elif "goal" in told:
        own["goal"] = told["goal"]
    if "objectives" not in told:
        return {"objective": own}
    further = [{"name": name, "goal": goal} for name, goal in told["objectives"].items()]
    return {"objectives": [own, *further]}


def _parameter(draft: Draft, name: str, one: Any) -> Any:
    described = dict(one) if isinstance(one, Mapping) else {"type": "float", "bounds": one}
    return described | ({"unit": "h"} if name == draft.told.get("clock") else {})


def _mode(draft: Draft) -> Any:
    if "batches" in draft.manner:
        return {"synchronous": 3, **({"sharing": ["y"]} if "shared" in draft.manner else {})}
    return "asynchronous" if "out of order" in draft.manner else "sequential"


def _candidates(told: Any) -> Any:
    if not isinstance(told, Candidates):
        return told
    more = {"given": list(told.given), "seen": list(told.seen), "again": told.again}
    return {"table": told.rows, **{name: one for name, one in more.items() if one}}


def _initial(draft: Draft, folder: Path) -> dict[str, Any]:
    initial: dict[str, Any] = {}
    if {"known", "safely"} & draft.manner:
        initial["results"] = [_known(draft, one) for one in draft.points(KNOWN)]
    if "travel" in draft.manner:
        initial["points"] = draft.points(1)
    if draft.parts:
        initial["points"] = [*initial.get("points", ()), *draft.parts]
    if "reference" in draft.told:
        initial["reference"] = draft.told["reference"]
        initial["reference_times"] = draft.told.get("reference_times", 1)
    if rows := draft.told.get("related"):
        with (folder / "old.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, sorted({name for row in rows for name in row}))
            writer.writeheader()
            writer.writerows(rows)
        initial["related"] = "old.csv"
    return initial


def _known(draft: Draft, point: Mapping[str, Any]) -> dict[str, Any]:
    result = Returned(draft).told(0, point)
    outcomes = result.get("outcomes", {}) | ({"heat": 0.1} if "safely" in draft.manner else {})
    told = ("value", "variance", "derivatives", *(["seconds"] if _learns_of_durations(draft) else []))
    kept = {name: one for name, one in result.items() if name in told}
    return {**point, **outcomes, **kept}


def _learns_of_durations(draft: Draft) -> bool:
    """Whether known results may say how long they took."""
    fidelity = draft.told.get("fidelity")
    return draft.told.get("options", {}).get("weigh_duration") or (
        fidelity is not None and "cost" not in fidelity
    )


def _plain(told: Any) -> Any:
    """What YAML has, of tuples and of other libraries' numbers."""
    if isinstance(told, Mapping):
        return {name: _plain(one) for name, one in told.items()}
    if isinstance(told, list | tuple):
        return [_plain(one) for one in told]
    return told if isinstance(told, str | bool | int) or told is None else float(told)
