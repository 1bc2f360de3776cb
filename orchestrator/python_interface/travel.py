"""How an Optimiser asks where settings may travel only so far: for one trial at a time, within reach."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.travelling import within_reach
from orchestrator.errors import UsageError
from orchestrator.parameters.space import Space
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.trials import Trials
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.travel import too_far_words


def refuse_beside_travel(space: Space, plan: Plan) -> None:
    """Raises UsageError for what cannot be planned where settings may travel only so far."""
    if space.travel and plan.parallel > 1:
        raise UsageError(
            "expected a plan of one trial after the other where parameters may `travel` only so far, got"
            f" {plan.parallel} at a time: each would be on a machine of its own"
        )


def refuse_to_travel(space: Space, trials: Trials, n: int, held: Values) -> None:
    """Raises UsageError where nobody knows from where a trial is reached, or what is ``held`` is too far."""
    if not space.travel:
        return
    if n > 1 or trials.pending:
        came = f"{n} asked for" if n > 1 else f"trial {next(iter(trials.pending))} pending"
        raise UsageError(
            f"expected one trial after the other where parameters may `travel` only so far, got {came}; tell,"
            " or abandon, each before the next is asked for"
        )
    if not trials.stands:
        raise UsageError(
            "expected a trial where the machine stands before others are asked for, as parameters may"
            " `travel` only so far from there: attach({...}) begins it"
        )
    if words := too_far_words(space.travel, trials.stands, held):
        raise UsageError(f"expected parameters held within reach of where the machine stands: {words}")


def refuse_to_attach(space: Space, trials: Trials) -> None:
    """Raises UsageError where trials are left to be handed out, as the reference is: they were within reach
    of where the machine stood before it goes elsewhere.
    """
    if space.travel and trials.left:
        first = next(iter(trials.left))
        raise UsageError(
            f"expected trial {first} asked for before others are attached, as it lies where the machine"
            f" stands, and parameters may `travel` only so far: ask() hands it out, or abandon({first})"
        )


def approached(
    suggestions: Sequence[Suggestion], reading: Reading, trials: Trials, within: Domain | None
) -> list[Suggestion]:
    """Suggestions, or as much of the way there as may be travelled. Raises as `within_reach`."""
    if not reading.space.travel:
        return list(suggestions)
    part, seed = within or reading.space.domain, reading.problem.seed
    return [
        within_reach(one, reading.space, trials.stands, part, seed, trial)
        for trial, one in enumerate(suggestions, trials.following)
    ]
