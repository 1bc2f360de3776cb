"""What a whole search may be told of the Optimiser that it makes, and where it is said what it may not be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, SupportsFloat, TypedDict

from orchestrator.algorithms.base import Noise
from orchestrator.arrays import FloatArray
from orchestrator.python_interface.candidates import Candidates, Rows
from orchestrator.python_interface.derivatives import DifferentiatedBy
from orchestrator.python_interface.outcomes import ToldGoal
from orchestrator.python_interface.related import ToldRelated
from orchestrator.python_interface.unknown_arguments import SAID_OTHERWISE, refuse_unknown
from orchestrator.values.over import ToldOver


class Settings(TypedDict, total=False):
    """What an `Optimiser` may be told besides its parameters, its goal and its plan."""

    algorithm: str
    options: Mapping[str, Any] | None
    factors: Sequence[Sequence[str]] | None
    seed: int
    noise: Noise | SupportsFloat | Literal["unknown", "reported"]
    constraints: Sequence[str] | None
    outcomes: Sequence[str] | None
    value: str | None
    fit: Mapping[str, Any] | None
    covariance: Sequence[Sequence[float]] | FloatArray | None
    reference: Mapping[str, Any] | None
    reference_times: int
    objectives: Mapping[str, ToldGoal] | None
    fidelity: Mapping[str, Any] | None
    over: ToldOver
    derivatives: DifferentiatedBy
    related: ToldRelated | None
    candidates: Candidates | Rows | None
    stop_when: Mapping[str, Any] | None
    store: str | PathLike[str] | None


OF_A_SEARCH: Mapping[str, str] = {
    **SAID_OTHERWISE,
    **dict.fromkeys(
        ("goal", "direction", "minimize", "maximize"),
        "; the function that is called says it, `minimise` or `maximise`",
    ),
    "threshold": "; hand over an Optimiser that is told it: maximise(f, Optimiser({...}, threshold=80), 40)",
    "clock": "; a loop of your own says the time with each ask",
    "blocks": "; a loop of your own says the block with each value",
    **dict.fromkeys(("callback", "callbacks"), "; `until` is called with the Optimiser after each result"),
    **dict.fromkeys(
        ("timeout", "time", "max_time", "time_budget_s", "walltime_limit"),
        '; `until` may end it, as until=Enough(time="1 h"), of orchestrator',
    ),
    **dict.fromkeys(
        ("target", "loss_threshold", "stop_val", "termination_cost_threshold"),
        "; `until` may end it, as until=Enough(target=0.1), of orchestrator",
    ),
    **dict.fromkeys(
        ("patience", "n_iter_no_change"),
        "; `until` may end it, as until=Enough(patience=20), of orchestrator",
    ),
    **dict.fromkeys(
        ("verbose", "verbosity", "show_progress_bar", "show_progressbar", "disp"),
        "; until=print has a line after each result",
    ),
    "n_jobs": "; an `executor` says how many at a time, as concurrent.futures.ThreadPoolExecutor(4)",
    "plan": "; `trials`, `cost` and `parallel` say what is planned",
    **dict.fromkeys(
        ("x0", "points_to_evaluate", "initial_points", "initial", "start"),
        '; `points` are evaluated first, as points=[{"x": 0.3}], and an Optimiser learns what is known'
        " already: learn(parameters, value)",
    ),
    "catch": "; what the function raises has failed, whatever it is, once something has succeeded",
}
"""What an Optimiser, or a search elsewhere, is told, and a search here is not."""
BESIDE = ("trials", "cost", "executor", "parallel", "until", "points")


def refuse_what_is_no_setting(settings: Mapping[str, object]) -> None:
    """Raises UsageError for a name that a search does not take, with where else that is said, or what was
    probably meant.
    """
    refuse_unknown("a setting", settings, Settings.__annotations__, BESIDE, OF_A_SEARCH)
