"""The settings that limits are relative to, as callers tell them: a trial of theirs, and the first; and what
is known of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from orchestrator.algorithms.observed import observed, with_outcomes
from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.space import MissingValue
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.results import Place, Result
from orchestrator.spec.checks.reference import TIMES_ALONE
from orchestrator.values.counts import MOST_TIMES
from orchestrator.values.foreign import in_a_line
from orchestrator.values.levels import levels_of
from orchestrator.values.named import Values
from orchestrator.values.plain import whole_number

WHOLE = "a `reference` is of all parameters"
BY_THE_CLOCK = "expected no `reference` beside a clock, which goes on; attach its settings with each time"


def reference_of(told: Values | None, reading: Reading) -> Place | None:
    """Where it lies, if there is one. Raises SpecError for what is no point within the constraints, and
    UsageError for one that looks less closely than a best point does.
    """
    if told is None:
        return None
    if reading.clock is not None:
        raise UsageError(BY_THE_CLOCK)
    try:
        place = reading.allowed_place(told)
    except MissingValue as error:
        raise SpecError(f"{error}; {WHOLE}") from None
    if not reading.is_full(place):
        raise UsageError(f"expected a reference at full fidelity, as the best point is, got {dict(told)}")
    return place


def reference_times_of(told: object, reading: Reading) -> int:
    """How many of the first trials are of it, 0 where there is none. Raises UsageError."""
    times = whole_number(told)
    if times is None or not 1 <= times <= MOST_TIMES:
        raise UsageError(f"expected `reference_times` from 1 to {MOST_TIMES:,}, got {in_a_line(told)}")
    rows = reading.space.rows
    if times > 1 and rows is not None and not rows.candidates.again:
        raise UsageError(
            "expected candidates that may be tried more than once, as by `again=True`, beside"
            f" `reference_times={times}`"
        )
    if reading.reference is not None:
        return times
    if times > 1:
        raise UsageError(f"{TIMES_ALONE}; `reference_times` is {times}")
    return 0


def learn_levels(reading: Reading, results: Iterable[Result], there: Values) -> bool:
    """Have results be read by what all of those at the reference, ``there``, say of it; whether that is
    something else than before.
    """
    own = "" if reading.wanted is None else reading.wanted.own
    measured = [one for one in results if one.value is not None and one.parameters == there]
    levels = levels_of(reading.relative, [{**one.outcomes, own: one.value} for one in measured])
    if levels == reading.levels:
        return False
    reading.levels.clear()
    reading.levels.update(levels)
    return True


def judged_anew(reading: Reading, result: Result) -> Result:
    """A result as it is read by now."""
    assert reading.wanted is not None, "limits are relative to something"
    judged = reading.wanted.judged(result.parameters, result.outcomes, result.value)
    before, told = result.observation, (result.value, None, None)
    value = observed(before.trial, before.point, told, reading.sign).value
    observation = with_outcomes(replace(before, value=value), judged, reading.algorithm)
    place = Place(before.point, result.parameters, reading.space.broken_by(result.parameters))
    broken = place.broken or judged.broken or result.between
    stands = value is not None and not before.foreseen and not broken and reading.is_full(place)
    return replace(result, judged=judged, observation=observation, stands=stands)
