"""What people amend of a run while nobody works on it: the options of `orchestrator amend`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import yaml
from drafts import Draft
from lived_run import LivedRun

Amendment = Callable[[Draft, LivedRun, Random], Sequence[str]]


def _always(*options: str) -> Amendment:
    return lambda _draft, _run, _chance: options


def _a_trial(run: LivedRun, chance: Random) -> str:
    return str(chance.choice(sorted(run.state.trials))) if run.state.trials else "1"


def _settings(values: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in values.items())


def _tried(draft: Draft, run: LivedRun, _: Random) -> Sequence[str]:
    del run
    return ("--try", _settings(draft.points(1)[0]))


def _known(draft: Draft, run: LivedRun, _: Random) -> Sequence[str]:
    outcomes = dict.fromkeys(run.spec.outcomes, 0.5)
    return ("--result", _settings({**draft.points(1)[0], **outcomes, "value": 0.7}))


def _more_rows(draft: Draft, run: LivedRun, chance: Random) -> Sequence[str]:
    if draft.rows is None:
        return ()
    names = list(
        draft.told["candidates"].rows[0] if hasattr(draft.told["candidates"], "rows") else draft.rows[0]
    )
    path = run.folder.path.parent / "more.csv"
    cells = [
        f"Z{run.state.optimiser.asks}" if name == "tube" else f"{0.1 + chance.random():.3f}" for name in names
    ]
    path.write_text(",".join(names) + "\n" + ",".join(cells) + "\n")
    return ("--candidates", str(path))


def _another_spec(draft: Draft, run: LivedRun, chance: Random) -> Sequence[str]:
    """As it should have been: with another formula, or other targets."""
    del draft
    spec = yaml.safe_load(run.folder.spec.read_text())
    objective = spec.get("objective", {})
    if "value" in objective:
        objective["value"] = chance.choice(["2 * o1 + o2", "o1 + o2", "o2"])
    elif isinstance(fit := objective.get("fit"), dict):
        name = chance.choice(sorted(fit))
        target = fit[name] if isinstance(fit[name], dict) else {"value": fit[name]}
        value = target["value"]
        target["value"] = [one + 0.1 for one in value] if isinstance(value, list) else value + 0.1
        fit[name] = target if len(target) > 1 else target["value"]
    else:
        return ()
    path = run.folder.path.parent / "as-it-should-be.yaml"
    path.write_text(yaml.safe_dump(spec, sort_keys=False))
    return ("--spec", str(path))


AMENDMENTS: Mapping[str, Amendment] = {
    "narrower": _always("--bounds", "x=0.1,0.9"),
    "wider": _always("--bounds", "p0=-1,2"),
    "a constraint": _always("--constraint", "x + y <= 1.4"),
    "a constraint on an outcome": _always("--constraint", "heat <= 0.5"),
    "withdrawn": _always("--withdraw", "x + y <= 1.4"),
    "held": _always("--held", "y=0.4"),
    "free": _always("--free", "y"),
    "held beside it": _always("--held", "x=0.5"),
    "free beside it": _always("--free", "x"),
    "more trials": _always("--trials", "60"),
    "a target": _always("--target", "0.01", "--patience", "30"),
    "a point": _tried,
    "a part of a point": _always("--try", "y=0.4"),
    "the best again": _always("--try", "best", "--times", "2"),
    "a result": _known,
    "forgotten": lambda _, run, chance: (
        *("--forget", _a_trial(run, chance)),
        *("--reason", "unplugged"),
    ),
    "a block": _always("--block", "7"),
    "rows": _more_rows,
    "travel": _always("--travel", "x=0.2"),
    "anywhere": _always("--travel", "x=none"),
    "where it stands": _always("--stands", "x=0.5"),
    "what it takes to change": _always("--change", "x=30 s"),
    "at once": _always("--change", "x=none"),
    "a formula": _always("--objective", "2 * o1 + o2"),
    "another spec": _another_spec,
    "little left to gain": _always("--expected-gain", "0.001"),
    "no gain asked for": _always("--expected-gain", "none"),
    "a cost": _always("--cost", "40"),
    "a time": _always("--time", "30 d"),
    "nothing yet": _always("--trials", "50", "--held", "x=0.5", "--dry-run"),
    "several at once": _always("--bounds", "x=0.05,0.95", "--try", "best", "--trials", "none"),
    "paused": _always("--pause"),
    "continued": _always("--continue"),
}
"""By what they are called; nothing where there is nothing to be amended so."""
