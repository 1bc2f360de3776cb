"""Add-GP-UCB: disjoint groups of parameters, each explored alone (Kandasamy, Schneider & Póczos 2015)."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from orchestrator.acquisition.factor_betas import theoretical_betas
from orchestrator.algorithms.additive.algorithm import Climbed
from orchestrator.algorithms.additive.belief import Belief
from orchestrator.algorithms.additive.factor_functions import FactorFunctions, mixed
from orchestrator.algorithms.additive.group_algorithm import GroupAlgorithm, climbed
from orchestrator.algorithms.additive.group_options import GroupOptions
from orchestrator.algorithms.base import Options, Problem
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.direct import Direct
from orchestrator.maximisers.factors.factor_objective import FactoredObjective
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


class AddGpUcbOptions(GroupOptions):
    """Options of ``add-gp-ucb``, and those of `GroupOptions`.

    ``maximiser`` of each group: gradients from many starts, or DIRECT with ``evaluations`` for each parameter
    of a group, which is slow where groups are large. ``deviations``: how those of M groups are put together
    under the practical schedule: as ``independent`` ones, each beta divided by M, or ``summed`` as in the
    paper.
    """

    deviations: Literal["independent", "summed"] = "independent"
    maximiser: Literal["multistart", "direct"] = "multistart"
    evaluations: int = Field(400, ge=10)

    def without_effect(self, problem: Problem) -> dict[str, str]:
        """See `Options.without_effect`."""
        given, found = self.model_fields_set, super().without_effect(problem)
        if "evaluations" in given and self.maximiser != "direct":
            found["evaluations"] = "only `maximiser: direct` has it"
        if problem.domain.ties is not None:
            together = "constraints tie parameters, which are then maximised over all at once"
            found |= {name: together for name in ("maximiser", "evaluations") if name in given}
        if "deviations" in given and self.beta == "theoretical":
            found["deviations"] = "only `beta: practical` has it"
        return found

    def _practical(self, t: int, graph: FactorGraph) -> FloatArray:
        betas = super()._practical(t, graph)
        return betas / graph.size if self.deviations == "independent" else betas


class AddGpUcb(GroupAlgorithm[AddGpUcbOptions]):
    """The function is taken for a sum over groups of parameters; each group's bound is maximised alone.

    1. For the first evaluations: the start design.
    2. Every N_cyc results: hyperparameters, and the best of D random groupings by evidence, or the known.
    3. For each group j: x^(j) = argmax mu^(j) + sqrt(beta) sigma^(j), with Eq. 5 the posterior of each group.
    4. Evaluate at all x^(j) put together, and learn.

    Source: Kandasamy et al. 2015, Algorithm 2 and section 4.4 (``refit_every`` is its N_cyc, 25).

    Deviations: the start design is a Sobol sequence. The kernel is a Matern one (``rbf`` is the paper's).
    Hyperparameters are maximum a posteriori, with weak priors that scale with the groups; they are learned
    from the start design on, where the paper explores at a bandwidth of 1e-5 for 25 evaluations, and there
    are earlier refits, on a schedule or as soon as results lie far from what was predicted (``early_refits:
    false`` for N_cyc alone). The t of beta counts the start design, after which the paper's begins.
    Length-scales may differ between parameters, and variances between groups, where the evidence says so
    (``length_scales: shared`` for the paper's), values with a heavy tail are warped likewise (``outputs:
    plain``), and noise is inferred or as reported. Last time's grouping competes with the random ones, and
    parameters of the best are tried in one another's groups, for among D random ones none is right
    (``exchanges: 0`` for the paper's). Groupings are weighed with their hyperparameters integrated out
    (Laplace), where the paper maximises over these too, by 150 results at most, hyperparameters fitted to
    300, in more than 40 parameters to 200; beyond 500 results a refit keeps 500. Under the practical schedule
    the M groups' deviations count as independent ones: by the inequality of Cauchy and Schwarz sum_j
    sqrt(beta_j / M) sigma^(j) is at most the root of sum_j beta_j sigma^(j)^2, where the paper's sum is up to
    sqrt(M) times that and, at these budgets, hardly leaves the corners in many dimensions (``deviations:
    summed`` for the paper's). Gradient ascent takes the place of DIRECT, as it is faster and as good in few
    dimensions; ``maximiser: direct`` is biased towards the best points (Gablonsky & Kelley 2001), which as a
    rule comes nearer in as few evaluations as the paper has. Of a group's deviation only what may change from
    the best point told counts, and a point at which the total is known too well to be the best is passed
    over, for the groups' bounds would ask for it again and again; one that may be better by a thousandth of
    the values' deviation at most is so at every other trial, with twice the exploration. A failed evaluation
    counts as an average result. Points that still run are believed to come out as predicted, group by group.
    Where parameters are tied to one another by constraints, the sum of the bounds is maximised over all of
    them at once. A point is not suggested twice.
    """

    name: ClassVar[str] = "add-gp-ucb"
    Options: ClassVar[type[Options]] = AddGpUcbOptions

    def _acquisition(self, belief: Belief, t: int) -> FactorFunctions:
        """The bounds of line 3."""
        options = self._options
        betas = options.betas(t, lambda graph: theoretical_betas(t, graph, options.failure))
        return mixed(belief.hypotheses, betas, coupled=False)

    def _maximise(
        self, acquisition: FactorFunctions, incumbents: FloatArray, rng: np.random.Generator
    ) -> Climbed:
        """The maximisers of line 3, put together (line 4)."""
        groups, domain = acquisition.graph.indices, self._searched(acquisition)

        def alone(j: int) -> FloatArray:
            group, own = acquisition.factors[j], groups[j]
            bound = FactoredObjective(FactorGraph.whole(len(own)), (group,))
            its = domain.alone(own)
            if self._options.maximiser == "direct":
                return Direct(self._options.evaluations * len(own)).maximise(bound, its).point
            return climbed(bound, its, incumbents[:, own], rng)

        point = self._put_together(acquisition.objective, groups, alone, domain, incumbents, rng)
        return Climbed(point, {}, acquisition.objective.values)
