"""What an Optimiser found by what it was told, and what it believes of the rest: questions of which no trial
comes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat

from orchestrator.algorithms.base import Algorithm, Insight, Problem, in_own_terms
from orchestrator.errors import UsageError
from orchestrator.numerics.floating_errors import numpys_own_errors
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Best, Recommended
from orchestrator.python_interface.asked_spread import Asked, spread_of
from orchestrator.python_interface.asking import Asking, now
from orchestrator.python_interface.attributes_elsewhere import SaysWhere
from orchestrator.python_interface.beside import said_of
from orchestrator.python_interface.clock import refuse_to_be_off
from orchestrator.python_interface.columns import Columns
from orchestrator.python_interface.differences import Compared, compared
from orchestrator.python_interface.found import Found, nothing_satisfies, target_of
from orchestrator.python_interface.kept import reduced
from orchestrator.python_interface.outcomes import refuse_unknown
from orchestrator.python_interface.pages import in_notebook, seen, write_page
from orchestrator.python_interface.places import BestThere, best_places
from orchestrator.python_interface.posterior import Posterior, posterior_of
from orchestrator.python_interface.prediction import Predicted, predicted_at
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.record import Record
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows
from orchestrator.python_interface.spread import Spread
from orchestrator.python_interface.stock import result_of
from orchestrator.python_interface.table import Rows
from orchestrator.python_interface.threshold import NO_BEST as NO_BEST_ABOVE
from orchestrator.python_interface.tolerance import Tolerance, tolerance_of
from orchestrator.python_interface.trials import Trials
from orchestrator.spec.checks.at_odds import Said, at_odds
from orchestrator.spec.results.roles import WEIGHS
from orchestrator.system.blas_threads import one_thread
from orchestrator.values.named import Values
from orchestrator.values.plain import copied, whole_number
from orchestrator.wanted_outcomes import WantedOutcomes

if TYPE_CHECKING:
    # A notebook completes no name of an object of which one property is, as it runs, a Literal.
    from orchestrator.objectives import Goal
    from orchestrator.python_interface.blocks import ToldBlocks
    from orchestrator.report.searches.kept_search import KeptSearch
    from orchestrator.sensitivity.analysis import Sensitivity


class Findings(SaysWhere):
    """The part of an `Optimiser` that answers. Threads may share one: their calls take turns."""

    _algorithm: Algorithm
    _name: str
    _options: Mapping[str, object]
    _reading: Reading
    _trials: Trials
    _found: Found
    _told_results: ToldResults
    _record: Record
    _turn: threading.Lock

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def __repr__(self) -> str:
        told = len(self._told_results.results)
        if self._found.front:
            found = f", front of {len(self._found.front)}"
        else:
            found = "" if self._found.best is None else f", best {self._found.best.value:g}"
        sought = self.goal if self._problem.threshold is None else f"above {self._problem.threshold:g}"
        count = len(self._space.names)
        over = f"{sought} over {count} parameter{'' if count == 1 else 's'} by {self._name}"
        pending = len(self._trials.pending)
        return f"<Optimiser: {over}; {told} results told, {pending} pending{found}>"

    @property
    def _problem(self) -> Problem:
        return self._reading.problem

    @property
    def _space(self) -> Space:
        return self._reading.space

    @property
    def _outcomes(self) -> WantedOutcomes | None:
        return self._reading.wanted

    @property
    def _sign(self) -> float:
        return self._reading.sign

    @contextmanager
    def _calculating(self) -> Iterator[None]:
        """The turn of one call, with the circumstances that its calculations need."""
        with self._turn, one_thread(), numpys_own_errors():
            yield

    @property
    def goal(self) -> Goal:
        """Of the value."""
        return "maximise" if self._sign > 0 else "minimise"

    @property
    def clock(self) -> str | None:
        """The parameter that is the time, if there is one."""
        return None if self._reading.clock is None else self._reading.clock.name

    @property
    def blocks(self) -> ToldBlocks:
        """Whether results come in blocks, or ``day`` where each day is one."""
        return self._reading.blocks

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The names of what is told beside the value, further objectives first."""
        return () if self._outcomes is None else self._outcomes.outcomes

    @property
    def told(self) -> int:
        """How many of the trials were told, failed ones among them."""
        return self._trials.told

    @property
    def spent(self) -> float:
        """What these cost together, in evaluations at full fidelity."""
        return self._trials.spent

    def best(self) -> Best:
        """The best value told of what satisfies the constraints; where results come in blocks with the one
        believed best without its offset, for which a refit that is due is computed first. Raises UsageError
        while there is none, where there are several objectives, and beside a clock.
        """
        self._refuse_several("best")
        if self._found.best is None:
            raise UsageError(self._reading.no_best)
        best = self._found.best.handed_out()
        if not self._problem.blocks:
            return best
        with self._calculating():
            return replace(best, believed=self._asking.believed(self._told_results))

    def reached(self, target: SupportsFloat) -> bool:
        """Whether the best value is at least as good as a target. Raises UsageError where no result is the
        best, as of several objectives, and for a target that is no finite number.
        """
        self._refuse_by_value("target")
        best, wanted = self._found.best, target_of(target)
        return best is not None and self._sign * (best.value - wanted) >= 0

    @property
    def since_best(self) -> float:
        """How many trials were told since the best one was, or the newest trade-off; all, while there is
        none. Beside a fidelity, what these cost. Raises UsageError where no result is the best.
        """
        self._refuse_by_value("patience")
        return self._found.since

    @property
    def nothing_satisfies(self) -> bool:
        """Whether values came, and all of them break constraints on outcomes."""
        return nothing_satisfies(self._told_results.results, self._reading)

    def front(self) -> InRows[Best]:
        """Of several objectives: what satisfies the constraints and is not beaten in all objectives by any
        other result, in the order told. Of one, the best, as far as there is one.
        """
        if self._outcomes is None or not self._outcomes.further:
            return InRows([] if self._found.best is None else [self._found.best.handed_out()])
        return InRows(best.handed_out() for _, best in self._found.front)

    def best_places(self, count: int) -> InRows[BestThere]:
        """The best results of at most ``count`` different places, the best first, as `orchestrator best
        --places` says them of a run: `BestThere`. One is of a place of its own where, on the straight line
        from it to a better one, there are parameters of which the value is believed worse than of both,
        nineteen times out of twenty, by a model of all that was told; or where a choice differs, as nothing
        lies between. Takes seconds, as `predict`.

        Raises UsageError where there are several objectives, none is the best, and as `sensitivity`.
        """
        self._refuse_several("best place")
        if self._found.best is None:
            raise UsageError(self._reading.no_best)
        with self._calculating():
            told, likely = self._told_results, self._algorithm.insight().believed_best
            believed = None if likely is None else result_of(likely.trial, told.results)
            standing = believed if believed is None or believed.stands else None
            return best_places(count, self._reading, told, standing)

    def results(self, *, value: str = "value") -> InRows[dict[str, Any]]:
        """All that was told, in order, as mappings for a data frame, a file, or another Optimiser's
        `learn_all`. What was only foreseen is not among it.
        """
        columns = self._columns(value)
        told = [one for one in list(self._told_results.results) if one.measured]
        return InRows(columns.rows(told, [copied(self._space.told_of(one.parameters)) for one in told]))

    def recommend(self, *, held: Mapping[str, object] | None = None) -> Recommended:
        """What is best by all that was told, as the model sees it, whether or not it was tried; ``held`` as
        for `ask`: what is best beside that. No trial comes of it. A refit that is due is computed first;
        where each condition has best settings of its own, models of all that was told are, as for `predict`.

        Raises UsageError before there is a model, for an algorithm that has none for this, and where there
        are several objectives or a threshold; SpecError for held ones that are wrong.
        """
        self._refuse_several("point to recommend")
        if self._problem.threshold is not None:
            raise UsageError(f"expected no `recommend()` beside `threshold`: {NO_BEST_ABOVE}")
        with self._calculating():
            return self._asking.recommended(held, self._told_results)

    def insight(self) -> Insight:
        """What the algorithm believes now: weights, decomposition, hyperparameters, and, where values are
        noisy and do not drift, which trial is best (-1: of what was known from elsewhere).
        """
        with self._calculating():
            found = in_own_terms(self._algorithm.insight(), self._sign)
            if self._reading.clock is not None:
                return replace(found, believed_best=None)
            if (best := found.believed_best) is None:
                return found
            return replace(found, believed_best=replace(best, trial=max(best.trial, -1)))

    def predict(self, points: Rows, outcome: str | None = None) -> InRows[Predicted]:
        """What is expected at points, in their order, by a model of all that was told, as
        `orchestrator predict` says it of a run: `Predicted`, or of one ``outcome`` alone. Takes seconds, and
        more in many parameters, unless it was asked before about the same results.

        ``points``: mappings of parameters, or one; what they leave out is as in the best result or, beside a
        clock, in what is believed best at the time of the last ask, and how closely to look, as at full
        fidelity. Or a data frame, or columns by name, one for each parameter. Where none says anything that
        varies in use, they are designs, and told is what these are worth over it. Raises UsageError for
        points that are wrong, and as `sensitivity`.
        """
        refuse_unknown(outcome, self.outcomes)
        with self._calculating():
            return predicted_at(points, self._best_known, self._reading, self._told_results, outcome)

    def compare(
        self, points: Rows, against: Mapping[str, object], outcome: str | None = None
    ) -> InRows[Compared]:
        """By how much points are believed to be better than another one, ``against``, and how likely they
        are, as `orchestrator compare` says it of a run: `Compared`, or of one ``outcome`` alone. By what
        models make of both points together, without noise: where the two err alike, it does not count. Of
        settings with a ``tolerance`` it is the averages that are compared.

        ``points``, and what they leave out, are as of `predict`, as is what it takes and raises; so is
        ``against``, a mapping.
        """
        refuse_unknown(outcome, self.outcomes)
        with self._calculating():
            best = self._best_known
            return compared(points, against, best, self._reading, self._told_results, outcome)

    def sensitivity(self, outcome: str | None = None) -> Sensitivity:
        """Which parameters matter for the value, for an ``outcome``, or for any other number that came with
        values, by a model of all that was told, and how far to believe it; as `orchestrator sensitivity` says
        it of a run. Profiles run through the best result or, beside a clock, what is believed best at the
        time of the last ask. Takes seconds, and more in many parameters.

        Raises UsageError for a name that there is not, and where fewer than four results have it.
        """
        refuse_unknown(outcome, (*self.outcomes, *self._told_results.numbers_beside))
        with self._calculating():
            best = self._best_known
            centre = None if best is None else self._space.encode(best)
            return self._told_results.sensitivity(self._problem, self._space.names, outcome, centre)

    def tolerance(self, off: Mapping[str, SupportsFloat] | None = None) -> Tolerance:
        """How good the best points are where parameters may be ``off`` by so much, as ``{"span": 0.5}``; left
        out, as their ``tolerance`` says; by a model of all that was told, as `orchestrator tolerance`
        says it of a run. Takes seconds.

        Raises UsageError for what cannot be off so, and where results are too few.
        """
        widths = self._space.tolerances if off is None else off
        refuse_to_be_off(self._reading.clock, widths)
        with self._calculating():
            return tolerance_of(
                self._problem,
                self._space,
                self._outcomes,
                self._told_results,
                widths,
                now(self._reading, self._trials, self._told_results),
            )

    def posterior(
        self, draws: int = 4000, *, prior: Mapping[str, object] | None = None, errors: str = "told"
    ) -> Posterior:
        """How well a `fit` determines its parameters, by a model of all that was told, as `orchestrator
        posterior` says it of a run: `Posterior`, with so many ``draws``. What the model does not know of
        outcomes counts beside the errors of the targets, which are taken as told; with ``errors="scaled"``
        all are larger by one factor that nobody knows. ``prior``: what is known beforehand of some
        parameters, as ``{"h0": {"mean": 67.4, "deviation": 0.5}}``, or None, in the place of what these have
        as theirs. Takes seconds.

        Raises UsageError where nothing is fitted, or a target has no error, for what cannot be known
        beforehand, and as `sensitivity`.
        """
        if (count := whole_number(draws)) is None or count < 1:
            raise UsageError(f"expected how many draws there are to be, 1 or more, got {draws!r}")
        with self._calculating():
            return posterior_of(self._reading, self._told_results, count, prior or {}, errors)

    def spread(
        self,
        at: Mapping[str, object] | None = None,
        *,
        prior: Mapping[str, object] | None = None,
        limits: Sequence[str] = (),
        outcomes: Sequence[str] | None = None,
        posterior: bool = False,
        errors: str = "told",
    ) -> Spread:
        """How the value and outcomes are spread where parameters are uncertain, by a model of all that was
        told, as `orchestrator spread` says it of a run: `Spread`. Uncertain are parameters with a ``prior``,
        a ``tolerance`` or ``in_use``, and those of which something is known as ``prior`` here says, as
        ``{"load": {"mean": 12, "deviation": 1.5}}``, `"evenly"` or None. What stands ``at`` settings is
        exact; all else is as of `predict`. ``limits``, as ``["stress <= 350"]``: how likely these are broken,
        besides the constraints on outcomes; the value is called `value`. ``outcomes``: of these alone. With
        ``posterior`` it is over what is plausible by a fit, whose ``errors`` are as `posterior` takes them.
        Takes seconds.

        Raises UsageError where nothing is uncertain, for what cannot be known and what there is not, and as
        `sensitivity`.
        """
        with self._calculating():
            asked = Asked.of(at or {}, prior or {}, limits, outcomes, posterior, errors)
            return spread_of(asked, self._best_known, self._reading, self._told_results)

    def report(self, path: str | Path, *, sensitivity: bool = False, posterior: bool = False) -> Path:
        """Write the page that `orchestrator report` writes of a run: the best point, how it came to that,
        values against each parameter, the best trials, what failed. With ``sensitivity`` also which
        parameters matter, and what is expected along each, by a model of the results, which takes seconds;
        with ``posterior`` which settings of a fit are plausible.

        Returns the path. Raises UsageError where it cannot be written, and OrchestratorError where results
        are too few for a model.
        """
        return write_page(self._seen, path, sensitivity=sensitivity, posterior=posterior)

    def _repr_html_(self) -> str | None:
        """For a notebook."""
        return in_notebook(self._seen)

    @property
    def _seen(self) -> KeptSearch:
        with self._turn:
            return seen(self._record)

    def _columns(self, value: str) -> Columns:
        is_composed = self._problem.composite is not None
        by = tuple(self._space.names[j] for j in self._problem.derivatives)
        told = self._problem.blocks, is_composed, by, self._learns_durations
        return Columns(self._space, self.outcomes, value, *told)

    @property
    def _learns_durations(self) -> bool:
        """Whether it is learned how long evaluations take, each of them the whole of it."""
        # Of one that went on, what it took is of the last part alone.
        fidelity = self._problem.fidelity
        learns_costs = self._reading.costs is not None and not (fidelity is not None and fidelity.continues)
        return learns_costs or self._options.get(WEIGHS) is True

    def _refuse_several(self, what: str) -> None:
        if self._outcomes is not None and self._outcomes.further:
            raise UsageError(f"there is no {what} of several objectives; `front()` has those that none beats")

    def _refuse_by_value(self, budget: Said) -> None:
        if self._found.drift:
            raise UsageError(self._reading.no_best)
        for _, sentence in at_odds(said_of(self._space, self._problem, self._outcomes), [budget]):
            raise UsageError(sentence)

    @property
    def _asking(self) -> Asking:
        return Asking(self._algorithm, self._name, self._reading, self._trials, self._record)

    @property
    def _best_known(self) -> Values | None:
        return self._asking.best_known(self._found, self._told_results)
