"""Why a training goes on as it does, among others: of searches that train a population."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from orchestrator.report.words.wording import number
from orchestrator.scheduler.trial import Trial

AS_IT_WAS = "It is a training that goes on as it was."
LAST = (
    "No training waited to go on, and the budget does not pay for another from its beginning: so this is"
    " another way on from one of the best."
)


def in_a_population(trial: Trial) -> Iterator[str]:
    """A sentence on how the training stood whose turn it was, one on what became of that, and one on what the
    piece was expected to gain; none of other searches.
    """
    told = trial.suggested.why.get("population")
    if not isinstance(told, Mapping):
        return
    training, rank, of = (told.get(name) for name in ("training", "rank", "of"))
    if training is None:
        yield LAST
    else:
        stood = f"number {rank} of the {of} that had come as far by then"
        yield f"Trial {training} was {stood}{_so(trial, told)}."
    gain = trial.suggested.why.get("gain")
    if isinstance(gain, float):
        yield f"With these settings it was expected to come on by {number(gain, 3)}."


def _so(trial: Trial, told: Mapping[object, object]) -> str:
    if told.get("training") != trial.suggested.continues:
        return f": it is given up for a copy of trial {trial.suggested.continues}, one of the best"
    if told.get("again"):
        return "; what was to go on from it failed, so this has other settings"
    return ""
