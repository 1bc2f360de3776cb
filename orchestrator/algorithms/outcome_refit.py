"""The part of a refit of `auto` that is about outcomes: a model for each slack of a constraint on them.

Notation: C slacks, n results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.algorithms.auto_kept import LARGEST
from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.hypotheses import Found, Hypothesis
from orchestrator.algorithms.hypothesis_fitter import AGAIN
from orchestrator.algorithms.hypothesis_weighing import Weighing
from orchestrator.algorithms.mixture_belief import Member, Results
from orchestrator.algorithms.outcome_belief import OutcomeBelief, SlackBelief, SlackScale
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.standardise import Standardisation
from orchestrator.surrogates.warp import Warp

OF_A_SLACK = tuple(
    replace(hypothesis, warped=warped)
    for warped in (False, True)
    for hypothesis in (
        Hypothesis("joint", "rbf", False, False),
        Hypothesis("joint", "rbf", True, False),
        Hypothesis("joint", "matern-5/2", False, False),
        Hypothesis("joint", "matern-5/2", True, False),
        Hypothesis("trend", "rbf", True, False),
    )
)
"""What a slack may be like."""
EXACT = Noise("known", 0.0)
FEWEST = 3
"""Values of a slack, without which there is no model of it."""


@dataclass(frozen=True, eq=False)
class OutcomeRefit:
    """``last`` are the models of the last refit, by the number of their slack; ``designed`` how many results
    came from the start design.
    """

    problem: Problem
    history: History
    number: int
    designed: int
    last: Mapping[int, Found]

    def compute(self, *, weighing: bool) -> list[dict[str, Any]]:
        """The likeliest model of each slack; where nothing is weighed anew, last time's, fitted again."""
        rows = kept_rows(self.problem, self.number, len(self.history))
        X, slacks = self.problem.domain.embed(self.history.points[rows]), self.history.slacks[rows]
        models = []
        for slack in range(self.problem.outcome_constraints):
            scale = SlackScale.of(slacks[:, slack], self.designed)
            held = scale.known(X, slacks[:, slack])
            if len(held.values) >= FEWEST:
                model = self._model(slack, held, weighing=weighing)
                models.append({"slack": slack, **asdict(scale), **model})
        return models

    def _model(self, slack: int, held: Results, *, weighing: bool) -> dict[str, Any]:
        # How noisy they are nobody says: exact where the objective is, and else to be inferred.
        exact = self.problem.noise == EXACT
        problem = replace(self.problem, noise=EXACT if exact else Noise())
        seen = Weighing.of(problem, held, Warp.fitted(held.values), len(held.values))
        D = problem.domain.dimension
        possible = [h for h in OF_A_SLACK if h.warped in seen.scales and (D > 1 or not h.shared)]
        last = self.last.get(slack)
        if last is None or weighing or last.hypothesis not in possible:
            found = seen.weighed(possible, None, () if last is None else (last,))
        else:
            found = seen.fitted([last.hypothesis], None, (last,), AGAIN)
        best = found[0]
        return {"found": best.to_json(), "scale": seen.scales[best.hypothesis.warped].to_json()}


def kept_rows(problem: Problem, number: int, count: int) -> NDArray[np.intp]:
    """Which of so many results the models of a refit hold: 600 at most."""
    if count <= LARGEST:
        return np.arange(count)
    rng = stream(problem.seed, "auto outcomes kept", number)
    return np.sort(rng.choice(count, size=LARGEST, replace=False))


def outcome_belief(
    problem: Problem, history: History, number: int, seen: int, models: Sequence[Mapping[str, Any]]
) -> OutcomeBelief:
    """What a refit's payload says of the slacks, conditioned on the first ``seen`` results."""
    rows = kept_rows(problem, number, seen)
    X, slacks = problem.domain.embed(history.points[rows]), history.slacks[rows]
    beliefs = []
    for model in models:
        slack = int(model["slack"])
        scale = SlackScale(float(model["typical_size"]), float(model["penalty"]))
        found, standardised = Found.from_json(model["found"]), Standardisation.from_json(model["scale"])
        held = scale.known(X, slacks[:, slack])
        member = Member.of(found, standardised, problem.domain, held)
        beliefs.append(SlackBelief(slack, member, scale))
    return OutcomeBelief(tuple(beliefs))
