"""EGP-TS: Thompson sampling from an ensemble of Gaussian processes (Lu, Polyzos, Li & Giannakis 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from orchestrator.acquisition.embedded import Embedded
from orchestrator.acquisition.improvement import LogExpectedImprovement
from orchestrator.acquisition.posterior import Acquisition
from orchestrator.acquisition.reason import reason
from orchestrator.acquisition.thompson import ThompsonSample
from orchestrator.acquisition.ucb import UpperConfidenceBound, practical_beta
from orchestrator.algorithms.ask_and_tell.opening import Opening
from orchestrator.algorithms.ask_and_tell.start_points import start_points
from orchestrator.algorithms.ask_and_tell.turns import Turn, Turns
from orchestrator.algorithms.base import (
    AskKey,
    BelievedBest,
    Insight,
    Observation,
    Options,
    Prediction,
    Problem,
    Refit,
    Suggestion,
)
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.believed_best import believed_best, embedded, noisy
from orchestrator.algorithms.gaussian_process.best_where_held import best_for
from orchestrator.algorithms.gaussian_process.feature_belief import Conditioned, Dictionary, FeatureBelief
from orchestrator.algorithms.gaussian_process.kernel_dictionary import Kernels, templates
from orchestrator.algorithms.history import History
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.multistart import maximise
from orchestrator.surrogates.posteriors.random_features import RandomFeatureModel

INCUMBENTS = 3
FEWEST_BETWEEN_REFITS = 5
# Refits pass over all results, and wait for this part of them at least: so all the work is linear in them.
LATE_SHARE = 20
# EI improves on the highest posterior mean among so many of the best points told, and those that run.
CONTENDERS = 10


class EgpTsOptions(Options):
    """Options of ``egp-ts``; the defaults are the paper's, but for ``early_refits``.

    ``kernels``: the dictionary, names or ``{rbf-grid: [-4, 6]}``. ``features``: frequencies D, half the
    length of a feature vector; more resolve finer structure, at a cost of D^2. ``refit_every``: results told
    between refits (once there are more than 20 times as many, a twentieth of them); with ``early_refits``
    there are further ones whenever half as many again have been told as at the last. ``start_points``: the
    start design, unless the problem says how many. ``weight_floor``: the least weight of a member.
    """

    counts_designed: ClassVar[bool] = True
    keeps_constraints: ClassVar[bool] = True
    takes_conditions: ClassVar[bool] = True
    holds_parameters: ClassVar[bool] = True
    chooses_rows: ClassVar[bool] = True
    kernels: Kernels = ("rbf", "rbf-ard", "matern-3/2", "matern-5/2")
    features: int = Field(50, ge=1, le=1000)
    refit_every: int = Field(50, ge=1)
    early_refits: bool = True
    start_points: int = Field(10, ge=1)
    weight_floor: float = Field(1e-4, ge=0.0, le=0.1)
    acquisition: Literal["thompson", "ucb", "expected-improvement"] = "thompson"


class EgpTs:
    """A dictionary of M kernels, each a Gaussian process in 2D random features, weighted by how they predict.

    Every ask draws a member by weight and a function from it, and suggests the function's maximiser
    (Eqs. 8 and 9); every result moves weights (Eq. 10) and posteriors (Eq. 11); every ``refit_every`` results
    the hyperparameters are fitted, frequencies drawn and weights set by evidence anew (Eqs. 7 and 17).
    Batches and asynchronous workers get independent draws (Algs. 1 and 2).

    Source: Lu et al. 2022, Algorithms 1 and 2; ``acquisition: ucb`` and ``expected-improvement``: Remark 1.

    Deviations: the start design is a Sobol sequence, not random. Hyperparameters are fitted to exact GPs with
    weak priors (maximum a posteriori), on at most 600 of the results, which are standardised and, where tails
    are heavy, warped. They are refitted sooner while results are few (``early_refits: false`` for the paper's
    schedule): those of 10 results mislead for the next 50. They are refitted less often where results are
    many, since a refit passes over all of them. Evidence is that of the random-feature models, so that Eqs. 7
    and 10 speak of the same ones. 100 features cannot resolve sharp peaks; the count stays the paper's
    (``features: 150`` is better wherever evaluations are dear), and what it cannot express counts as noise
    (see `feature_member`). The weight floor is applied after every update. A failed evaluation counts as an
    average result, so that its surroundings lose what made them attractive. Bounds and expected improvement,
    too, are those of the member drawn in its features, bounds with beta = 0.2 D log 2t (Kandasamy et al.
    2015), where the paper's EGP-EI (App. E) has exact processes, fitted anew at every result; points that run
    count as come out at their means there, and improvements are over the highest mean of these and of the
    points told. A point is not suggested twice.
    """

    name: ClassVar[str] = "egp-ts"
    Options: ClassVar[type[Options]] = EgpTsOptions

    def __init__(self, problem: Problem, options: EgpTsOptions) -> None:
        self._problem = problem
        self._options = options
        self._history = History(problem.domain, exact=problem.noise.is_none)
        self._opening = Opening(problem, self._history, start_points(problem, options.start_points))
        self._turns = Turns(problem, self._history, self.name)
        dictionary = Dictionary(templates(options.kernels), options.features, options.weight_floor)
        self._belief = FeatureBelief(problem, self._history, dictionary, "egp-ts")

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, on and on."""
        return self._turns.chosen(n, pending, key, self._suggest)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(M D^2) for each, however many there are."""
        for observation in observations:
            self._history.tell(observation)
        self._belief.learn()

    def refit_due(self) -> int | None:
        """See `Algorithm`. The first when the start design is told, then as the options say."""
        last = self._belief.refit
        if last is None:
            return 1 if self._opening.is_told else None
        wait = self._options.refit_every
        if self._options.early_refits:
            wait = min(wait, max(FEWEST_BETWEEN_REFITS, last.observations // 2))
        wait = max(wait, last.observations // LATE_SHARE)
        return last.number + 1 if len(self._history) - last.observations >= wait else None

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`. Lines 5 and 6 of Algorithm 1 (12 and 13), and the evidence of line 7 (14)."""
        return self._belief.compute_refit(number)

    def adopt(self, refit: Refit) -> None:
        """See `Algorithm`. Line 7 (14) of Algorithm 1 for what the refit saw, then line 23 for the rest."""
        self._belief.adopt(refit)

    def insight(self) -> Insight:
        """See `Algorithm`."""
        refit = self._belief.refit
        if refit is None:
            return self._opening.insight()
        ensemble = self._belief.current.ensemble
        return Insight(
            weights=dict(zip(ensemble.names, ensemble.weights.tolist(), strict=True)),
            hyperparameters=refit.payload["members"],
            notes=[f"refit {refit.number}, from {refit.observations} results"],
            believed_best=self._believed_best(self._belief.current, refit),
        )

    def _believed_best(self, current: Conditioned, refit: Refit) -> BelievedBest | None:
        """By the whole ensemble."""
        ensemble = current.ensemble
        leader = refit.payload["members"][ensemble.names[ensemble.leader]]
        if not noisy(self._problem, leader["hyperparameters"]["noise_variance"]):
            return None
        belief = embedded(self._problem.domain, ensemble)
        return believed_best(self._history, belief, current.standardisation)

    def _suggest(self, turn: Turn) -> Suggestion:
        if self._belief.refit is None:
            return self._opening.suggest(turn)
        return self._choose(self._belief.current, turn)

    def _choose(self, belief: Conditioned, turn: Turn) -> Suggestion:
        """Lines 18-20 of Algorithm 1: a member, a function, its maximiser."""
        domain, ensemble = turn.domain, belief.ensemble
        drawn = ensemble.draw(turn.rng)
        acquisition = self._acquisition(ensemble.members[drawn], belief.typical_noise, turn)
        objective, incumbents = Embedded(domain, acquisition), self._best(turn, INCUMBENTS)
        found = maximise(objective, domain, incumbents, turn.exclusion.allows, turn.rng)
        if found is None:
            return at_random(domain, turn.exclusion, turn.rng)
        X = domain.embed(found.point)
        mean, variance = ensemble.mean_and_variance(X)
        predicted = Prediction.of(mean[0], variance[0], belief.standardisation)
        why = {"source": "model", "member": ensemble.names[drawn], **reason(acquisition, X)}
        return Suggestion(found.point, predicted, why)

    def _best(self, turn: Turn, count: int) -> FloatArray:
        """(k, D) by what the whole ensemble believes: see `best_for`."""
        ensemble, embed = self._belief.current.ensemble, turn.domain.embed
        return best_for(turn, self._history, lambda X: ensemble.mean_and_variance(embed(X))[0], count)

    def _acquisition(self, member: RandomFeatureModel, typical_noise: float, turn: Turn) -> Acquisition:
        """What is maximised for a member. Points that run count as observed at their means, but for Thompson
        samples, which differ in any case.
        """
        if self._options.acquisition == "thompson":
            return ThompsonSample.draw(member, turn.rng)
        domain = turn.domain
        believed = member.hallucinated(domain.embed(turn.running), typical_noise)
        if self._options.acquisition == "ucb":
            t = len(self._history) + len(turn.running) + 1
            return UpperConfidenceBound(believed, practical_beta(t, domain.dimension))
        contenders = np.vstack([self._best(turn, CONTENDERS), turn.running_there])
        mean, _ = believed.mean_and_variance(domain.embed(contenders))
        return LogExpectedImprovement(believed, float(mean.max()))
