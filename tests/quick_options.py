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
    "population": 4,
    "kernels": ["rbf", "matern-5/2"],
}
OF_PEERS: Mapping[str, Mapping[str, Any]] = {
    "ax": {"start_points": 9},
    "botorch-log-ei": {"start_points": 9, "restarts": 2, "raw_samples": 32},
    "botorch-saasbo": {
        "start_points": 9,
        "restarts": 2,
        "raw_samples": 16,
        "warmup": 16,
        "samples": 16,
        "thinning": 8,
        "refit_every": 100,
    },
    "botorch-turbo": {"start_points": 9, "candidates": 200},
    "optuna-gp": {"start_points": 9},
    "optuna-tpe": {"start_points": 9},
    "smac": {"start_points": 9},
}


def quick_options(name: str, **others: Any) -> dict[str, Any]:
    """The options to test an algorithm with, and others of those that it has."""
    if name in OF_PEERS:
        return dict(OF_PEERS[name])
    known = registry.load(name).Options.model_fields
    return {option: value for option, value in {**QUICK, **others}.items() if option in known}
