"""An algorithm at fault, which may be somebody's own: what is wrong, and the file and line of their code."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Algorithm, Suggestion
from orchestrator.errors import OptimiserError


def fault_words(error: Exception, algorithm: type[Algorithm]) -> str:
    """What it says, with the innermost line of the algorithm's package that it came through.

    Where it came through none of them, as where we stumbled over what theirs had returned, with their class.
    """
    package = _package(algorithm.__module__)
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if _package(str(frame.f_globals.get("__name__", ""))) == package:
            place = f"{frame.f_code.co_filename}, line {line}"
    return f"{type(error).__name__}: {error}" + _in_brackets(place or _place_of(algorithm))


def refuse_what_is_no_answer(answer: Any, algorithm: Algorithm, dimension: int) -> None:
    """Raises OptimiserError unless it is a sequence of `Suggestion` with points (dimension,), all finite."""
    if not isinstance(answer, list | tuple):
        got = "None" if answer is None else type(answer).__name__
        raise _no_answer(algorithm, f"a list of Suggestions, got {got}")
    for suggestion in answer:
        if not isinstance(suggestion, Suggestion):
            raise _no_answer(algorithm, f"a list of Suggestions, got {type(suggestion).__name__} in it")
        if not _is_point(suggestion.point, dimension):
            point = repr(suggestion.point) if isinstance(suggestion.point, str) else str(suggestion.point)
            raise _no_answer(algorithm, f"points of {dimension} numbers in the unit cube, got {point[:200]}")


def _is_point(point: Any, dimension: int) -> bool:
    try:
        numbers = np.asarray(point, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return numbers.shape == (dimension,) and bool(np.isfinite(numbers).all())


def _no_answer(algorithm: Algorithm, sentence: str) -> OptimiserError:
    kind = type(algorithm)
    own = vars(kind).get("ask")
    place = _place_of(own if inspect.isfunction(own) else kind)
    name = getattr(kind, "name", kind.__qualname__)
    return OptimiserError(
        f"expected `ask` of the algorithm `{name}` to return {sentence}{_in_brackets(place)}"
    )


def _place_of(what: type | Callable[..., Any]) -> str:
    try:
        return f"{inspect.getsourcefile(what)}, line {inspect.getsourcelines(what)[1]}"
    except (OSError, TypeError):  # without its source
        return ""


def _in_brackets(place: str) -> str:
    return f" ({place})" if place else ""


def _package(module: str) -> str:
    return module.partition(".")[0]
