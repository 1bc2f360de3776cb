"""How an Optimiser asks where changing settings takes time: for one trial after the other."""

from __future__ import annotations

from orchestrator.errors import UsageError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.trials import Trials


def refuse_beside_change(space: Space, plan: Plan) -> None:
    """Raises UsageError for what cannot be planned where changing settings takes time."""
    if space.changes and plan.parallel > 1:
        raise UsageError(
            "expected a plan of one trial after the other where parameters have a `change`, got"
            f" {plan.parallel} at a time: each would be on a machine of its own"
        )


def refuse_to_change(space: Space, trials: Trials, n: int) -> None:
    """Raises UsageError where nobody knows what a trial would change."""
    if space.changes and (n > 1 or trials.pending):
        came = f"{n} asked for" if n > 1 else f"trial {next(iter(trials.pending))} pending"
        raise UsageError(
            f"expected one trial after the other where parameters have a `change`, got {came}; tell, or"
            " abandon, each before the next is asked for"
        )
