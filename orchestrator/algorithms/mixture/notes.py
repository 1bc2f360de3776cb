"""What `auto` says of itself in sentences: what it believes, and what it takes results for."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.leaning import Leaning
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.local_search import LocalSearch
from orchestrator.algorithms.mixture.related_belief import of_related
from orchestrator.algorithms.mixture.standing import Standing

# Log odds of a million.
MANY_TIMES = 13.8


def notes(learned: Learned, local: LocalSearch) -> list[str]:
    """For `Insight.notes`, beside that on the refit."""
    return [
        *_of_hypotheses(learned.standing),
        *of_related(learned),
        *_of_noise(learned),
        *_of_a_hunch(learned),
        *_of_outcomes(learned.problem, learned.history),
        *local.notes,
        *_of_what_failed(learned.history, local),
    ]


def _of_hypotheses(standing: Standing) -> Iterator[str]:
    if len(standing.considered) > 1:
        (first, _), (second, odds) = standing.considered[:2]
        yield (
            f"{len(standing.considered)} hypotheses weighed at {standing.weighed} results: "
            f"`{first}` is likeliest, {likelier(-odds)} `{second}`"
        )


def _of_noise(learned: Learned) -> Iterator[str]:
    if learned.belief.leader.unresolved_variance:
        yield "values have detail that the results are too few to resolve: elsewhere it is luck"
    problem, exact = learned.problem, learned.standing.exact
    if problem.noise.kind != "unknown":
        return
    history = learned.history
    if (history.variances[~history.foreseen] > 0.0).any():
        yield (
            "no noise is seen beyond the variances that came with values: each is known as its own says"
            if exact
            else "values are taken for noisier than the variances that came with them"
        )
    elif exact:
        beside, but = (" beside offsets of blocks", " but for these") if problem.blocks else ("", "")
        yield f"nothing is told of noise, and none is seen{beside}: values are taken for exact{but}"
    else:
        yield "nothing is told of noise: values are taken for noisy"


def _of_a_hunch(learned: Learned) -> Iterator[str]:
    if (leaning := Leaning.of(learned.problem, len(learned.history))) is not None:
        yield leaning.in_words


def _of_outcomes(problem: Problem, history: History) -> Iterator[str]:
    if problem.outcome_constraints:
        satisfying = int(np.count_nonzero((history.slacks >= 0.0).all(axis=1)))
        # What was set aside and a penalty are results; of what failed there is none.
        results = history.successes + int(np.count_nonzero(history.aside)) + history.penalties
        yield f"constraints on outcomes: satisfied by {satisfying} of {results} results"


def _of_what_failed(history: History, local: LocalSearch) -> Iterator[str]:
    if failed := int(np.count_nonzero(history.failed)):
        yield f"{failed} of {len(history)} evaluations failed: where they are likely to is learned"
    if aside := int(np.count_nonzero(history.aside)):
        yield f"results that count for nothing, as they are far off and did not come out again: {aside}"
    if history.penalties:
        yield f"values so much worse than the others that they count as failures: {history.penalties}"
    if local.exhausted:
        yield f"regions exhausted so far: {local.exhausted}"


def likelier(log_odds: float) -> str:
    """``12 times as likely as``; no more digits than mean something."""
    if log_odds > MANY_TIMES:
        return "millions of times as likely as"
    # As 5e+02, people would have to work it out.
    times = f"{float(f'{math.exp(log_odds):.2g}'):,g}"
    return "no likelier than" if times == "1" else f"{times} times as likely as"
