"""Bayesian optimisation of expensive experiments.

What the Python interface offers is imported on first use: workers and ``orchestrator --help`` must not pay
for numpy.
"""

from __future__ import annotations

from orchestrator.version import __version__

# That of `typing`, whose import takes as long as all else up to where an interrupt is looked after.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from orchestrator.parameters.space import Space
    from orchestrator.python_interface.answers import Asked, Best, Preferred, Recommended
    from orchestrator.python_interface.candidates import Candidates
    from orchestrator.python_interface.enough import Enough
    from orchestrator.python_interface.optimiser import Optimiser
    from orchestrator.python_interface.plan import Plan
    from orchestrator.python_interface.preferences import Preferences
    from orchestrator.python_interface.runs import runs
    from orchestrator.python_interface.search import maximise, minimise
    from orchestrator.report.following.listed_run import ListedRun

__all__ = [
    "Asked",
    "Best",
    "Candidates",
    "Enough",
    "ListedRun",
    "Optimiser",
    "Plan",
    "Preferences",
    "Preferred",
    "Recommended",
    "Space",
    "__version__",
    "maximise",
    "minimise",
    "runs",
]

PLACES = {
    "Asked": "python_interface.answers",
    "Best": "python_interface.answers",
    "Candidates": "python_interface.candidates",
    "Enough": "python_interface.enough",
    "ListedRun": "report.following.listed_run",
    "Optimiser": "python_interface.optimiser",
    "Plan": "python_interface.plan",
    "Preferences": "python_interface.preferences",
    "Preferred": "python_interface.answers",
    "Recommended": "python_interface.answers",
    "Space": "parameters.space",
    "maximise": "python_interface.search",
    "minimise": "python_interface.search",
    "runs": "python_interface.runs",
}


def __getattr__(name: str) -> Any:
    if name in PLACES:
        from importlib import import_module

        return getattr(import_module(f"orchestrator.{PLACES[name]}"), name)
    from orchestrator.spelling import british, did_you_mean

    if british(name) in PLACES:
        return __getattr__(british(name))
    near = did_you_mean(name, __all__)
    offered = f"it offers {', '.join(__all__)}{near}"
    raise AttributeError(f"module 'orchestrator' has no attribute {name!r}; {offered}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
