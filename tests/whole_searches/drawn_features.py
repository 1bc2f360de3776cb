"""What a search may have, each by itself: a function puts it into a draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from drafts import Draft

from orchestrator.algorithms.registry import OF_ANY_OBJECTIVE, ours

Feature = Callable[[Draft], None]
CONDITIONS = {"wind": {"type": "float", "bounds": [0.0, 20.0], "in_use": {"mean": 8.0, "deviation": 3.0}}}


def _parameters(**described: Mapping[str, Any]) -> Feature:
    return lambda draft: draft.parameters.update(described)


def _bounded(*constraints: str) -> Feature:
    return lambda draft: draft.constraints.extend(constraints)


def _told(**arguments: Any) -> Feature:
    return lambda draft: draft.told.update(arguments)


def _comes(manner: str) -> Feature:
    return lambda draft: draft.manner.add(manner)


def _both(*features: Feature) -> Feature:
    def put(draft: Draft) -> None:
        for feature in features:
            feature(draft)

    return put


def _outcome(name: str, *limits: str) -> Feature:
    def put(draft: Draft) -> None:
        draft.outcomes.append(name)
        draft.limits.extend(limits)

    return put


def _described(draft: Draft) -> None:
    size = draft.chance.choice([3, 8, 16])
    alike = {f"s{i}": {"u": i / size, "v": float(i * i % 5)} for i in range(size)}
    draft.parameters["solvent"] = {"type": "choice", "values": alike}


def _candidates(draft: Draft) -> None:
    size = draft.chance.choice([25, 60])
    draft.told["candidates"] = [
        {"mass": round(draft.chance.uniform(0.0, 9.0), 3), "dose": round(draft.chance.random(), 3)}
        for _ in range(size)
    ]
    if draft.chance.random() < 0.6:
        draft.parameters.clear()


def _of_x(**more: Any) -> Feature:
    return lambda draft: draft.parameters.update(x={**_as_mapping(draft.parameters["x"]), **more})


def _of_y(**more: Any) -> Feature:
    return lambda draft: draft.parameters.update(y={**_as_mapping(draft.parameters["y"]), **more})


def _as_mapping(told: Any) -> dict[str, Any]:
    return dict(told) if isinstance(told, Mapping) else {"type": "float", "bounds": list(told)}


def _algorithm(draft: Draft) -> None:
    known = [name for name in OF_ANY_OBJECTIVE if ours(name) and name != "auto"]
    draft.told["algorithm"] = draft.chance.choice(known)


_TARGETS = {"m1": {"value": 0.3, "error": 0.05}, "m2": {"value": 0.4, "error": 0.1}}
_CURVE = {"at": [0.0, 0.25, 0.5, 0.75, 1.0], "value": [1.0, 0.9, 0.7, 0.4, 0.2], "error": 0.05}
_COVARIANCE = [[0.01, 0.004], [0.004, 0.02]]

FEATURES: Mapping[str, Feature] = {
    "whole numbers": _parameters(n={"type": "int", "bounds": [1, 6]}),
    "whole numbers by logarithm": _parameters(n={"type": "int", "bounds": [1, 1000], "scale": "log"}),
    "by logarithm": _parameters(rate={"type": "float", "bounds": [1e-5, 0.1], "scale": "log"}),
    "steps": _parameters(valve={"type": "float", "bounds": [0.0, 2.0], "step": 0.25}),
    "a choice": _parameters(paint={"type": "choice", "values": ["red", "green", True]}),
    "a choice of many": _parameters(kind={"type": "choice", "values": [f"v{i}" for i in range(12)]}),
    "a described choice": _described,
    "ordered": _parameters(cores={"type": "ordered", "values": [1, 2, 4, 8], "scale": "log"}),
    "fixed": _parameters(motor={"type": "fixed", "value": 3}),
    "computed": _parameters(load={"type": "computed", "value": "2 * x + y"}),
    "computed within bounds": _parameters(
        rest={"type": "computed", "value": "1.6 - x - y", "bounds": [0.0, 1.2]}
    ),
    "shares": _both(_parameters(r=(0.0, 1.0), s=(0.0, 1.0), t=(0.0, 1.0)), _bounded("r + s + t == 1")),
    "two shares": _both(_parameters(r=(0.0, 1.0), t=(0.0, 1.0)), _bounded("r + t == 1")),
    "counts where": _parameters(
        width={"type": "float", "bounds": [0.0, 2.0], "when": "x >= 0.5", "otherwise": 1.0}
    ),
    "counts beside a choice": _parameters(
        solver={"type": "choice", "values": ["k", "l"]},
        order={"type": "int", "bounds": [1, 5], "when": {"solver": "k"}},
    ),
    "a constraint": _bounded("x + y <= 1.2"),
    "a curved constraint": _bounded("x ** 2 + y ** 2 >= 0.3", "x * y <= 0.5"),
    "a narrow constraint": _bounded("abs(x - y) <= 0.02"),
    "least amounts": _parameters(zinc={"type": "float", "bounds": [0.0, 2.0], "least": 0.5}),
    "few are used": _both(
        _parameters(z1=(0.0, 1.0), z2=(0.0, 1.0), z3=(0.0, 1.0)), _bounded("count(z1, z2, z3) <= 2")
    ),
    "travel": _both(_of_x(travel=0.3), _comes("travel")),
    "tolerance": _of_y(tolerance=0.05),
    "in use": _parameters(**CONDITIONS),
    "the worst in use": _both(_parameters(**CONDITIONS), _told(over={"worst": 0.2})),
    "a quantile in use": _both(_parameters(**CONDITIONS), _told(over={"quantile": 0.1})),
    "a choice in use": _both(
        _parameters(air={"type": "choice", "values": ["clean", "icy"], "in_use": {"chances": [0.8, 0.2]}}),
        _told(over="worst"),
    ),
    "each in use": _both(
        _parameters(wind={"type": "float", "bounds": [0.0, 20.0], "in_use": "evenly"}), _told(over="each")
    ),
    "candidates": _candidates,
    "a clock": _both(_parameters(hours=(0.0, 48.0)), _told(clock="hours"), _comes("clock")),
    "blocks": _both(_told(blocks=True), _comes("blocks")),
    "an outcome": _outcome("lift"),
    "a limit": _outcome("heat", "heat <= 0.6"),
    "limits from both sides": _outcome("force", "force <= 0.8", "force >= 0.2"),
    "a limit kept": _both(_outcome("heat", "probability(heat <= 0.9) >= 0.9"), _comes("safely")),
    "fidelity": _both(
        _parameters(cells={"type": "int", "bounds": [20, 80]}),
        _told(fidelity={"parameter": "cells", "cost": "cells ** 2"}),
    ),
    "a fidelity whose cost is learned": _both(
        _parameters(grid={"type": "ordered", "values": ["rough", "fine"]}),
        _told(fidelity={"parameter": "grid"}),
        _comes("seconds"),
    ),
    "two objectives": _told(objectives={"price": "minimise"}),
    "three objectives": _told(objectives={"price": "minimise", "yield": "maximise"}),
    "a formula": _both(_outcome("o1"), _outcome("o2"), _told(value="o1 - 0.5 * o2 ** 2")),
    "a fit": _told(fit=_TARGETS),
    "a fit of a curve": _told(fit={"decay": _CURVE, "m1": 0.3}),
    "a fit of correlated errors": _told(fit={"m1": 0.3, "m2": 0.4}, covariance=_COVARIANCE),
    "a posterior": _told(fit=_TARGETS, algorithm="posterior"),
    "a prior": _of_y(prior={"mean": 0.4, "deviation": 0.1}),
    "factors": _told(factors=[["x"], ["y"]]),
    "no noise": _told(noise=0),
    "noise that is told": _told(noise=0.05),
    "noise with each result": _both(_told(noise="reported"), _comes("variances")),
    "variances beside some results": _comes("some variances"),
    "noise": _comes("noise"),
    "noise of many sizes": _comes("heteroscedastic"),
    "a threshold": _told(threshold=0.3),
    "derivatives": _both(_told(derivatives=["x"]), _comes("derivatives")),
    "related experiments": _comes("related"),
    "results that are known": _comes("known"),
    "a table that is known": _comes("table"),
    "failures": _comes("failures"),
    "many failures": _comes("many failures"),
    "wild values": _comes("wild"),
    "one wild value": _comes("one wild"),
    "a penalty": _comes("penalty"),
    "values far from nought": _comes("offset"),
    "huge values": _comes("huge"),
    "tiny values": _comes("tiny"),
    "two values alone": _comes("binary"),
    "equal values": _comes("equal"),
    "values over many orders": _comes("orders"),
    "batches": _comes("batches"),
    "workers out of order": _comes("out of order"),
    "what is left": _comes("abandoned"),
    "what is foreseen": _comes("foreseen"),
    "the same point again": _comes("again"),
    "what is held": _comes("held"),
    "durations that are weighed": _both(_told(options={"weigh_duration": True}), _comes("seconds")),
    "stopped by chance": _both(_told(stop_when={"quantity": "loss", "chance_below": 0.2}), _comes("watched")),
    "stopped by a limit": _both(_told(stop_when={"quantity": "loss", "above": 0.9}), _comes("watched")),
    "another algorithm": _algorithm,
    "a plan": _comes("plan"),
}
