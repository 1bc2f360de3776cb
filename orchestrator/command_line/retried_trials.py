"""Failed trials that are to be tried again, as once a licence is back: points to try, and forgotten."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from orchestrator.errors import UsageError
from orchestrator.expressions.counts import in_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial, has_failed, may_be_retried
from orchestrator.scheduler.words.trial_names import one_of
from orchestrator.spec.begun.asked_points import points_to_try
from orchestrator.spec.document.complaint import Refusal
from orchestrator.spec.model import Spec
from orchestrator.values.counts import count_in
from orchestrator.values.named import Values

ALL = "failed"
"""All that failed, and were not refused by a person."""


def with_retries(parsed: argparse.Namespace, spec: Spec, state: State) -> argparse.Namespace:
    """The options of `amend`, in which what is to be tried again is among what is forgotten, and first among
    the points to try. Raises `UsageError`.
    """
    if not parsed.retry:
        return parsed
    numbers = list(dict.fromkeys(_numbers(parsed.retry, state)))
    retried = {_point(spec, state.trials[number]): number for number in numbers}
    forget, others = [*parsed.forget, *numbers], [*retried, *parsed.points]
    return argparse.Namespace(**{**vars(parsed), "forget": forget, "points": others, "retried": retried})


def as_far_as_may_be(
    parsed: argparse.Namespace, spec: Spec, named: Mapping[str, Values]
) -> tuple[argparse.Namespace, list[str]]:
    """Without those of all that failed whose settings the ``spec`` as it will be has no more, as bounds are
    narrower; and what is to be said of each. One that is named by its number is not left out. ``named`` are
    the settings of points by name.

    Raises `UsageError` where none of all that failed is left.
    """
    if ALL not in (parsed.retry or ()):
        return parsed, []
    by_number = {count_in(text) for text in parsed.retry if text != ALL}
    asked = {text: number for text, number in parsed.retried.items() if number not in by_number}
    why = {text: words for text in asked if (words := _why_not(spec, text, named))}
    if why and len(why) == len(asked):
        number, words = next((asked[text], words) for text, words in why.items())
        raise UsageError(f"expected trials that failed and may be tried again, got trial {number}: {words}")
    without = {asked[text] for text in why}
    kept = {
        # What a person would have tried besides comes after them, perhaps by the same number.
        "points": [one for one in parsed.retried if one not in why] + parsed.points[len(parsed.retried) :],
        "forget": [number for number in parsed.forget if number not in without],
    }
    said = [f"--retry {ALL}: trial {asked[text]} is left out: {words}" for text, words in why.items()]
    return argparse.Namespace(**{**vars(parsed), **kept}), said


def _why_not(spec: Spec, text: str, named: Mapping[str, Values]) -> str:
    """Why a point may not be tried, or nothing."""
    # Imported here because it is numpy.
    from orchestrator.spec.build import build_space

    try:
        (point,) = points_to_try(spec, [text], named)
    except Refusal as refused:
        return "; ".join(one.sentence for one in refused.complaints)
    broken = build_space(spec).broken_by(point)
    return f"expected a point that satisfies `{'`, `'.join(map(in_words, broken))}`" if broken else ""


def _numbers(typed: Sequence[str], state: State) -> Iterator[int]:
    for text in typed:
        if text == ALL:
            failed = list(filter(may_be_retried, state.trials.values()))
            if not failed:
                raise UsageError("expected trials that failed, to be tried again, got none")
            yield from (trial.number for trial in failed)
            continue
        try:
            number = count_in(text)
        except ValueError:
            raise UsageError(f"expected --retry of the number of a trial, or `{ALL}`, got {text}") from None
        if number not in state.trials:
            raise UsageError(f"expected {one_of(len(state.trials))}, got {number}")
        if not has_failed(trial := state.trials[number]):
            now = "forgotten" if trial.forgotten else trial.state
            raise UsageError(
                f"expected a trial that failed, to be tried again, got trial {number}, which is {now};"
                f" --try {number} evaluates its settings once more"
            )
        yield number


def _point(spec: Spec, trial: Trial) -> str:
    """As `--try` takes it: a trial by its number alone would be tried at full fidelity."""
    if spec.fidelity is None:
        return str(trial.number)
    name = spec.fidelity.parameter
    return f"{trial.number},{name}={trial.parameters[name]}"
