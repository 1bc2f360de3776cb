"""Failed trials that are to be tried again, as once a licence is back: points to try, and forgotten."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from orchestrator.errors import UsageError
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial, has_failed, may_be_retried
from orchestrator.scheduler.words.trial_names import one_of
from orchestrator.spec.model import Spec
from orchestrator.values.counts import count_in

ALL = "failed"
"""All that failed, and were not refused by a person."""


def with_retries(parsed: argparse.Namespace, spec: Spec, state: State) -> argparse.Namespace:
    """The options of `amend`, in which what is to be tried again is among what is forgotten, and first among
    the points to try. Raises `UsageError`.
    """
    if not parsed.retry:
        return parsed
    numbers = list(dict.fromkeys(_numbers(parsed.retry, state)))
    points = [_point(spec, state.trials[number]) for number in numbers]
    forget, others = [*parsed.forget, *numbers], [*points, *parsed.points]
    return argparse.Namespace(**{**vars(parsed), "forget": forget, "points": others})


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
