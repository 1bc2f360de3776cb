"""What makes a short experiment cheap where an algorithm has the option: few start points, few refits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.algorithms import registry

QUICK: Mapping[str, Any] = {
    "start_points": 4,
    "refit_every": 8,
    "early_refits": False,
    "evidences": 4,
    "features": 60,
    "draws": 2,
    "kernels": ["rbf", "matern-5/2"],
}


def quick_options(name: str) -> dict[str, Any]:
    """The options to test an algorithm with."""
    known = registry.load(name).Options.model_fields
    return {option: value for option, value in QUICK.items() if option in known}
