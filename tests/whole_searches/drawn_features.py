"""What a search may have, each by itself: a function puts it into a draft."""

from __future__ import annotations

from collections.abc import Mapping

from drafts import Draft
from put_into_drafts import Feature, both, bounded, comes, of_x, of_y, outcome, parameters, told
from unusual_features import UNUSUAL

from orchestrator.algorithms.registry import OF_ANY_OBJECTIVE, ours

CONDITIONS = {"wind": {"type": "float", "bounds": [0.0, 20.0], "in_use": {"mean": 8.0, "deviation": 3.0}}}


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


def _algorithm(draft: Draft) -> None:
    known = [name for name in OF_ANY_OBJECTIVE if ours(name) and name != "auto"]
    draft.told["algorithm"] = draft.chance.choice(known)


_TARGETS = {"m1": {"value": 0.3, "error": 0.05}, "m2": {"value": 0.4, "error": 0.1}}
_CURVE = {"at": [0.0, 0.25, 0.5, 0.75, 1.0], "value": [1.0, 0.9, 0.7, 0.4, 0.2], "error": 0.05}
_COVARIANCE = [[0.01, 0.004], [0.004, 0.02]]

FEATURES: Mapping[str, Feature] = {
    "whole numbers": parameters(n={"type": "int", "bounds": [1, 6]}),
    "whole numbers by logarithm": parameters(n={"type": "int", "bounds": [1, 1000], "scale": "log"}),
    "by logarithm": parameters(rate={"type": "float", "bounds": [1e-5, 0.1], "scale": "log"}),
    "steps": parameters(valve={"type": "float", "bounds": [0.0, 2.0], "step": 0.25}),
    "periodic": parameters(angle={"type": "float", "bounds": [-180.0, 180.0], "periodic": True}),
    "periodic steps": parameters(hour={"type": "int", "bounds": [0, 24], "periodic": True}),
    "a choice": parameters(paint={"type": "choice", "values": ["red", "green", True]}),
    "a choice of many": parameters(kind={"type": "choice", "values": [f"v{i}" for i in range(12)]}),
    "a described choice": _described,
    "ordered": parameters(cores={"type": "ordered", "values": [1, 2, 4, 8], "scale": "log"}),
    "fixed": parameters(motor={"type": "fixed", "value": 3}),
    "computed": parameters(load={"type": "computed", "value": "2 * x + y"}),
    "computed within bounds": parameters(
        rest={"type": "computed", "value": "1.6 - x - y", "bounds": [0.0, 1.2]}
    ),
    "shares": both(parameters(r=(0.0, 1.0), s=(0.0, 1.0), t=(0.0, 1.0)), bounded("r + s + t == 1")),
    "two shares": both(parameters(r=(0.0, 1.0), t=(0.0, 1.0)), bounded("r + t == 1")),
    "counts where": parameters(
        width={"type": "float", "bounds": [0.0, 2.0], "when": "x >= 0.5", "otherwise": 1.0}
    ),
    "counts beside a choice": parameters(
        solver={"type": "choice", "values": ["k", "l"]},
        order={"type": "int", "bounds": [1, 5], "when": {"solver": "k"}},
    ),
    "a constraint": bounded("x + y <= 1.2"),
    "a curved constraint": bounded("x ** 2 + y ** 2 >= 0.3", "x * y <= 0.5"),
    "a narrow constraint": bounded("abs(x - y) <= 0.02"),
    "constraints for some values": both(
        parameters(mode={"type": "choice", "values": ["safe", "quick", "odd"]}),
        bounded('mode != "quick" or x <= 0.3', 'mode in ("safe", "quick") or x + y <= 0.7'),
    ),
    "least amounts": parameters(zinc={"type": "float", "bounds": [0.0, 2.0], "least": 0.5}),
    "few are used": both(
        parameters(z1=(0.0, 1.0), z2=(0.0, 1.0), z3=(0.0, 1.0)), bounded("count(z1, z2, z3) <= 2")
    ),
    "travel": both(of_x(travel=0.3), comes("travel")),
    "slow to change": both(
        of_x(change={"up": 30.0, "down": 90.0, "per": 0.5}), comes("slow"), comes("seconds")
    ),
    "tolerance": of_y(tolerance=0.05),
    "in use": parameters(**CONDITIONS),
    "the worst in use": both(parameters(**CONDITIONS), told(over={"worst": 0.2})),
    "a quantile in use": both(parameters(**CONDITIONS), told(over={"quantile": 0.1})),
    "a choice in use": both(
        parameters(air={"type": "choice", "values": ["clean", "icy"], "in_use": {"chances": [0.8, 0.2]}}),
        told(over="worst"),
    ),
    "each in use": both(
        parameters(wind={"type": "float", "bounds": [0.0, 20.0], "in_use": "evenly"}), told(over="each")
    ),
    "candidates": _candidates,
    "a clock": both(parameters(hours=(0.0, 48.0)), told(clock="hours"), comes("clock")),
    "blocks": both(told(blocks=True), comes("blocks")),
    "an outcome": outcome("lift"),
    "a limit": outcome("heat", "heat <= 0.6"),
    "limits from both sides": outcome("force", "force <= 0.8", "force >= 0.2"),
    "a limit relative to the reference": both(
        outcome("heat", "heat <= 1.1 * reference(heat)"), comes("relative")
    ),
    "a reference again": both(
        outcome("heat", "heat <= 1.1 * reference(heat)"), told(reference_times=2), comes("relative")
    ),
    "a limit kept": both(outcome("heat", "probability(heat <= 0.9) >= 0.9"), comes("safely")),
    "fidelity": both(
        parameters(cells={"type": "int", "bounds": [20, 80]}),
        told(fidelity={"parameter": "cells", "cost": "cells ** 2"}),
    ),
    "a fidelity that goes on": both(
        parameters(epochs={"type": "int", "bounds": [5, 40]}),
        told(fidelity={"parameter": "epochs", "cost": "epochs", "continues": True}),
    ),
    "a population": both(
        parameters(epochs={"type": "int", "bounds": [5, 40]}),
        told(
            fidelity={"parameter": "epochs", "cost": "epochs", "continues": True},
            algorithm="pb2",
            options={"population": 3, "pieces": 4},
        ),
    ),
    "halving": both(
        parameters(epochs={"type": "int", "bounds": [5, 40]}),
        told(
            fidelity={"parameter": "epochs", "cost": "epochs", "continues": True},
            algorithm="asha",
            options={"reduction": 2},
        ),
    ),
    "halving in brackets": both(
        parameters(cells={"type": "int", "bounds": [20, 80]}),
        told(fidelity={"parameter": "cells"}, algorithm="hyperband"),
        comes("seconds"),
    ),
    "a fidelity whose cost is learned": both(
        parameters(grid={"type": "ordered", "values": ["rough", "fine"]}),
        told(fidelity={"parameter": "grid"}),
        comes("seconds"),
    ),
    "two objectives": told(objectives={"price": "minimise"}),
    "three objectives": told(objectives={"price": "minimise", "yield": "maximise"}),
    "a formula": both(outcome("o1"), outcome("o2"), told(value="o1 - 0.5 * o2 ** 2")),
    "a fit": told(fit=_TARGETS),
    "a fit of a curve": told(fit={"decay": _CURVE, "m1": 0.3}),
    "a fit of correlated errors": told(fit={"m1": 0.3, "m2": 0.4}, covariance=_COVARIANCE),
    "a posterior": told(fit=_TARGETS, algorithm="posterior"),
    "a prior": of_y(prior={"mean": 0.4, "deviation": 0.1}),
    "promising": of_y(promising={"mean": 0.4, "deviation": 0.1}),
    "factors": told(factors=[["x"], ["y"]]),
    "no noise": told(noise=0),
    "noise that is told": told(noise=0.05),
    "noise with each result": both(told(noise="reported"), comes("variances")),
    "variances beside some results": comes("some variances"),
    "noise": comes("noise"),
    "noise of many sizes": comes("heteroscedastic"),
    "a threshold": told(threshold=0.3),
    "derivatives": both(told(derivatives=["x"]), comes("derivatives")),
    "related experiments": comes("related"),
    "results that are known": comes("known"),
    "a table that is known": comes("table"),
    "failures": comes("failures"),
    "many failures": comes("many failures"),
    "wild values": comes("wild"),
    "one wild value": comes("one wild"),
    "a penalty": comes("penalty"),
    "values far from nought": comes("offset"),
    "huge values": comes("huge"),
    "tiny values": comes("tiny"),
    "two values alone": comes("binary"),
    "equal values": comes("equal"),
    "values over many orders": comes("orders"),
    "batches": comes("batches"),
    "workers out of order": comes("out of order"),
    "what is left": comes("abandoned"),
    "what is foreseen": comes("foreseen"),
    "the same point again": comes("again"),
    "what is held": comes("held"),
    "parts of points": comes("parts"),
    "rounds that share": both(comes("batches"), comes("shared")),
    "durations that are weighed": both(told(options={"weigh_duration": True}), comes("seconds")),
    "stopped by chance": both(told(stop_when={"quantity": "loss", "chance_below": 0.2}), comes("watched")),
    "stopped by a limit": both(told(stop_when={"quantity": "loss", "above": 0.9}), comes("watched")),
    "another algorithm": _algorithm,
    "a plan": comes("plan"),
    **UNUSUAL,
}
