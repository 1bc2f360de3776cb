"""Auto: a mixture over what a function may be like, searched everywhere and closely at once; the default."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import (
    AskKey,
    Gain,
    Insight,
    Observation,
    Options,
    Problem,
    Refit,
    Suggestion,
)
from orchestrator.algorithms.best_tried import best_tried_or, foremost_or, tells_its_best
from orchestrator.algorithms.exclusion import at_random
from orchestrator.algorithms.gaussian_process.believed_best import Believed
from orchestrator.algorithms.gaussian_process.chance_of_exact import chance_of_exact
from orchestrator.algorithms.mixture.auto_opening import AutoOpening
from orchestrator.algorithms.mixture.beside_a_clock import BEST_NOW, is_best_now, is_worth_its_loss
from orchestrator.algorithms.mixture.beside_chooser import BesideChooser
from orchestrator.algorithms.mixture.everywhere import DOUBT, everywhere, is_doubted
from orchestrator.algorithms.mixture.fidelity_chooser import FidelityChooser
from orchestrator.algorithms.mixture.front_ends import Tradable
from orchestrator.algorithms.mixture.ground import Ground, ground_of
from orchestrator.algorithms.mixture.leaning import Leaning
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.local_search import LocalSearch
from orchestrator.algorithms.mixture.mixture_search import MixtureSearch
from orchestrator.algorithms.mixture.notes import notes
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.mixture.proposal import Proposal, explained
from orchestrator.algorithms.mixture.taken_up import taken_up
from orchestrator.algorithms.mixture.trade_off_search import along_the_front, among_promised
from orchestrator.algorithms.mixture.wild_results import AGAIN, wild_among
from orchestrator.algorithms.remaining_gain import Foreseen, can_be_foreseen, is_learned, remaining_gain
from orchestrator.arrays import FloatArray
from orchestrator.numerics.rng import stream
from orchestrator.unit_cube.domain import Domain

# The region is not worth a trial that promises less than this part of what one elsewhere does.
LEAST_LOG_SHARE_OF_GAIN = math.log(1e-3)
# The part of a known number of trials that the region has for itself in the end.
LAST_SHARE = 0.1


class Auto(MixtureSearch):
    """What a function is like is learned as results arrive, and the search follows.

    1. The start design, until its results are told, or half of them where all the others run.
    2. Hypotheses: parameters that act all together (with or without a wide trend or a paraboloid under the
       detail, and with waves along each where the values show some), alone and in pairs, or in factors
       (learned, or known); a smooth kernel or a rough one; one length-scale or one for each parameter; values
       as they are, or with heavy tails drawn in, or as logarithms of what they lack of the best one, or of
       zero. Weighed by evidence as results arrive, and by predictive likelihood in between. Where nothing is
       told of noise, whether there is any is weighed as well; and where there is none, whether values have
       detail that the results are too few to resolve, which then counts as luck (`exact_or_noisy`).
    3. Everywhere: expected improvement of the mixture of those that stand well, climbed from random points,
       about the best ones, and from sweeps of the best one's coordinates over the leader's belief. Of up to
       three parameters, less at the edges, where half of what is learned lies outside. Once that is next to
       nothing, and values are not noisy, every other trial is for where it would be most if deviations were
       three times as large: models that are right about one hill may be wrong about the rest.
    4. In a region about the best point: expected improvement of a model of the results there alone, measured
       on their own scale, such as an expansion about its centre; where little of that is left beside
       those that run, the top of a function drawn from that model. The region grows with success and shrinks
       with failure; once exhausted, another one opens about the best point elsewhere.
    5. Which of the two a trial is for: in proportion to their recent success, a quarter each at the least.
       Above its quarter, and where what it promises is negligible, the region also has to promise a
       thousandth of what the rest does. Where the number of trials is known, its last tenth is the region's.

    Where values are noisy, points are judged by what the leading hypothesis believes of them: which are the
    best, where the region lies, what is a success. The best count as known to be as good as they are believed
    to be, so that improvement is looked for elsewhere than in their noise; outside the region, what a trial
    is expected to gain is what will be believed after it; and in the region all trials are tops of drawn
    functions, which tell its top from other points that are about as good.

    Where nothing is told of noise, results that look wild are measured again, and set aside where they do not
    come out so (`wild_results`).

    What a mixture's other shares leave is to all models one more number (`sums_seen`).

    Where there are constraints on outcomes, each slack has a Gaussian process of its own (`outcome_refit`):
    what improves counts for as much as it is likely to satisfy all of them, and functions are drawn together
    with slacks. While no result satisfies them, it looks where one is likeliest to.

    Where evaluations fail, models of values are told nothing of these: whether one succeeds has a Gaussian
    process of its own (`success_belief`), and what improves counts for as much as it is likely to succeed,
    to the fourth power (`acquisition.success`). Where it is not likelier than about a third, or half as
    likely as in the start design, nothing is tried while there is anything to gain elsewhere.

    Where durations are weighed, the logarithm of an evaluation's has a Gaussian process of its own
    (`duration_belief`), and what is expected of a point is divided by what it is expected to take. Tops of
    drawn functions, and where constraints on outcomes may be satisfied at all, are taken as they are.

    Where there are several objectives, the others have a Gaussian process each, as slacks have, and instead
    of lines 3 to 5 a trial is for where the front is expected to gain most hypervolume, by the mixture and by
    them (`trade_off_search`).

    Where parameters are held, there is line 3 alone: all of that part is searched, for improvement over what
    is believed best there (`mixture.ground`). Its results say nothing of the region unless they are better,
    and nothing of which values are penalties. Where what is held is a clock, the point that promises most is
    tried if that is worth it in the trials that follow, else the one believed best now (`beside_a_clock`).

    Where an evaluation may look less closely for less, lines 3 and 4 look for what is best at full fidelity.
    The region's trials are at full fidelity, and the last of a budget; those of line 3 look less closely
    where that tells more for its cost (`fidelity_chooser`). What it costs may be learned (`learned_costs`).
    Where it may go on from what a less close look at the same settings left, those are weighed as well, by
    what they promise for the rest of the cost (`taken_up`).

    Where settings are off, the average over what comes out is to be best, and line 3 alone looks for it: what
    is believed of averages is as normal as what is of values, and the best points told are those of which
    most is believed on average. That they may be better still can be found out beside them. The point that
    promises most is evaluated as set, or where it may come out if that tells more of its average, much more
    in the last tenth of a known number of trials (`beside_chooser`). What is recommended has the highest mean
    less a deviation: how good the average about a narrow top is can be believed before it is known
    (`lower_bound`). No hypothesis sees values through a warp.

    Where results come in blocks, values of a block covary by the variance of their offsets more than the
    function says, in every hypothesis and in the region; how much that is has an evidence of its own
    (`offset_variance`). All that is said of the function is without offsets; values count as noisy, and are
    seen through no warp.

    Where there are results of related experiments, the mean of a process that was told those is a function
    that is known (`related_experiments`), and further hypotheses say that this one is multiples of such, of
    either sign, and something smooth besides. They are weighed against the others, so that what misleads
    loses its say. Half as many points are spread first, if nobody said how many, and every other trial
    of these, for a while, is where a related experiment was best (`related_start`). The region does without.

    Where a person believes that good settings lie (`Problem.hunch`), it begins there, with half of the start
    design (`promising_design`), and what line 3 maximises is weighed by that, the less the more results there
    are (`leaning`). The region is not.

    Source: ours. The mixture by evidence is that of Lu et al. 2022 (Eqs. 7 and 10) over the
    decompositions of Bardou et al. 2024; pairs after Duvenaud et al. 2011; paraboloids under a process
    after Sacks et al. 1989; waves as in the spectral mixtures of Wilson & Adams 2013; doubt after
    Bogunovic & Krause 2021; the region after Eriksson et al. 2019, beside a global search as in Diouane
    et al. 2022; length-scale priors that grow with the dimension after Hvarfner et al. 2024; the
    logarithm of EI after Ament et al. 2023; the best points' values conditioned on, in noise, after
    Letham et al. 2019 (who draw them), and what will be believed after Picheny et al. 2013; EI times the
    probability of feasibility after Schonlau et al. 1998, with drawn slacks as in Eriksson & Poloczek
    2021; the point before its fidelity after Kandasamy et al. 2017; the expected hypervolume improvement
    after Emmerich et al. 2016, by its logarithm; success by probit classification after Rasmussen &
    Williams 2006, Chapter 3, and Gelbart et al. 2014; improvement for its time after Snoek et al. 2012; what
    a trial is, beside what it teaches, after Ryzhov et al. 2012; offsets as random effects after Henderson
    1975; multiples of what a related experiment found after Kennedy & O'Hagan 2000;
    beliefs in where the best lies after Hvarfner et al. 2022 ("piBO").

    Deviations: a hundredth of a belief in each parameter says nothing, where piBO adds 1e-12 to its density.
    What runs is believed to come out as predicted. A failed evaluation counts as a failure of the
    region; a value that looks like a penalty for one is one (`penalties`). Beyond 600 results the global
    models hold the best quarter of that number and a draw of the rest, anew at each refit; of noisy ones a
    draw of all, of 5,000 where noise hides what random features cannot express. The region's holds the
    nearest, 200 at most. Outcomes count as exact
    where the objective is; else their noise is inferred. A point is not suggested twice.
    """

    name: ClassVar[str] = "auto"
    purpose: ClassVar[str] = "auto"
    Options: ClassVar[type[Options]] = AutoOptions

    def __init__(self, problem: Problem, options: AutoOptions) -> None:
        super().__init__(problem, options)
        problem = self._problem
        self._sought = problem.sought
        self._fidelity = FidelityChooser.of(problem, self._history)
        self._opening = AutoOpening(
            problem, self._history, self._opening.points, sought=self._sought, fidelity=self._fidelity
        )
        self._beside = None if problem.off is None else BesideChooser(problem.off)
        self._local = LocalSearch(problem, self._history)
        self._is_full_asked = False

    def ask(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        """See `Algorithm`. Before the first refit is adopted: the start design, if need be on and on."""
        # In turns full fidelity is held as well where it is only what a point is chosen for.
        self._is_full_asked = self._fidelity is not None and self._fidelity.is_full_in(key.within)
        return super().ask(n, pending, key)

    def tell(self, observations: Sequence[Observation]) -> None:
        """See `Algorithm`. O(n^2) for each, times the number of members."""
        for observation in observations:
            super().tell([observation])
            if self._fidelity is not None:
                self._fidelity.learn(observation)
            self._local.follow(len(self._history) - 1, self._believed, held=observation.held)

    def compute_refit(self, number: int) -> Refit:
        """See `Algorithm`."""
        region = self._local.region_to_model(self._believed) if self._looks_closely else None
        refit = replace(self._refit(number), region=region, region_number=self._local.exhausted)
        payload = refit.compute()
        wild = wild_among(self._problem, self._history, payload, refit.standing.wild)
        return Refit(number, len(self._history), {**payload, **wild.payload})

    def remaining_gain(self) -> Gain | None:
        """See `ForeseesGain`. By those members that see the values as the leader does, over the point of the
        highest value, and as evaluations are likely to succeed. None before the start design is told, and
        while it cannot be foreseen; so too where the leader sees detail that it does not resolve: how high
        that goes is anybody's guess, as it is where no more than a scale is known of it (`is_learned`). Nor
        where settings are off, and the highest value may not be the best.
        """
        foreseeable = can_be_foreseen(self._history, self._problem.domain)
        if self._fidelity is not None and not self._history.satisfied:
            return None
        if self._learned is None or not foreseeable or self._beside is not None:
            return None
        foreseen = Foreseen.by(self._learned.belief, self._learned.success)
        if foreseen is None:
            return None
        draws = remaining_gain(
            foreseen,
            self._sought,
            self._history.best(1),
            stream(self._problem.seed, "auto remaining gain", self._learned.refit.number),
        )
        known = is_learned(draws, foreseen.scale, self._history.values)
        return Gain(draws, len(self._history)) if known else None

    def recommend(self, within: Domain | None) -> Suggestion | None:
        """See `Recommends`. By the leader of the mixture; where settings are off, by its lower bound. Where
        values are exact, and of all that is sought, the best one told unless another is surely better; where
        they look noisy, and nothing else says so, the one that is foremost by its value and by belief.
        """
        if self._learned is None:
            return None
        rng = stream(self._problem.seed, "auto recommendation", self._learned.refit.number)
        domain = self._within(within) or self._problem.domain
        found = self._learned.recommended(domain, rng)
        if within is not None or not tells_its_best(self._problem):
            return found
        predicted = self._learned.predicted
        if self._believed is not None:
            exact = chance_of_exact(self._problem, self._history)
            row = self._learned.contenders.foremost(exact) if exact else None
            return foremost_or(found, row, self._history, domain, exact, predicted)
        return best_tried_or(found, self._history, domain, self._problem.noise, predicted)

    def insight(self) -> Insight:
        """See `Algorithm`. The region's hyperparameters are among them."""
        told = super().insight()
        return told if self._fidelity is None else replace(told, notes=[*told.notes, *self._fidelity.notes])

    def _insight(self, learned: Learned, more: Sequence[str]) -> Insight:
        told = learned.insight([*notes(learned, self._local), *more])
        return replace(told, hyperparameters={**told.hyperparameters, **self._local.hyperparameters})

    def _suggest(self, turn: Turn) -> Suggestion:
        """And from which earlier trial an evaluation goes on."""
        chosen = super()._suggest(turn)
        return chosen if self._fidelity is None else self._fidelity.going_on(chosen)

    def _chosen(self, learned: Learned, turn: Turn) -> Suggestion:
        new = self._new(learned, turn)
        if self._fidelity is None or self._fidelity.begun is None:
            return new
        ground = ground_of(turn, self._sought, learned.contenders)
        return taken_up(new, self._fidelity, learned, turn, ground, full=self._is_full_due(turn))

    def _new(self, learned: Learned, turn: Turn) -> Suggestion:
        """One that need not go on from any other."""
        if self._fidelity is not None and not self._is_full_due(turn):
            chosen = self._choose(learned, turn, closely=False)
            if is_best_now(chosen):
                return chosen
            lowered = self._fidelity.lowered(chosen, learned.belief, turn.running, learned.further)
            if lowered is not chosen:
                return lowered
        if self._beside is not None:
            chosen = self._choose(learned, turn, closely=False)
            values, averages = learned.belief, learned.sought
            return self._beside.moved(chosen, values, averages, turn, ending=self._ending(turn))
        # The region's trials are all at full fidelity.
        return self._choose(learned, turn, closely=turn.domain is self._sought)

    def _choose(self, learned: Learned, turn: Turn, *, closely: bool) -> Suggestion:
        """Lines 3 to 5; or, of several objectives, along their front."""
        domain, trial, belief = turn.domain, turn.trial, learned.sought
        contenders = learned.contenders
        leaning = Leaning.of(self._problem, len(self._history))
        ground = replace(ground_of(turn, self._sought, contenders), leaning=leaning)
        if (further := learned.further) is not None:
            told = Tradable.among(self._history, further, self._problem.domain, contenders.believed)
            if len(told.points):
                if self._fidelity is not None and domain is self._sought:
                    cheap = Tradable.promised(domain, self._history, further, contenders.expected)
                    ground = among_promised(ground, cheap)
                elif turn.is_held:
                    told = told.where_held(domain, further, contenders.expected)
                found = along_the_front(belief, further, told, ground)
                return found or at_random(domain, turn.exclusion, turn.rng)
        if closely and (again := learned.standing.wild.place(self._history, turn)) is not None:
            return explained(belief.leader, ground, again, {"search": AGAIN})
        near, ending = None, self._ending(turn)
        number = trial if self._fidelity is None else self._fidelity.at_full(turn.running)
        if closely and (ending or self._local.is_chosen(number)):
            near = self._local.proposal(ground)
            if near is not None and (ending or self._local.is_owed(near, number)):
                return near.suggestion
        far = everywhere(belief, ground)
        if far is not None and is_doubted(far, ground, self._history.above_median, trial):
            far = everywhere(belief, ground, doubt=DOUBT) or far
        if near is not None and (far is None or near.log_gain > far.log_gain + LEAST_LOG_SHARE_OF_GAIN):
            return near.suggestion
        if far is None:
            return at_random(domain, turn.exclusion, turn.rng)
        return self._best_now(turn, far, ground) or far.suggestion

    def _best_now(self, turn: Turn, found: Proposal, ground: Ground) -> Suggestion | None:
        """Beside a clock: the point believed best now, where another is not worth what is lost by it."""
        if self._problem.clock is None or not ground.satisfied:
            return None
        best, trials = self.recommend(turn.domain), self._problem.trials
        left = None if trials is None or turn.trial >= trials else trials - turn.trial - 1
        if (
            best is None
            or is_worth_its_loss(found, best, left)
            or not turn.exclusion.allows(best.point[None, :])[0]
        ):
            return None
        return replace(best, why={**best.why, "search": BEST_NOW})

    def _ending(self, turn: Turn) -> bool:
        """Whether a trial is among the last: what is found elsewhere now cannot be followed."""
        trials = self._problem.trials
        # A run whose budget was raised has trials beyond the number that was known.
        if trials is not None and (1.0 - LAST_SHARE) * trials <= turn.trial < trials:
            return True
        return self._fidelity is not None and self._fidelity.is_ending(turn.running, LAST_SHARE)

    def _within(self, part: Domain | None) -> Domain | None:
        """The part of the domain that points are chosen from for what they promise; None: from all of it."""
        part = super()._within(part)
        if self._fidelity is None:
            return part
        return self._sought if part is None else self._fidelity.within(part)

    def _is_full_due(self, turn: Turn) -> bool:
        """Whether a trial has to be at full fidelity, where there is a choice."""
        if self._fidelity is None:
            return False
        return self._is_full_asked or self._ending(turn) or self._fidelity.is_owed(turn.running)

    def _begin_from(self, refit: Refit) -> None:
        self._local.adopt(refit.payload, self._believed)

    def _learn(self, row: int) -> None:
        """And into the region's model."""
        super()._learn(row)
        if self._learned is not None:
            self._local.learn(row)

    @property
    def _looks_closely(self) -> bool:
        """About the best point there is a region; of several objectives none is the best, of averages a
        region says little, and beside a clock all trials are of a time that is held.
        """
        anywhere = self._beside is None and self._problem.clock is None
        return anywhere and not self._problem.further_objectives

    @property
    def _believed(self) -> Believed:
        """By what points are judged if values are noisy, or settings off."""
        return None if self._learned is None else self._learned.contenders.believed
