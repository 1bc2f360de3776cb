"""What a person amends of a run that has begun, from the request to the events that it causes.

The spec stays as it was given: what is amended follows from the journal, and `amended` shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.added_candidates import listed_by_now
from orchestrator.runtime.requests.added_points import checked_points, points_words
from orchestrator.runtime.requests.amended_constraints import (
    broken_by_trials,
    check_constraints,
    on_outcomes,
    so_already,
)
from orchestrator.runtime.requests.amended_in_words import (
    bounds_sentence,
    constraints_sentence,
    held_sentence,
)
from orchestrator.runtime.requests.amended_jobs import jobs_told
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amended_values import results_valued, values_told
from orchestrator.runtime.requests.amendment_checks import (
    check_block,
    check_budgets,
    check_forgotten,
    check_held,
    check_reach,
    check_results,
    check_space,
    forgotten_before,
)
from orchestrator.runtime.requests.corrected_records import trials_corrected
from orchestrator.runtime.requests.kinds import NOTHING_TO_AMEND, Amend, Budgets
from orchestrator.runtime.requests.rehearsal import Judged, TrialsSeen
from orchestrator.runtime.requests.run_as_amended import RunAsAmended, Signed
from orchestrator.runtime.results.known_events import judged_by_now
from orchestrator.scheduler.amendment_events import (
    Amendment,
    BlockBegan,
    BoundsAmended,
    BudgetAmended,
    CandidatesAdded,
    ConstraintsAmended,
    HeldAmended,
    JobsAmended,
    ObservationsForgotten,
    PointsAdded,
    ResultsAdded,
    RunContinued,
    RunPaused,
    TravelAmended,
    ValuesAmended,
)
from orchestrator.scheduler.rules.added_candidates import more_words
from orchestrator.scheduler.rules.amended_constraints import NOTHING_AMENDED
from orchestrator.scheduler.rules.budgets import budget_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.words.changes_in_words import amended_changes_words
from orchestrator.scheduler.words.travel_in_words import amended_travel_words, what_of_travel
from orchestrator.scheduler.words.trial_names import trial_names
from orchestrator.spec.begun.added_candidates import check_added
from orchestrator.spec.begun.amended import with_constraints, with_held
from orchestrator.spec.model import Spec
from orchestrator.values.named import Values


@dataclass(frozen=True, slots=True)
class Amended:
    """The events that a request causes, and what is said once they are on disk. None: done before."""

    events: list[Amendment]
    sentence: str


def decide_amendment(
    request: Amend, spec: Spec, state: State, now: float, name: str, judged: Judged | None = None
) -> Amended:
    """What follows from a request called ``name``; a part of it that was taken already is left out.

    ``spec`` is the one that was given, ``judged`` what `rehearse` found. Raises `UsageError` or `SpecError`
    for what makes no sense.
    """
    if judged is not None and not judged.answers(request, state):
        judged = None
    parts = list(_Parts(RunAsAmended(request, spec, state, now, name), judged))
    if not parts:
        raise UsageError(NOTHING_TO_AMEND)
    taken = state.requests
    events = [
        replace(event, reason=request.reason.strip())
        for event, _ in parts
        if event is not None and (name, type(event).__name__) not in taken
    ]
    return Amended(events, "; ".join(sentence for _, sentence in parts if sentence))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a request: of each the event, none where things are so already, and the sentence that says
    it.

    One that was taken already is on disk: it holds, and is not judged again by what has come since.
    """

    then: RunAsAmended
    judged: Judged | None

    def __iter__(self) -> Iterator[tuple[Amendment | None, str]]:
        request = self.request
        if request.candidates and self.judged is None and self._untaken(CandidatesAdded):
            # Before anything is judged by the spec that they make.
            check_added(amended(self.spec, self.state), request.rows)
        if request.held or request.free:
            yield self._held()
        if request.bounds:
            yield self._bounds()
        if request.block:
            yield self._block()
        if request.constraints or request.withdrawn:
            yield self._constraints()
        if request.candidates:
            yield self._candidates()
        if request.moves_machine:
            yield self._travel()
        if request.changes or request.at_once:
            yield self._changes()
        if request.values_trials:
            yield self._values()
        if request.budgets != Budgets():
            yield self._budget()
        if request.jobs is not None:
            jobs = JobsAmended(at_most=request.jobs, **self._signed)
            yield jobs_told(jobs, self.spec, self.state, untaken=self._untaken(JobsAmended))
        if request.results:
            yield self._results()
        if request.forget:
            yield self._forgotten()
        if request.paused is True:
            yield self._paused()
        if request.points:
            # Not before it is paused, and not after it goes on, or something else might begin first.
            yield self._points()
        if request.paused is False:
            yield self._continued()

    @property
    def request(self) -> Amend:
        return self.then.request

    @property
    def spec(self) -> Spec:
        return self.then.given

    @property
    def state(self) -> State:
        return self.then.state

    @property
    def _signed(self) -> Signed:
        return self.then.signed

    def _untaken(self, kind: type[Amendment]) -> bool:
        return self.then.untaken(kind)

    def _held(self) -> tuple[Amendment | None, str]:
        request, freed = self.request, tuple(self.request.free)
        if self._untaken(HeldAmended):
            # Within the bounds as they will be, whatever is held so far.
            check_held(request, amended(self.spec, self.state, self.then.bounds, held={}), self.state)
            self._check_space()
            freed = tuple(name for name in freed if name in self.state.policy.where.held)
            if not freed and not request.held:
                return None, "; ".join(f"`{name}` is chosen already" for name in request.free)
        event = HeldAmended(held=request.held, freed=freed, **self._signed)
        return event, held_sentence(event, self.state)

    def _bounds(self) -> tuple[Amendment, str]:
        if self._untaken(BoundsAmended):
            self._check_space()
        event = BoundsAmended(bounds=self.request.bounds, **self._signed)
        return event, bounds_sentence(event, self.state)

    def _block(self) -> tuple[Amendment | None, str]:
        request = self.request
        if self._untaken(BlockBegan):
            check_block(self.spec)
            if request.block == self.state.block:
                return None, f"it is {request.block} already"
        event = BlockBegan(block=request.block, **self._signed)
        running = self.state.running
        until = f"; trials that run are of the one before: {running}" if running else ""
        return event, f"{self.spec.blocks} {request.block} begins{until}"

    def _constraints(self) -> tuple[Amendment | None, str]:
        request, state = self.request, self.state
        broken: dict[str, tuple[int, ...]] = dict.fromkeys(request.constraints, ())
        withdrawn, said = tuple(request.withdrawn), tuple[str, ...]()
        if self._untaken(ConstraintsAmended):
            now = amended(self.spec, state)
            said = so_already(request, now, state)
            check_constraints(request, now, state)
            self._check_space()
            new = [text for text in request.constraints if text not in now.constraints]
            broken = self._broken(new)
            withdrawn = tuple(text for text in request.withdrawn if text in now.constraints)
        if not broken and not withdrawn:
            return None, "; ".join(said)
        event = ConstraintsAmended(
            added=broken,
            withdrawn=withdrawn,
            of_outcomes=on_outcomes(broken, self.spec),
            **self._signed,
        )
        return event, "; ".join([constraints_sentence(event, state, request.bounds), *said])

    def _broken(self, new: Collection[str]) -> dict[str, tuple[int, ...]]:
        """The trials that do not satisfy constraints that are new: what was found of them beside the loop,
        and of those that came since.
        """
        now = TrialsSeen.of(self.state)
        if self.judged is None or self.judged.broken.keys() != set(new):
            return broken_by_trials(new, self.then.spec, now.observed, now.all)
        beyond = now.beyond(self.judged.seen)
        since = broken_by_trials(new, self.then.spec, beyond.observed, beyond.all)
        return {text: tuple(dict.fromkeys([*self.judged.broken[text], *since[text]])) for text in new}

    def _candidates(self) -> tuple[Amendment, str]:
        request, listed = self.request, tuple[int, ...]()
        if self._untaken(CandidatesAdded):
            self._check_space()
            listed = self._listed()
        event = CandidatesAdded(columns=request.rows, listed=listed, **self._signed)
        return event, f"{more_words(event.columns)} may be tried"

    def _listed(self) -> tuple[int, ...]:
        """The known results that are of a row only now: as `_broken` has what it tells."""
        spec, now = self.then.spec, TrialsSeen.of(self.state)
        if self.judged is None:
            return listed_by_now(spec, now.observed)
        return (*self.judged.listed, *listed_by_now(spec, now.beyond(self.judged.seen).observed))

    def _check_space(self) -> None:
        if self.judged is not None and self.judged.complaint is not None:
            raise self.judged.complaint
        spec = self.then.spec
        if self.judged is None:
            check_space(spec)
        check_reach(spec, self.then.travelling)

    def _travel(self) -> tuple[Amendment, str]:
        event = self.then.travel
        if self._untaken(TravelAmended):
            self._check_space()
        return event, f"{what_of_travel(event)} is amended: {amended_travel_words(event)}"

    def _changes(self) -> tuple[Amendment, str]:
        event = self.then.changes
        return event, f"what it takes to change settings is amended: {amended_changes_words(event)}"

    def _values(self) -> tuple[Amendment | None, str]:
        spec, untaken = self.then.spec, self._untaken(ValuesAmended)
        event = ValuesAmended(**self._signed)
        found = self.judged.valued_anew() if self.judged is not None and untaken else None
        return values_told(event, self.request, spec, self.state, found, untaken=untaken)

    def _budget(self) -> tuple[BudgetAmended, str]:
        budgets = self.request.budgets
        if self._untaken(BudgetAmended):
            then = with_held(with_constraints(self.spec, self.then.constraints), self.then.held)
            check_budgets(budgets, then, self.state, self.then.at)
        event = self.then.budget
        return event, f"the budget is amended: {budget_words(event, event.lifted)}"

    def _results(self) -> tuple[Amendment, str]:
        results, untaken = tuple(self.request.results), self._untaken(ValuesAmended)
        if self._untaken(ResultsAdded):
            now, ties = self.then.spec, self.then.constraints
            results = results_valued(self.request, now, self.state, untaken=untaken)
            check_results(results, now)
            if ties != NOTHING_AMENDED:
                # They were read when others may have held.
                results = judged_by_now(results, now, {*self.spec.constraints, *ties.added, *ties.withdrawn})
        event = ResultsAdded(results=results, **self._signed)
        if trials_corrected(self.request, self.state):
            # Said with what is forgotten for them.
            return event, ""
        return event, f"{len(results)} known {'result is' if len(results) == 1 else 'results are'} added"

    def _points(self) -> tuple[Amendment, str]:
        request, costs = self.request, tuple[float, ...]()
        points: tuple[Values, ...] = tuple(request.points)
        once = points
        if self._untaken(PointsAdded):
            spec, state = self.then.spec, self.then.policed
            points, costs = checked_points(points, spec, state, request.times, request.forget)
            once = points[: len(once)]
        event = PointsAdded(
            points=points,
            costs=costs,
            first_trial=len(self.state.trials) + 1,
            **self._signed,
        )
        units = {name: one.unit or "" for name, one in self.then.spec.parameters.items()}
        said = points_words(once, request.times, units)
        approved = ", once approved" if self.state.policy.evaluations.approval else ""
        return event, f"to be tried next{approved}: {said}"

    def _forgotten(self) -> tuple[Amendment | None, str]:
        trials, said = tuple(dict.fromkeys(self.request.forget)), ""
        if self._untaken(ObservationsForgotten) and not self.request.results:
            before = forgotten_before(trials, self.state)
            trials = tuple(number for number in trials if number not in before)
            said = "; ".join(before.values())
            if not trials:
                return None, said
        event = ObservationsForgotten(
            trials=trials,
            reason=self.request.reason.strip(),
            **self._signed,
        )
        if self._untaken(ObservationsForgotten):
            check_forgotten(event, self.state, [known.parameters for known in self.request.results])
        if corrected := trials_corrected(self.request, self.state):
            are = "is" if len(corrected) == 1 else "are"
            return event, f"{trial_names(corrected)} {are} corrected, and the model learns anew"
        forgotten = (
            f"what came of {trial_names(event.trials)} is forgotten, and the model learns anew without it"
        )
        return event, "; ".join(filter(None, [forgotten, said]))

    def _paused(self) -> tuple[Amendment | None, str]:
        if self.state.paused and self._untaken(RunPaused):
            return None, "the run is paused already"
        return RunPaused(**self._signed), "the run is paused"

    def _continued(self) -> tuple[Amendment | None, str]:
        if not self.state.paused and self._untaken(RunContinued):
            return None, "the run is not paused"
        return RunContinued(**self._signed), "the run goes on"
