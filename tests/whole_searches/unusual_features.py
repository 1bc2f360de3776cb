"""What a search may have that few have: numbers at the ends, lists of two or of many, what is never met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drafts import Draft
from put_into_drafts import Feature, alone, both, bounded, comes, of_y, outcome, parameters, told

from orchestrator import Candidates, Plan

_PAINT = {"type": "choice", "values": ["red", "green"]}
_MANY = [f"m{10 + i}" for i in range(12)]


def _listed(size: int, again: bool = False, named: bool = False) -> Feature:
    """Rows in the place of `x` and `y`; ``named``: each with a name, and a number that models alone see."""

    def put(draft: Draft) -> None:
        rows: list[dict[str, Any]] = [
            {"mass": round(draft.chance.uniform(0.0, 9.0), 3), "dose": round(draft.chance.random(), 3)}
            for _ in range(size)
        ]
        for number, row in enumerate(rows if named else ()):
            row.update(tube=f"T{number}", polarity=round(draft.chance.random(), 3))
        more: dict[str, Any] = {"given": ["tube"], "seen": ["polarity"]} if named else {}
        alone()(draft)
        draft.told["candidates"] = Candidates(rows, again=again, **more)

    return put


def _curve(points: int) -> dict[str, Any]:
    at = [i / (points - 1) for i in range(points)]
    return {"at": at, "value": [1.0 - 0.8 * one for one in at], "error": 0.05}


def _correlated(points: int) -> list[list[float]]:
    return [[0.01 if i == j else 0.01 * 0.6 ** abs(i - j) for j in range(points)] for i in range(points)]


PARAMETERS: Mapping[str, Feature] = {
    "whole numbers alone": alone(n={"type": "int", "bounds": [1, 4]}, m={"type": "int", "bounds": [-3, 3]}),
    "a choice alone": alone(paint={"type": "choice", "values": ["red", "green", "blue"]}),
    "two points alone": alone(paint=_PAINT),
    "many parameters": parameters(**{f"p{i}": (0.0, 1.0) for i in range(18)}),
    "a huge range": parameters(wide=(-1e300, 1e300)),
    "a tiny range": parameters(near=(1.0, 1.0 + 1e-9)),
    "a range far from nought": parameters(far=(1e9, 1e9 + 1.0)),
    "hundreds of orders": parameters(deep={"type": "float", "bounds": [1e-300, 1e300], "scale": "log"}),
    "huge whole numbers": parameters(count={"type": "int", "bounds": [0, 2**52]}),
    "one step": parameters(lever={"type": "float", "bounds": [0.0, 1.0], "step": 1.0}),
    "two rows": _listed(2),
    "rows that come again": _listed(12, again=True),
    "rows of which more is said": _listed(30, named=True),
    "a prior of a choice": parameters(paint={**_PAINT, "prior": {"chances": [0.3, 0.7]}}),
    "a prior by a factor": parameters(
        speed={
            "type": "float",
            "bounds": [1e-3, 1.0],
            "scale": "log",
            "prior": {"mean": 0.02, "factor": 1.5},
        }
    ),
    "a promising choice": parameters(paint={**_PAINT, "promising": {"chances": [0.3, 0.7]}}),
    "promising by a factor": parameters(
        speed={
            "type": "float",
            "bounds": [1e-3, 1.0],
            "scale": "log",
            "promising": {"mean": 0.02, "factor": 1.5},
        }
    ),
    "a tolerance of ordered numbers": parameters(
        gauge={"type": "ordered", "values": [0.8, 1.0, 1.5, 2.0], "tolerance": 0.05}
    ),
    "what was recorded in use": parameters(
        rain={"type": "float", "bounds": [0.0, 2.0], "in_use": {"recorded": [0.7, 0.1, 1.9, 0.7]}}
    ),
    "a corner alone": bounded("x + y >= 1.9999"),
    "next to nothing is left": bounded("x ** 2 + y ** 2 <= 1e-6"),
}
"""Of parameters, and what ties them."""

SOUGHT: Mapping[str, Feature] = {
    "blocks by day": both(told(blocks="day"), comes("seconds")),
    "a time before nought": both(parameters(hours=(-24.0, 48.0)), told(clock="hours"), comes("clock")),
    "costs that are listed": both(
        parameters(mesh={"type": "ordered", "values": ["coarse", "medium", "fine"]}),
        told(fidelity={"parameter": "mesh", "cost": {"coarse": 1, "medium": 8, "fine": 64}}),
    ),
    "the lowest is full, in steps": both(
        parameters(pace={"type": "float", "bounds": [0.5, 2.0], "step": 0.25}),
        told(fidelity={"parameter": "pace", "cost": "1 / pace", "full": 0.5}),
    ),
    "many outcomes": both(*(outcome(name) for name in _MANY), outcome("heat", "heat <= 0.6")),
    "a limit by parameters": outcome("lift", "lift >= 0.1 * x", "lift + y <= 1.5"),
    "a limit that nothing satisfies": outcome("heat", "heat <= -5"),
    "a limit that all satisfy": outcome("heat", "heat <= 1e6"),
    "a limit that nothing is sure to keep": both(
        outcome("heat", "probability(heat <= 0.1000001) >= 0.999"), comes("safely")
    ),
    "four objectives": told(objectives={"price": "minimise", "yield": "maximise", "lift": "maximise"}),
    "an objective that never varies": told(objectives={"constant": "minimise"}),
    "a formula that has none in places": both(
        outcome("o1"), outcome("o2"), told(value="log(o1 - 0.1) + o2"), comes("no value in places")
    ),
    "a fit of many": told(fit={name: {"value": 0.3, "error": 0.05} for name in _MANY}),
    "a fit of a long curve": told(fit={"decay": _curve(120)}),
    "a fit of a curve of correlated errors": told(
        fit={"decay": {"value": _curve(8)["value"]}, "m1": 0.3}, covariance=_correlated(9)
    ),
    "a fit that nothing comes near": told(fit={"m1": {"value": 1e6, "error": 1e-6}, "m2": 0.4}),
    "a threshold that nothing crosses": told(threshold=99.0),
    "a plan of one trial": told(plan=Plan(trials=1)),
    "one of the last seeds": comes("last seeds"),
    "much noise that is told": told(noise=1e3),
    "hardly any noise that is told": told(noise=1e-12),
}
"""Of what is sought, and of how."""

RESULTS: Mapping[str, Feature] = {
    "all fail": comes("all fail"),
    "all fail at first": comes("fail at first"),
    "numbers of another library": comes("foreign"),
    "whole values": comes("whole"),
    "values in a mapping": comes("in a mapping"),
    "outcomes that diverge": comes("diverging"),
    "outcomes that never vary": comes("constant outcomes"),
    "variances of all sizes": both(comes("some variances"), comes("wild variances")),
    "some derivatives": both(told(derivatives=True), comes("derivatives"), comes("some derivatives")),
    "derivatives that are wrong": both(
        told(derivatives=["x"]), comes("derivatives"), comes("wrong derivatives")
    ),
    "durations of all sizes": both(
        told(options={"weigh_duration": True}), comes("seconds"), comes("wild seconds")
    ),
    "related and the opposite": both(comes("related"), comes("related opposite")),
    "related and always the same": both(comes("related"), comes("related same")),
    "a prior off the best": of_y(prior={"mean": 0.95, "deviation": 0.01}),
    "promising where it is not": of_y(promising={"mean": 0.95, "deviation": 0.01}),
}
"""Of how results come."""

UNUSUAL: Mapping[str, Feature] = {**PARAMETERS, **SOUGHT, **RESULTS}
