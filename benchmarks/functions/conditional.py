"""Functions some of whose parameters count only where others have some values, for comparisons.

All are minimised. `Space.from_description` reads what their parameters are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Parameters = Mapping[str, Any]
Description = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class ConditionalFunction:
    """``evaluate`` looks at those parameters alone that count by the ``description``; ``least`` is the least
    value; ``evaluations`` the budget of a comparison.
    """

    description: Description
    least: float
    evaluations: int
    evaluate: Callable[[Parameters], float]

    @property
    def untold(self) -> Description:
        """The parameters as if all always counted."""
        return {
            name: {k: v for k, v in told.items() if k != "when"} for name, told in self.description.items()
        }

    @property
    def dimension(self) -> int:
        """How many parameters there are."""
        return len(self.description)

    @property
    def conditional(self) -> int:
        """How many of them do not always count."""
        return sum("when" in told for told in self.description.values())


def _float(low: float, high: float, **more: Any) -> dict[str, Any]:
    return {"type": "float", "bounds": [low, high], **more}


def _int(low: int, high: int, **more: Any) -> dict[str, Any]:
    return {"type": "int", "bounds": [low, high], **more}


def _choice(*values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "choice", "values": list(values), **more}


TREE: Description = {
    "x1": _choice(0, 1),
    "x2": _choice(0, 1, when={"x1": 0}),
    "x3": _choice(0, 1, when={"x1": 1}),
    "x4": _float(-1, 1, when={"x2": 0}),
    "x5": _float(-1, 1, when={"x2": 1}),
    "x6": _float(-1, 1, when={"x3": 0}),
    "x7": _float(-1, 1, when={"x3": 1}),
    "r8": _float(0, 1, when={"x1": 0}),
    "r9": _float(0, 1, when={"x1": 1}),
}


def _tree(p: Parameters) -> float:
    """Jenatton, Archambeau, Gonzalez & Seeger 2017, Section 4.1: paths to four leaves."""
    if p["x1"] == 0:
        return float((p["x4"] ** 2 + 0.1 if p["x2"] == 0 else p["x5"] ** 2 + 0.2) + p["r8"])
    return float((p["x6"] ** 2 + 0.3 if p["x3"] == 0 else p["x7"] ** 2 + 0.4) + p["r9"])


BRANCHES: Description = {
    "kind": _choice("branin", "camel", "bowl"),
    "common": _float(0, 1),
    **{f"branin_{i}": _float(0, 1, when={"kind": "branin"}) for i in (1, 2)},
    **{f"camel_{i}": _float(0, 1, when={"kind": "camel"}) for i in (1, 2)},
    **{f"bowl_{i}": _float(0, 1, when={"kind": "bowl"}) for i in (1, 2, 3)},
}


def _branches(p: Parameters) -> float:
    """Three functions of parameters of their own and one in common: the easy one is not the lowest."""
    common = 2.0 * (p["common"] - 0.37) ** 2
    if p["kind"] == "bowl":
        tops = (0.2, 0.6, 0.9)
        return float(common + 0.15 + sum((p[f"bowl_{i + 1}"] - top) ** 2 for i, top in enumerate(tops)))
    if p["kind"] == "camel":
        x, y = 4.0 * p["camel_1"] - 2.0, 2.0 * p["camel_2"] - 1.0
        camel = (4 - 2.1 * x**2 + x**4 / 3) * x**2 + x * y + (4 * y**2 - 4) * y**2
        return float(common + 0.3 * (camel + 1.0316284535))
    a, b = 15.0 * p["branin_1"] - 5.0, 15.0 * p["branin_2"]
    valley = (b - 5.1 / (4 * math.pi**2) * a**2 + 5 / math.pi * a - 6) ** 2
    branin = valley + 10 * (1 - 1 / (8 * math.pi)) * math.cos(a) + 10
    return float(common + 0.05 + (branin - 0.3978873577) / 20)


SOLVERS: Description = {
    "solver": _choice("direct", "cg", "gmres", "multigrid"),
    "tolerance": _float(1e-10, 1e-2, scale="log", when={"solver": ["cg", "gmres"]}),
    "restart": _int(5, 200, scale="log", when={"solver": "gmres"}),
    "preconditioner": _choice("none", "jacobi", "ilu", when={"solver": ["cg", "gmres"]}),
    "fill": _float(0, 1, when={"preconditioner": "ilu"}),
    "levels": _int(1, 8, when={"solver": "multigrid"}),
    "weight": _float(0.1, 1.9, when={"solver": "multigrid"}),
    "grading": _float(0, 1),
}


def _solvers(p: Parameters) -> float:
    """As a solver of linear systems is tuned: only one has a restart length, only two a preconditioner."""
    cost = 3.0 * (p["grading"] - 0.43) ** 2
    if p["solver"] == "direct":
        return float(cost + 1.0 + p["grading"])
    if p["solver"] == "multigrid":
        return float(cost + 0.6 + 0.05 * (p["levels"] - 5) ** 2 + (p["weight"] - 1.1) ** 2)
    cost += 0.03 * (math.log10(p["tolerance"]) + 6.2) ** 2
    cost += {"none": 0.8, "jacobi": 0.5, "ilu": 0.0}[p["preconditioner"]]
    if p["preconditioner"] == "ilu":
        cost += 1.5 * (p["fill"] - 0.31) ** 2
    if p["solver"] == "cg":
        return float(cost + 0.35 + 0.5 * p["grading"] ** 2)
    return float(cost + 0.1 * math.log2(p["restart"] / 64) ** 2)


DEPTH: Description = {
    "layers": _int(1, 5),
    "rate": _float(1e-5, 1e-1, scale="log"),
    "width_1": _int(4, 256, scale="log"),
    **{f"width_{i}": _int(4, 256, scale="log", when=f"layers >= {i}") for i in range(2, 6)},
}


def _depth(p: Parameters) -> float:
    """As a network's layers are tuned: each has a width, if it is there; the rate wants to fall with them."""
    layers, best = p["layers"], 3
    widths = sum((math.log2(p[f"width_{i}"]) - 8 + i) ** 2 for i in range(1, layers + 1)) / layers
    rate = math.log10(p["rate"]) + 2.0 + 0.3 * (layers - best)
    return float(0.3 * (layers - best) ** 2 + 0.15 * widths + 0.1 * rate**2)


GAINS = (-0.6, 0.2, -0.3, -0.5, 0.1, -0.05)
PLACES = (0.2, 0.5, 0.8, 0.35, 0.6, 0.9)
WANTED = 3
SWITCHES: Description = {
    **{f"switch_{i}": _choice("off", "on") for i in range(6)},
    **{f"setting_{i}": _float(0, 1, when={f"switch_{i}": "on"}) for i in range(6)},
}


def _switches(p: Parameters) -> float:
    """What is switched on gains or loses something, the more so the nearer it is set to its place; three want
    to be on.
    """
    on = [i for i in range(6) if p[f"switch_{i}"] == "on"]
    gained = sum(GAINS[i] + 2.0 * (p[f"setting_{i}"] - PLACES[i]) ** 2 for i in on)
    return float(1.4 + gained + 0.1 * (len(on) - WANTED) ** 2)


CONDITIONAL: Mapping[str, ConditionalFunction] = {
    "tree": ConditionalFunction(TREE, 0.1, 60, _tree),
    "branches": ConditionalFunction(BRANCHES, 0.0, 80, _branches),
    "solvers": ConditionalFunction(SOLVERS, 0.0, 60, _solvers),
    "depth": ConditionalFunction(DEPTH, 0.0, 60, _depth),
    "switches": ConditionalFunction(SWITCHES, 0.0, 80, _switches),
}
