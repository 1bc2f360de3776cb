"""Bayesian optimisation of expensive experiments.

``Optimiser`` and ``Plan`` are imported on first use: workers and ``orchestrator --help`` must not pay for
numpy.
"""

from __future__ import annotations

# That of `typing`, whose import takes as long as all else up to where an interrupt is looked after.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from orchestrator.optimiser import Optimiser, Plan

__version__ = "0.1.0"
__all__ = ["Optimiser", "Plan", "__version__"]


def __getattr__(name: str) -> Any:
    if name in ("Optimiser", "Plan"):
        from orchestrator import optimiser

        return getattr(optimiser, name)
    raise AttributeError(f"module 'orchestrator' has no attribute {name!r}; it offers {', '.join(__all__)}")
