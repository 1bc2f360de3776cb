"""What holds of whatever is suggested, checked by what a draft says and by none of the code's own checks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from drafts import Draft

from orchestrator.python_interface.answers import Asked
from orchestrator.scheduler.state import State

CLOSE = 1e-6
"""By how much sums and bounds may be off: what is computed of others is rounded."""


def broken_by(draft: Draft, asked: Asked, held: Mapping[str, Any]) -> Iterator[str]:
    """What of it does not hold, in words."""
    given = dict(asked.parameters)
    described = {name: _as_mapping(told) for name, told in draft.parameters.items()}
    for name, told in described.items():
        if name not in given:
            if not _may_be_left_out(told):
                yield f"`{name}` is missing"
        elif (wrong := _wrong(told, given[name])) is not None:
            yield f"`{name}` is {given[name]!r}, {wrong}"
    for name, wanted in held.items():
        if not _is_at(given.get(name), wanted):
            yield f"`{name}` is {given[name]!r}, and was held at {wanted!r}"
    yield from (f"`{text}` is broken" for text in draft.constraints if not _holds(text, given))
    rows = draft.rows
    if rows is not None and not any(all(given.get(key) == row[key] for key in row) for row in rows):
        yield "it is no row of the candidates"
    if asked.predicted is not None:
        spread = asked.predicted.deviation
        if not (math.isfinite(asked.predicted.mean) and math.isfinite(spread) and spread >= 0.0):
            yield f"predicted is {asked.predicted!r}"


def as_amended(draft: Draft, state: State) -> Draft:
    """What still has to hold of a draft in a run: within the wider one of what was said of its bounds, and of
    rows nothing, where further ones were listed.
    """
    described = dict(draft.parameters)
    for name, (low, high) in state.amended.bounds.items():
        own = _as_mapping(described[name])
        least, most = own["bounds"]
        described[name] = {**own, "bounds": (min(low, least), max(high, most))}
    told = {
        key: one for key, one in draft.told.items() if key != "candidates" or not state.amended.candidates
    }
    return replace(draft, parameters=described, told=told)


def too_far(draft: Draft, before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> Iterator[str]:
    """Where a setting may travel only so far."""
    if "travel" in draft.manner and before is not None:
        gone = abs(now["x"] - before["x"])
        if gone > draft.parameters["x"]["travel"] + CLOSE:
            yield f"`x` travels {gone}"


def not_shared(draft: Draft, first: Asked, other: Asked) -> Iterator[str]:
    """Where trials that are asked for together have `y` in common."""
    if "shared" in draft.manner and first.parameters["y"] != other.parameters["y"]:
        yield f"`y` is {first.parameters['y']} in trial {first.trial} of the round"


def in_no_round(state: State) -> Iterator[str]:
    """Trials that run at a time, and are not alike in what rounds share."""
    running = [trial for trial in state.unsettled.values() if trial.lease is not None]
    for name in state.policy.mode.sharing:
        if len({trial.parameters[name] for trial in running}) > 1:
            yield f"`{name}` is {[(trial.number, trial.parameters[name]) for trial in running]} at a time"


def parts_lost(state: State, parts: Sequence[Mapping[str, Any]], journal: str) -> Iterator[str]:
    """Parts of points of which there is no trial, and none to come, and of which nothing is said."""
    known = [*(trial.suggested.part for trial in state.trials.values()), *state.waiting.parts]
    if '"left_out":[{' not in journal:
        yield from (f"the part {dict(part)} is lost" for part in parts if part not in known)


def tried_again(draft: Draft, tried: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Of candidates, each of which is tried once."""
    if draft.rows is not None and not draft.may_come_again:
        rows = sorted((one["mass"], one["dose"]) for one in tried)
        listed = [(row["mass"], row["dose"]) for row in draft.rows]
        yield from (
            f"{one} is tried again"
            for one, other in pairwise(rows)
            if one == other and listed.count(one) == 1
        )


def _is_at(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool | str) or given is None:
        return bool(given == wanted)
    return bool(abs(given - wanted) <= CLOSE * max(1.0, abs(wanted)))


def _as_mapping(told: Any) -> Mapping[str, Any]:
    return told if isinstance(told, Mapping) else {"type": "float", "bounds": told}


def _may_be_left_out(told: Mapping[str, Any]) -> bool:
    return "when" in told and "otherwise" not in told


def _wrong(told: Mapping[str, Any], value: Any) -> str | None:
    if value is None:
        return None if _may_be_left_out(told) else "which is nothing"
    if "values" in told:
        return None if value in list(told["values"]) else "which is none of its values"
    if told["type"] == "fixed":
        return None if value == told["value"] else "which is another than it is fixed at"
    if not math.isfinite(value):
        return "which is not finite"
    if "otherwise" in told and value == told["otherwise"]:
        return None
    low, high = told.get("bounds", (-math.inf, math.inf))
    if told["type"] == "computed":
        low, high = low - CLOSE, high + CLOSE
    if not low <= value <= high:
        return "which is out of its bounds"
    if told["type"] == "int" and value != int(value):
        return "which is no whole number"
    if "step" in told and abs(value / told["step"] - round(value / told["step"])) > CLOSE:
        return "which lies between steps"
    if "least" in told and 0.0 < value < told["least"]:
        return "which is less than the least"
    return None


def _holds(text: str, given: Mapping[str, Any]) -> bool:
    """By Python's own arithmetic, with a little room."""
    if " or " in text:
        return any(_holds(part, given) for part in text.split(" or "))
    if any(word in text for word in ("'", '"')):
        return bool(eval(text, {}, dict(given)))
    known = {"abs": abs, "count": lambda *amounts: sum(amount != 0 for amount in amounts)}
    for sign in ("==", "<=", ">="):
        if sign in text:
            # A parameter may be called as a function is.
            told = {name: value for name, value in given.items() if f"{name}(" not in text}
            left, right = (float(eval(side, known, told)) for side in text.split(sign))
            off = left - right
            return {"==": abs(off) <= CLOSE, "<=": off <= CLOSE, ">=": off >= -CLOSE}[sign]
    raise ValueError(text)
