"""An algorithm at fault, which may be somebody's own: what is wrong, and the file and line of their code."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from orchestrator.algorithms.base import Algorithm, Refit, Suggestion
from orchestrator.errors import OptimiserError, OrchestratorError
from orchestrator.unit_cube.domain import Domain

# Beyond the cube's sides, what rounding may do.
_ROUNDING = 1e-6


def fault_words(error: Exception, algorithm: type) -> str:
    """What it says, with the innermost line of the algorithm's package that it came through.

    Where it came through none of them, as where we stumbled over what theirs had returned, with their class.
    An error of ours is a sentence already.
    """
    if isinstance(error, OrchestratorError):
        return str(error)
    package = _package(algorithm.__module__)
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if _package(str(frame.f_globals.get("__name__", ""))) == package:
            place = f"{frame.f_code.co_filename}, line {line}"
    return f"{type(error).__name__}: {error}" + _in_brackets(place or _place_of(algorithm))


def refuse_what_is_no_answer(
    answer: object, algorithm: Algorithm, dimension: int, asked: int, *, may_end: bool = False
) -> None:
    """Raises OptimiserError unless it is a sequence of as many `Suggestion` as were ``asked`` for, with
    points (dimension,) in the unit cube; or of fewer, where an algorithm chooses among rows and ``may_end``.
    """
    refusal = partial(_refusal, algorithm, "ask")
    if not isinstance(answer, list | tuple):
        raise refusal(f"a list of Suggestions, got {_kind(answer)}")
    for suggestion in answer:
        if not isinstance(suggestion, Suggestion):
            raise refusal(f"a list of Suggestions, got {_kind(suggestion)} in it")
        if not _is_point(suggestion.point, dimension):
            point = repr(suggestion.point) if isinstance(suggestion.point, str) else str(suggestion.point)
            raise refusal(f"points of {dimension} numbers in the unit cube, got {point[:200]}")
    may_be_fewer = len(answer) < asked and (may_end or type(algorithm).Options.may_wait)
    if len(answer) != asked and not may_be_fewer:
        raise refusal(f"as many Suggestions as were asked for, {asked}, got {len(answer)}")


def refuse_what_is_not_held(answer: Sequence[Suggestion], algorithm: Algorithm, within: Domain) -> None:
    """Raises OptimiserError for points that do not have what is held ``within`` a part of the domain."""
    for suggestion in answer:
        if not within.contains(np.asarray(suggestion.point, dtype=float)[None, :])[0]:
            raise _refusal(algorithm, "ask", f"points of `AskKey.within`, got {suggestion.point}")


def refuse_what_is_no_refit(answer: object, algorithm: Algorithm, number: int) -> None:
    """Raises OptimiserError unless it is the `Refit` of that number."""
    refusal = partial(_refusal, algorithm, "compute_refit")
    if not isinstance(answer, Refit):
        raise refusal(f"a Refit, got {_kind(answer)}")
    if answer.number != number:
        raise refusal(f"the Refit of the number that it is given, {number}, got {answer.number}")


def _is_point(point: object, dimension: int) -> bool:
    try:
        numbers = np.asarray(point, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    # No comparison holds for what is no number.
    inside = (numbers >= -_ROUNDING) & (numbers <= 1.0 + _ROUNDING)
    return numbers.shape == (dimension,) and bool(inside.all())


def _kind(answer: object) -> str:
    return "None" if answer is None else type(answer).__name__


def _refusal(algorithm: Algorithm, method: str, sentence: str) -> OptimiserError:
    kind = type(algorithm)
    own = vars(kind).get(method)
    place = _place_of(own if inspect.isfunction(own) else kind)
    name = getattr(kind, "name", kind.__qualname__)
    return OptimiserError(
        f"expected `{method}` of the algorithm `{name}` to return {sentence}{_in_brackets(place)}"
    )


def _place_of(what: type | Callable[..., object]) -> str:
    try:
        return f"{inspect.getsourcefile(what)}, line {inspect.getsourcelines(what)[1]}"
    except (OSError, TypeError):  # without its source
        return ""


def _in_brackets(place: str) -> str:
    return f" ({place})" if place else ""


def _package(module: str) -> str:
    return module.partition(".")[0]
