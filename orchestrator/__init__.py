"""Bayesian optimisation of expensive experiments.

What the Python interface offers is imported on first use: workers and ``orchestrator --help`` must not pay
for numpy.
"""

from __future__ import annotations

# That of `typing`, whose import takes as long as all else up to where an interrupt is looked after.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from orchestrator.optimiser import Optimiser
    from orchestrator.python_answers import Asked, Best, Recommended
    from orchestrator.python_plan import Plan
    from orchestrator.python_search import maximise, minimise
    from orchestrator.space import Space

__version__ = "0.1.0"
__all__ = [
    "Asked",
    "Best",
    "Optimiser",
    "Plan",
    "Recommended",
    "Space",
    "__version__",
    "maximise",
    "minimise",
]

PLACES = {
    "Asked": "python_answers",
    "Best": "python_answers",
    "Optimiser": "optimiser",
    "Plan": "python_plan",
    "Recommended": "python_answers",
    "Space": "space",
    "maximise": "python_search",
    "minimise": "python_search",
}


def __getattr__(name: str) -> Any:
    if name in PLACES:
        from importlib import import_module

        return getattr(import_module(f"orchestrator.{PLACES[name]}"), name)
    raise AttributeError(f"module 'orchestrator' has no attribute {name!r}; it offers {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
