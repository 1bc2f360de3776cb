"""How an Optimiser asks for trials that are alike in some parameters, as samples that are in one oven are."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.errors import UsageError
from orchestrator.parameters.sharing import require_that_they_can_be_shared
from orchestrator.python_interface.clock import is_the_clock
from orchestrator.python_interface.reading import Reading
from orchestrator.spec.checks.at_odds import sentence_of
from orchestrator.values.named import Values
from orchestrator.values.sharing import says_how_closely


def names_shared(reading: Reading, told: object, held: Values) -> tuple[str, ...]:
    """The parameters that the caller has trials share. Raises UsageError for what is no list of names and
    beside what goes by other ways, and SpecError as `require_that_they_can_be_shared`.
    """
    listed = told if isinstance(told, Sequence) and not isinstance(told, str | bytes) else (None,)
    names = tuple(name for name in listed if isinstance(name, str))
    if len(names) < len(listed):
        raise UsageError(
            f'expected as `sharing` a list of names of parameters, as ["temperature"], got {told!r}'
        )
    if not names:
        return ()
    if reading.space.candidates is not None:
        raise UsageError(sentence_of("candidates", "sharing"))
    in_use = reading.problem.in_use
    if in_use is not None and not in_use.over.each:
        raise UsageError(sentence_of("in_use", "sharing"))
    for name in names:
        if reading.clock is not None and name == reading.clock.name:
            raise UsageError(f"expected as `sharing` {is_the_clock(name)}")
        if reading.fidelity is not None and name == reading.fidelity.name:
            raise UsageError(says_how_closely(name))
    require_that_they_can_be_shared(reading.space, names, held)
    return names
