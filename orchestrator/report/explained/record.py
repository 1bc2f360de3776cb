"""What `explain` says of a trial, for programs: as numbers, and in the same sentences."""

from __future__ import annotations

import json

from orchestrator.report.explained.case import Case
from orchestrator.report.explained.what_came_of_it import what_came_of_it
from orchestrator.report.explained.why_this_point import why_this_point
from orchestrator.report.own_of_trials import own_of
from orchestrator.report.seen.last_heard import state_words
from orchestrator.scheduler.gain import expected
from orchestrator.values.printable import printable


def explained_json(case: Case, files: str | None) -> str:
    """All of it as one JSON object; ``files``: the folder of what the trial printed and wrote, if it did."""
    record = {
        "trial": case.trial.number,
        "experiment": case.spec.experiment,
        "parameters": dict(case.trial.parameters),
        "held": dict(case.trial.held),
        "said": dict(case.trial.suggested.part),
        "chosen": _chosen(case),
        "came": _came(case),
        "story": list(case.steps),
        "run_ended": case.ending or None,
        "files": files,
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _chosen(case: Case) -> dict[str, object]:
    """Why: by what the optimiser said of it, and of its models in the same answer. ``expected_gain``: what
    they had last said to be left to gain. Seconds are since the run began, but those that the answer took.
    """
    trial, answer = case.trial, case.answer
    mean, deviation = trial.suggested.mean, trial.suggested.deviation
    predicted = None if mean is None else {"mean": mean, "deviation": deviation}
    return {
        "algorithm": case.spec.algorithm.name,
        "ask": trial.ask,
        "queued_s": trial.queued_at,
        "seconds": None if answer is None else answer.seconds,
        "beside": 0 if answer is None else len(answer.suggestions) - 1,
        "predicted": predicted,
        "best_before": case.best_before,
        "expected_gain": None if case.gain is None else expected(case.gain),
        "why": dict(trial.suggested.why),
        "models": {} if answer is None else dict(answer.insight),
        "words": [printable(sentence) for sentence in why_this_point(case)],
    }


def _came(case: Case) -> dict[str, object]:
    """What became of it: ``foreseen`` is what it would have come to where it was stopped, ``note`` why
    nothing follows from its value, ``block`` what it shares an offset with, ``own`` what its evaluation had
    of its own; ``continues`` the trial that it was to go on from, and ``continued`` whether it had what that
    left; ``schedule`` has the settings by which it came there, where these changed on the way.
    """
    trial, best = case.trial, case.best_now
    seen = trial.forecast
    return {
        "state": state_words(trial, case.last_heard_of),
        "value": trial.value,
        "values_before": list(trial.values_before),
        "variance": trial.variance,
        "returned": dict(trial.extras),
        "factors": None if trial.factors is None else list(trial.factors),
        "broken": list(trial.broken),
        "foreseen": None if seen is None else {"mean": seen.mean, "deviation": seen.deviation},
        "reported": [[step, value] for step, value in trial.curve],
        "best_trial": None if best is None else best.number,
        "best": None if best is None else best.value,
        "attempts": trial.attempts.begun,
        "failures": trial.attempts.failed,
        "cost": trial.cost,
        "continues": trial.suggested.continues or None,
        "continued": trial.continued,
        "schedule": [one.to_json() for one in case.schedule],
        "block": case.block or None,
        "worker": trial.worker,
        "by": trial.by or None,
        "own": dict(own_of(trial, case.spec)),
        "started_s": trial.started_at,
        "settled_s": trial.settled_at,
        "seconds": trial.elapsed or None,
        "message": trial.message or None,
        "note": case.note or None,
        "words": [printable(sentence) for sentence in what_came_of_it(case)],
    }
