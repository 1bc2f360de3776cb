"""The heavy part of a refit of `auto`: hypotheses weighed, structure searched, a local model fitted.

All hypotheses are reviewed when the results have grown by half, and those not out of the question weighed
when they have grown by a sixth; in between only the likeliest are fitted anew. What is written are JSON
values, from which `auto` makes its belief again to the bit.

Notation: D parameters, n results.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.believed_best import noisy
from orchestrator.algorithms.candidate_warps import candidate_warps
from orchestrator.algorithms.history import History
from orchestrator.algorithms.hypotheses import Found, Hypothesis, hypotheses, probabilities
from orchestrator.algorithms.hypothesis_fitter import (
    AFRESH,
    AGAIN,
    AT_A_GLANCE,
    LARGEST_FITTED,
    Effort,
    HypothesisFitter,
)
from orchestrator.algorithms.mixture_belief import Results
from orchestrator.algorithms.search_region import SearchRegion
from orchestrator.algorithms.structure_search import PartitionChain
from orchestrator.numerics.linalg import FactorisationError
from orchestrator.numerics.rng import stream
from orchestrator.surrogates.additive_fit import AdditiveSearch, DecompositionEvidence
from orchestrator.surrogates.evidence import Data
from orchestrator.surrogates.factor_graph import Decomposition, FactorGraph, canonical
from orchestrator.surrogates.feature_member import APPROXIMATION_VARIANCES, FeatureMember, draw_features
from orchestrator.surrogates.fit import subsample
from orchestrator.surrogates.hyperparameters import Hyperparameters
from orchestrator.surrogates.random_features import FourierFeatures
from orchestrator.surrogates.standardise import Standardisation
from orchestrator.surrogates.warp import Warp

FloatArray = NDArray[np.float64]

# Which results the global models hold: the best quarter and a draw of the rest, anew at each refit.
LARGEST, LARGEST_IN_FEATURES = 600, 5000
FREQUENCIES = 200
# When hypotheses are reviewed, and when weighed.
GROWTH_TO_REVIEW = 1.5
SHARE_OF_GROWTH = 6
FEWEST_BETWEEN_WEIGHINGS = 5
# Log odds against the likeliest, below which a hypothesis waits for the next review.
OUT_OF_THE_QUESTION = -10.0
# Of more results than so many, hypotheses are first looked at through a few, and the likeliest then fitted.
MOST_WEIGHED_IN_FULL, GLANCED_AT = 200, 100
MOST_AFTER_A_GLANCE, AFTER_A_GLANCE = 6, Effort(1, 25)
# Which of them are members, and which are fitted between weighings.
MOST_MEMBERS, LEAST_WEIGHT = 3, 0.05
MOST_CANDIDATES, LEAST_CANDIDATE = 4, 1e-3
# Looking for a decomposition.
FEWEST_PARAMETERS, MOST_PARAMETERS = 3, 60
FEWEST_RESULTS = 20
FEW_POSITIONS = 10
LARGEST_SEARCHED = 120
MANY_PARAMETERS = 30
EVIDENCES, EVIDENCES_OF_MANY = 30, 15
# What warps are weighed by.
WARPED = Hypothesis("joint", "matern-5/2", True, True)
WARP_ITERATIONS = 15
# The local model: of half as many results again as a paraboloid has coefficients.
NEIGHBOURS, NEIGHBOURS_A_COEFFICIENT = 30, 1.5
MOST_LOCAL = 200
LOCAL = tuple(
    replace(hypothesis, warped=warped)
    for warped in (False, True)
    for hypothesis in (
        Hypothesis("joint", "rbf", False, False),
        Hypothesis("joint", "matern-5/2", False, False),
        Hypothesis("joint", "rbf", True, False),
        Hypothesis("pairs", "rbf", True, False),
    )
)


@dataclass(frozen=True)
class Standing:
    """What the last refit left: what it was made from, and where to go on."""

    candidates: tuple[Found, ...] = ()
    factors: Decomposition | None = None
    weighed: int = 0
    reviewed: int = 0
    warp: Warp | None = None
    considered: tuple[tuple[str, float], ...] = ()
    local: tuple[Found, ...] = ()

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> Standing:
        """From what `AutoRefit.payload` made."""
        local = payload["local"]
        return cls(
            tuple(Found.from_json(found) for found in payload["candidates"]),
            None if payload["factors"] is None else canonical(payload["factors"]),
            payload["weighed"],
            payload["reviewed"],
            None if payload["warp"] is None else Warp.from_json(payload["warp"]),
            tuple((str(name), float(odds)) for name, odds in payload["considered"]),
            () if local is None else (Found.from_json(local["found"]),),
        )

    def noisy(self, problem: Problem) -> bool:
        """Whether a problem's values are noisy, as far as is known, or was found last time."""
        return noisy(problem, self.candidates[0].noise_variance if self.candidates else None)


@dataclass(frozen=True, eq=False)
class AutoRefit:
    """One refit. ``region`` is where the local model is to be, if anywhere; ``designed`` how many results
    came from the start design; ``standing`` what the last refit left.
    """

    problem: Problem
    history: History
    number: int
    region: SearchRegion | None
    region_number: int
    designed: int
    standing: Standing = field(default_factory=Standing)

    def payload(self) -> Mapping[str, Any]:
        """What `auto` makes its belief from. Needs one success at least."""
        noisy = self.standing.noisy(self.problem)
        kept = Kept(self.problem, self.history, self.number, len(self.history), noisy)
        told = kept.by_exact_models
        if noisy:
            # The highest of noisy values were lucky: fits see some, without regard to their height.
            told = kept.without_preference(LARGEST_FITTED)
        standing, told_by_now = self.standing, len(self.history)
        review = not standing.candidates or told_by_now >= GROWTH_TO_REVIEW * standing.reviewed
        due = max(FEWEST_BETWEEN_WEIGHINGS, told_by_now // SHARE_OF_GROWTH)
        weighing = review or told_by_now - standing.weighed >= due
        warp = self._likeliest_warp(told) if weighing else standing.warp
        scales = _scales(told, warp)
        fitters = {warped: self._fitter(told, scale) for warped, scale in scales.items()}
        possible = [c for c in standing.candidates if c.hypothesis.warped in scales]
        factors, considered = standing.factors, standing.considered
        if weighing:
            if review or any(candidate.factors for candidate in possible):
                factors = self._factors(fitters)
            asked = every = hypotheses(self.problem.domain.dimension, factors is not None, True in scales)
            if not review:
                near = {name for name, odds in considered if odds > OUT_OF_THE_QUESTION}
                asked = [hypothesis for hypothesis in every if hypothesis.name in near]
            found = self._with_waves(fitters, self._weighed(fitters, asked, factors, possible), possible)
            if not found:
                # The only ones near rested on a warp that is gone.
                found = self._weighed(fitters, every, factors, possible)
            highest = found[0].log_probability
            considered = tuple((f.hypothesis.name, f.log_probability - highest) for f in found)
        else:
            again = [candidate.hypothesis for candidate in possible]
            found = self._fitted(fitters, again, factors, possible, AGAIN)
        weights = probabilities(found)
        best = found[:MOST_CANDIDATES]
        candidates = [f for i, f in enumerate(best) if i < 2 or weights[i] > LEAST_CANDIDATE]
        members = sum(bool(w > LEAST_WEIGHT) for w in weights[:MOST_MEMBERS])
        return {
            "scales": [[warped, scale.to_json()] for warped, scale in scales.items()],
            "candidates": [f.to_json() for f in candidates],
            "noisy": noisy,
            "members": members,
            "approximations": [self._approximation(f, fitters) for f in candidates[:members]],
            "factors": None if factors is None else [list(factor) for factor in factors],
            "warp": None if warp is None else warp.to_json(),
            "weighed": told_by_now if weighing else standing.weighed,
            "reviewed": told_by_now if review else standing.reviewed,
            "considered": [[name, odds] for name, odds in considered],
            "region": self.region_number,
            "local": self._local(weighing),
        }

    def _likeliest_warp(self, told: Results) -> Warp | None:
        """By the evidence of a model that is cheap to fit; None if there is none to choose from."""
        values = self.history.values[~np.isnan(self.history.values)]
        D = self.problem.domain.dimension
        whole = FactorGraph((tuple(range(D)),), D)

        def evidence(warp: Warp) -> float:
            scale = Standardisation.under(warp, told.values[~np.isnan(told.values)])
            fitter = self._fitter(told, scale)
            fit = fitter.additive(WARPED, LARGEST_SEARCHED).fit(whole, AdditiveSearch(1, WARP_ITERATIONS))
            return fit.log_marginal + min(len(told.values), LARGEST_SEARCHED) * fitter.log_slope

        return max(candidate_warps(values, self.designed), key=evidence, default=None)

    def _fitter(self, told: Results, scale: Standardisation) -> HypothesisFitter:
        values = told.values[~np.isnan(told.values)]
        slopes = np.ones(len(values)) if scale.warp is None else scale.warp.slope(values)
        noise = None if self.problem.noise.kind == "unknown" else 0.0
        y, extra = told.standardised(scale)
        data = Data(told.X, y, self.problem.domain.embedded_parameter, extra)
        # Two numbers of a warp are fitted: by BIC it must have log n more evidence than none.
        log_prior = 0.0 if scale.warp is None else -math.log(len(values))
        return HypothesisFitter(data, float(np.log(slopes / scale.scale).mean()), noise, log_prior)

    def _weighed(
        self,
        fitters: Mapping[bool, HypothesisFitter],
        asked: Sequence[Hypothesis],
        factors: Decomposition | None,
        before: Sequence[Found],
    ) -> list[Found]:
        """The most probable first. Of many results a few, at a glance, rule most hypotheses out."""
        if len(self.history) <= MOST_WEIGHED_IN_FULL or not asked:
            return self._fitted(fitters, asked, factors, before)
        glances = {warped: fitter.thinned(GLANCED_AT) for warped, fitter in fitters.items()}
        seen = self._fitted(glances, asked, factors, before, AT_A_GLANCE)
        near = [f for f in seen if f.log_probability - seen[0].log_probability > OUT_OF_THE_QUESTION]
        near = near[:MOST_AFTER_A_GLANCE]
        return self._fitted(fitters, [f.hypothesis for f in near], factors, near, AFTER_A_GLANCE)

    def _with_waves(
        self, fitters: Mapping[bool, HypothesisFitter], found: Sequence[Found], before: Sequence[Found]
    ) -> list[Found]:
        """What was weighed, and waves upon the likeliest trend of either scale. The most probable first."""
        both = list(found)
        for warped, fitter in fitters.items():
            trends = [f for f in found if f.hypothesis.form == "trend" and f.hypothesis.warped is warped]
            warm = [f for f in before if f.hypothesis.form == "waves" and f.hypothesis.warped is warped]
            try:
                if trends:
                    both += fitter.waves_upon(trends, warm[:1], AFTER_A_GLANCE)
                else:
                    both += [fitter.fit(f.hypothesis, None, f, AGAIN) for f in warm[:1]]
            except FactorisationError:
                continue
        return sorted(both, key=lambda f: -f.log_probability)

    def _fitted(
        self,
        fitters: Mapping[bool, HypothesisFitter],
        asked: Sequence[Hypothesis],
        factors: Decomposition | None,
        before: Sequence[Found],
        effort: Effort = AFRESH,
    ) -> list[Found]:
        """The most probable first. What cannot be factorised is left out, unless that is all."""
        warm = {found.hypothesis: found for found in before}
        found, failure = [], None
        for hypothesis in asked:
            try:
                fitter = fitters[hypothesis.warped]
                found.append(fitter.fit(hypothesis, factors, warm.get(hypothesis), effort))
            except FactorisationError as error:
                failure = error
        if not found and failure is not None:
            raise failure
        return sorted(found, key=lambda f: -f.log_probability)

    def _approximation(self, found: Found, fitters: Mapping[bool, HypothesisFitter]) -> float | None:
        """The noise that random features would add to a member, where its values' own noise hides that and
        there are more results than an exact model holds; else None.
        """
        own = found.hyperparameters
        if len(self.history) <= LARGEST or not isinstance(own, Hyperparameters):
            return None
        data = fitters[found.hypothesis.warped].data
        noise = own.noise_variance + float(
            np.median(data.extra_noise if data.extra_noise is not None else 0.0)
        )
        if noise <= APPROXIMATION_VARIANCES[0]:
            return None
        features = member_features(self.problem, self.number, found)
        variance = FeatureMember.fitted(own, features, data).approximation_variance
        return variance if variance <= noise else None

    def _factors(self, fitters: Mapping[bool, HypothesisFitter]) -> Decomposition | None:
        """The decomposition that is known, or the most probable one found by the kernel that leads."""
        D = self.problem.domain.dimension
        if self.problem.factors is not None:
            return canonical(self.problem.factors)
        if not FEWEST_PARAMETERS <= D <= MOST_PARAMETERS or len(self.history) < FEWEST_RESULTS:
            return None
        # Where every parameter has a few values only, a sum of tables determines some values by others. Taken
        # for certain they are never tried, and so a decomposition that is wrong is never found out.
        if all(0 < len(c.positions) <= FEW_POSITIONS for c in self.problem.domain.coordinates):
            return None
        leader = self.standing.candidates[0].hypothesis if self.standing.candidates else LOCAL[0]
        fitter = fitters.get(leader.warped, fitters[False])
        kernel = Hypothesis("factors", leader.family_name, False, leader.warped)
        evidence = DecompositionEvidence(
            fitter.additive(kernel, LARGEST_SEARCHED), D, AdditiveSearch(starts=1, iterations=20)
        )
        before = [] if self.standing.factors is None else [self.standing.factors]
        many = D > MANY_PARAMETERS or len(self.history) > MOST_WEIGHED_IN_FULL
        budget = EVIDENCES_OF_MANY if many else EVIDENCES
        rng = stream(self.problem.seed, "auto decompositions", self.number)
        found = PartitionChain(D, None, budget).search(evidence, before, rng).log_posteriors
        split = {state: value for state, value in found.items() if len(state) > 1}
        return max(split, key=lambda state: (split[state], state)) if split else None

    def _local(self, weighing: bool) -> dict[str, Any] | None:
        """A model of the results in the region, and of as many near by as it takes.

        Of the kind that it was, if that is still possible, but where all are weighed. Waves that lead
        everywhere are among them.
        """
        if self.region is None:
            return None
        region, history = self.region, self.history
        successes = np.flatnonzero(~np.isnan(history.values))
        distances = (np.abs(history.points[successes] - region.centre) / region.proportions).max(axis=1)
        order = np.argsort(distances, kind="stable")
        D = self.problem.domain.dimension
        least = max(NEIGHBOURS, math.ceil(NEIGHBOURS_A_COEFFICIENT * (D + 1) * (D + 2) / 2))
        count = min(max(least, int((distances <= region.length).sum())), MOST_LOCAL)
        rows = np.sort(successes[order[:count]])
        told = results(self.problem, history, rows)
        scales = _scales(told, Warp.fitted(told.values))
        fitters = {warped: self._fitter(told, scale) for warped, scale in scales.items()}
        possible = [h for h in LOCAL if h.warped in scales and (D > 1 or not h.shared)]
        waves = self._waves_near(fitters)
        last = self.standing.local
        near: list[Found] = []
        if not last or weighing or not (waves or last[0].hypothesis in possible):
            near = self._weighed(fitters, possible, None, last)
        elif last[0].hypothesis in possible:
            near = self._fitted(fitters, [last[0].hypothesis], None, last, AGAIN)
        best = max([*near, *waves], key=lambda found: found.log_probability)
        scale = scales[best.hypothesis.warped]
        return {"found": best.to_json(), "scale": scale.to_json(), "rows": [int(row) for row in rows]}

    def _waves_near(self, fitters: Mapping[bool, HypothesisFitter]) -> list[Found]:
        """The waves that lead everywhere, as the results near by show them; none if none lead."""
        leader = self.standing.candidates[0] if self.standing.candidates else None
        if leader is None or leader.hypothesis.form != "waves" or leader.hypothesis.warped not in fitters:
            return []
        here = [f for f in self.standing.local if f.hypothesis == leader.hypothesis]
        warm = here[0] if here else leader
        try:
            return [fitters[warm.hypothesis.warped].fit(warm.hypothesis, None, warm, AFTER_A_GLANCE)]
        except FactorisationError:
            return []


def _scales(told: Results, warp: Warp | None) -> dict[bool, Standardisation]:
    """By whether heavy tails are drawn in, where they can be."""
    values = told.values[~np.isnan(told.values)]
    scales = {False: Standardisation.of(values)}
    if warp is not None:
        scales[True] = Standardisation.under(warp, values)
    return scales


@dataclass(frozen=True, eq=False)
class Kept:
    """The results that the global models of a refit hold, of the first ``told``."""

    problem: Problem
    history: History
    number: int
    told: int
    noisy: bool

    @cached_property
    def by_exact_models(self) -> Results:
        """600 of them at most."""
        return self._drawn(LARGEST)

    @cached_property
    def by_features(self) -> Results:
        """5,000 of them at most."""
        return self._drawn(LARGEST_IN_FEATURES)

    def without_preference(self, count: int) -> Results:
        """So many of them at most, whatever their values."""
        rows = np.arange(self.told)
        if self.told > count:
            rng = stream(self.problem.seed, "auto results drawn", self.number, count)
            rows = np.sort(rng.choice(self.told, size=count, replace=False))
            if np.isnan(self.history.values[rows]).all():
                # Where next to all evaluations fail, one that did not, so that there is a scale.
                rows[0] = np.flatnonzero(~np.isnan(self.history.values[: self.told]))[0]
        return results(self.problem, self.history, rows)

    def _drawn(self, count: int) -> Results:
        if self.noisy:
            return self.without_preference(count)
        values = self.history.values[: self.told]
        rows = np.arange(self.told)
        if self.told > count:
            numbered = Data(
                rows[:, None].astype(float),
                np.where(np.isnan(values), -np.inf, values),
                np.zeros(1, dtype=np.intp),
            )
            rng = stream(self.problem.seed, "auto results kept", self.number, count)
            rows = subsample(numbered, count, rng).X[:, 0].astype(np.intp)
        return results(self.problem, self.history, rows)


def member_features(problem: Problem, number: int, found: Found) -> FourierFeatures:
    """The frequencies of a joint hypothesis at a refit."""
    own = found.hyperparameters
    assert isinstance(own, Hyperparameters)
    rng = stream(problem.seed, f"auto frequencies of {found.hypothesis.name}", number)
    return draw_features(own, found.hypothesis.family, problem.domain.embedded_parameter, FREQUENCIES, rng)


def results(problem: Problem, history: History, rows: Sequence[int] | NDArray[np.intp]) -> Results:
    """Some of what was told."""
    which = np.asarray(rows, dtype=np.intp)
    variances = history.variances[which]
    if problem.noise.kind == "known":
        variances = np.full(len(which), problem.noise.standard_deviation**2)
    return Results(problem.domain.embed(history.points[which]), history.values[which], variances)
