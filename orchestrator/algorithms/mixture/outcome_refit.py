"""The part of a refit of `auto` that is about outcomes: a model for each slack of a constraint on them, for
each objective among them, and for how long evaluations take.

Notation: C slacks, G objectives beside the value, n results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from orchestrator.algorithms.base import Noise, Problem
from orchestrator.algorithms.history import History
from orchestrator.algorithms.mixture.belief import Results
from orchestrator.algorithms.mixture.duration_belief import logarithms
from orchestrator.algorithms.mixture.further_belief import known
from orchestrator.algorithms.mixture.hypotheses import Found, Hypothesis, hypotheses, on_either_scale
from orchestrator.algorithms.mixture.hypothesis_fitter import AGAIN
from orchestrator.algorithms.mixture.hypothesis_weighing import Weighing
from orchestrator.algorithms.mixture.outcome_belief import SlackReading
from orchestrator.algorithms.mixture.outcomes_kept import OutcomesKept
from orchestrator.algorithms.mixture.penalties import penalty_among
from orchestrator.surrogates.scales.warp import Warp

OF_AN_OUTCOME = on_either_scale(
    Hypothesis("joint", "rbf", False, False),
    Hypothesis("joint", "rbf", True, False),
    Hypothesis("joint", "matern-5/2", False, False),
    Hypothesis("joint", "matern-5/2", True, False),
    Hypothesis("trend", "rbf", True, False),
)
"""What a slack, or the logarithm of durations, may be like."""
FEWEST = 3
"""Values, without which there is no model."""


@dataclass(frozen=True, eq=False)
class OutcomeRefit:
    """Of what is ``kept``; ``designed`` is how many results came from the start design."""

    kept: OutcomesKept
    designed: int

    @property
    def problem(self) -> Problem:
        """That the results are of."""
        return self.kept.problem

    @property
    def history(self) -> History:
        """What was told."""
        return self.kept.history

    def slacks(self, last: Mapping[int, Found], *, weighing: bool) -> list[dict[str, Any]]:
        """The likeliest model of each slack; where nothing is weighed anew, that of the ``last`` refit, which
        are by the number of their slack, fitted again.
        """
        X, rows = self.kept.embedded, self.kept.rows
        slacks = self.history.slacks[rows]
        models = []
        for slack in range(self.problem.outcome_constraints):
            reading = SlackReading.of(slacks[:, slack], self.designed, self.history.apart[rows])
            held = reading.known(X, slacks[:, slack])
            if len(held.values) >= FEWEST:
                seen = self._seen(held)
                model = self._model(seen, OF_AN_OUTCOME, last.get(slack), weighing=weighing)
                models.append({"slack": slack, **asdict(reading), **model})
        return models

    def objectives(self, last: Sequence[Found], *, weighing: bool) -> list[dict[str, Any]]:
        """The same of each objective beside the value; none while one of them has too few values."""
        X, rows = self.kept.embedded, self.kept.rows
        models = []
        for number, told in enumerate(self.history.further[rows].T):
            penalty = penalty_among(told, self.designed, self.history.apart[rows])
            held = known(X, told, penalty)
            if len(held.values) < FEWEST:
                return []
            seen = self._seen(held)
            # An objective may be as hard to learn as the value is.
            possible = hypotheses(
                self.problem.domain.embedding.aspects, factors=False, warped=True in seen.scales
            )
            before = last[number] if last else None
            model = self._model(seen, possible, before, weighing=weighing, waves=True)
            models.append({"penalty": penalty, **model})
        return models

    def duration(self, last: Found | None, *, weighing: bool) -> dict[str, Any] | None:
        """The same of the logarithm of evaluations' seconds; None while too few are known."""
        held = logarithms(self.kept.embedded, self.history.durations[self.kept.rows])
        if len(held.values) < FEWEST:
            return None
        # Machines differ, and what else they do: the same evaluation never takes as long.
        noisy = replace(self.problem, noise=Noise())
        seen = Weighing.of(noisy, held, None, len(held.values))
        return self._model(seen, OF_AN_OUTCOME, last, weighing=weighing)

    def _seen(self, held: Results) -> Weighing:
        """How noisy they are nobody says: exact where the value is, and else to be inferred."""
        noise = self.problem.noise if self.problem.noise.is_none else Noise()
        warp = Warp.fitted(held.values)
        return Weighing.of(replace(self.problem, noise=noise), held, warp, len(held.values))

    def _model(
        self,
        seen: Weighing,
        asked: Sequence[Hypothesis],
        last: Found | None,
        *,
        weighing: bool,
        waves: bool = False,
    ) -> dict[str, Any]:
        """The likeliest of those asked that are possible, and of ``waves`` if there may be some."""
        possible = seen.possible(asked)
        before = () if last is None else (last,)
        kept = last is not None and (
            last.hypothesis in possible
            or (waves and last.hypothesis.form == "waves" and last.hypothesis.warped in seen.scales)
        )
        if last is not None and kept and not weighing:
            found = seen.fitted([last.hypothesis], None, before, AGAIN)
        else:
            found = seen.weighed(possible, None, before)
            found = seen.with_waves(found, before) if waves else found
        best = found[0]
        return {"found": best.to_json(), "scale": seen.scales[best.hypothesis.warped].to_json()}
