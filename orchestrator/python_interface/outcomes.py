"""What callers of the Python interface tell of an experiment and of an evaluation, checked.

Everything raises UsageError, with what was expected and what came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from orchestrator.algorithms.base import Noise
from orchestrator.algorithms.observed import known_noise
from orchestrator.errors import UsageError
from orchestrator.objectives import MOST_OBJECTIVES, OF_THE_VALUE, SIGNS
from orchestrator.spelling import british, did_you_mean, listed
from orchestrator.values.curve import numbers_of, why_no_curve
from orchestrator.values.finite import is_finite, is_number
from orchestrator.values.foreign import in_a_line, single_number
from orchestrator.values.plain import plain, whole_number
from orchestrator.values.quoted import quoted
from orchestrator.wanted_outcomes import is_outcome

ToldGoal: TypeAlias = Literal["maximise", "minimise", "maximize", "minimize"]
"""`Goal`, in either spelling."""
LONGEST_REASON = 200
"""Characters of why an evaluation failed that are kept."""
NO_LEVEL = (
    "there is no best yet: limits are relative to the reference, and `{0}` of that has not been told; tell"
    " its trial first, which is number 1, or attach its settings again"
)


def noise_of(told: object) -> Noise:
    """What is known of the noise before anything is evaluated."""
    if isinstance(told, Noise):
        return told
    noise = single_number(told)
    if noise == "unknown" or noise == "reported":
        return Noise(noise)
    if isinstance(noise, bool) or not isinstance(noise, (int, float)) or not is_finite(noise) or noise < 0.0:
        raise UsageError(
            "expected noise that is `unknown`, `reported` or a standard deviation of 0 or more, "
            f"got {in_a_line(told)}"
        )
    return known_noise(noise)


def seed_of(told: object) -> int:
    """From which all that is random follows, 0 or more."""
    seed = whole_number(told)
    if seed is None or seed < 0:
        raise UsageError(f"expected a seed that is a whole number, 0 or more, got {told!r}")
    return seed


def sign_of(goal: object) -> float:
    """1 of what is maximised, -1 of what is minimised."""
    for known, sign in SIGNS.items():
        if isinstance(goal, str) and british(goal) == known:
            return sign
    near = did_you_mean(goal, SIGNS) if isinstance(goal, str) else ""
    raise UsageError(f"expected the goal maximise or minimise, got {in_a_line(goal)}{near}")


def further_of(objectives: object) -> list[tuple[str, float]]:
    """The names of objectives beside the value, each with its `sign_of`."""
    told = {} if objectives is None else objectives
    if not isinstance(told, Mapping) or not all(isinstance(name, str) and name for name in told):
        raise UsageError(
            f'expected further objectives with their goals, as {{"lift": "maximise"}}, got {objectives!r}'
        )
    if len(told) >= MOST_OBJECTIVES:
        raise UsageError(f"expected at most {MOST_OBJECTIVES} objectives, got {1 + len(told)}")
    return [(name, sign_of(goal)) for name, goal in told.items()]


def value_of(told: object) -> float:
    """A value, in the sense of the caller."""
    instead = "tell None for a failed evaluation"
    if isinstance(told, Mapping | tuple | list):
        instead = "what comes with it is told as `variance`, `factors` and `outcomes`, or all in a mapping"
        if isinstance(told, tuple) and len(told) == 2 and all(map(is_number, told)):
            mean, error = told
            instead += f'; a mean with its standard error is {{"value": {mean}, "variance": {error} ** 2}}'
    return _finite(told, "value: expected a finite number", instead)


def variance_of(told: object) -> float:
    """The noise variance of a value, 0 or more."""
    variance = _finite(told, "variance: expected a finite number", "leave it out if it is not known")
    if variance < 0:
        raise UsageError(f"expected a variance of 0 or more, got {told!r}")
    return variance


def seconds_of(told: object) -> float:
    """What an evaluation took, above 0."""
    seconds = _finite(told, "seconds: expected a finite number", "leave it out if it is not known")
    if seconds <= 0:
        raise UsageError(f"expected seconds above 0, got {told!r}; leave it out if it is not known")
    return seconds


def foreseen_of(told: object) -> bool:
    """Whether a value is what an evaluation would have come to: nothing but a truth value can be kept."""
    flag = plain(told)
    if not isinstance(flag, bool):
        raise UsageError(f"expected True or False as `foreseen`, got {in_a_line(told)}")
    return flag


def reason_of(told: object, value: object) -> str:
    """Why there is no value, in a short line that a file can hold; nothing where nobody says."""
    if told is None:
        return ""
    if not isinstance(told, str):
        raise UsageError(f'expected a text as `reason`, as "the pump stopped", got {in_a_line(told)}')
    if value is not None:
        raise UsageError(
            f"expected a `reason` of a trial that failed, of which the value is None, got the value"
            f" {in_a_line(value)}"
        )
    # What is no character, as names of files may have it, is none in a file either.
    line = " ".join(told.split()).encode("utf-8", "replace").decode()
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 3]}..."


def factors_of(told: object, known: Sequence[object] | None) -> list[float]:
    """One value a factor; as many as are ``known``, if any are."""
    factors = told.tolist() if hasattr(told, "tolist") else plain(told)
    nested = not isinstance(factors, Sequence) or any(isinstance(one, list | tuple) for one in factors)
    if isinstance(factors, str) or nested:
        raise UsageError(
            f"expected factors as a list or an array with one value a factor, got {in_a_line(told)}"
        )
    if known is not None and len(factors) != len(known):
        raise UsageError(f"expected {len(known)} factor values, one a factor, got {len(factors)}")
    return [
        _finite(part, "factors: expected finite numbers", "leave them out if not known") for part in factors
    ]


def outcomes_of(
    told: object, known: Sequence[str], points: Mapping[str, int]
) -> dict[str, float | list[float]]:
    """Those of the ``known`` outcomes that are told, as finite numbers; those that are curves as so many
    ``points``.
    """
    if told is None:
        return {}
    if not isinstance(told, Mapping):
        raise UsageError(f"expected outcomes as a mapping of their names to values, got {told!r}")
    for name in told:
        if name not in known:
            expected = f"the outcomes {listed(known, 'and')}" if known else "no outcomes, as none are named"
            near = did_you_mean(str(name), known)
            raise UsageError(f"expected {expected}, got {quoted(name)}{near}")
    found: dict[str, float | list[float]] = {}
    for name, value in told.items():
        if name in points:
            if complaint := why_no_curve(value, points[name]):
                raise UsageError(f"outcomes: expected `{name}` as {complaint}")
            found[name] = numbers_of(value) or []
            continue
        number = single_number(value)
        if not is_outcome(number):
            raise UsageError(f"outcomes: expected finite numbers, got {in_a_line(value)} for `{name}`")
        found[name] = float(number)
    return found


def refuse_names_of_the_value(outcomes: Sequence[str]) -> None:
    """Raises UsageError for an outcome that an evaluation cannot return under its name."""
    if taken := [name for name in outcomes if name in OF_THE_VALUE]:
        raise UsageError(
            f"expected other names than {listed(OF_THE_VALUE, 'and')} for what an evaluation returns beside"
            f" the value, got the outcome `{taken[0]}`; call it otherwise"
        )


def refuse_unknown(outcome: str | None, known: Sequence[str]) -> None:
    """Raises UsageError for an outcome that is none of those known; None stands for the value."""
    if outcome is not None and outcome not in known:
        among = f"one of {listed(known)}" if known else "none, as there are none"
        near = did_you_mean(str(outcome), known)
        raise UsageError(f"expected an outcome, {among}; got {quoted(outcome)}{near}")


def _finite(told: object, expected: str, instead: str) -> float:
    number = single_number(told)
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not is_finite(number):
        raise UsageError(f"{expected}, got {in_a_line(told)}; {instead}")
    return float(number)
