"""The search of a draft as a run of its spec, killed and amended on its way, and looked at by commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from begun_from_another import begun_from
from broken_promises import as_amended, broken_by, parts_lost
from cheap_values import Returned, smooth
from commands_given import LOOKING, MODELLING, answered
from damaged_journal import HARMLESS, damaged_and_mended
from drafts import Draft
from drawn_evaluations import flat
from ended import Ended, noting, strictly_warned
from lived_run import LivedRun
from people_of_a_run import People
from said_amendments import AMENDMENTS
from spec_of_a_draft import as_spec
from tables_read_back import told_otherwise
from ways_of_runs import BEGUN_FROM, DAMAGED, drawn_ways

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.expressions.conditions import otherwise
from orchestrator.python_interface.answers import Asked
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Evaluate
from orchestrator.spec.load import LoadedSpec, load_spec_text
from orchestrator.spec.partial_points import parts_of
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.values.candidates import without

HALF_AN_HOUR = 1800.0
TURNS = 6
"""For each trial: some are spent on people."""
AMENDED, DAMAGES = 4, 2


def said_by_a_spec(draft: Draft, trials: int, folder: Path, *ways: str) -> LoadedSpec | None:
    """The draft's spec; None where there is none, or it is refused, as what Python alone may be told."""
    try:
        text = as_spec(draft, trials, folder, ways)
        return None if text is None else load_spec_text(text, "drawn.yaml", folder)
    except OrchestratorError:
        return None


def done_in_ways(draft: Draft, trials: int, folder: Path) -> tuple[LoadedSpec, tuple[str, ...]] | None:
    """The draft's spec, and the ways in which its run is done: those of the drawn ones that it takes."""
    loaded, taken = said_by_a_spec(draft, trials, folder), tuple[str, ...]()
    if loaded is None:
        return None
    for way in drawn_ways(Random(f"ways {draft.features} {draft.told['seed']}")):
        if (further := said_by_a_spec(draft, trials, folder, *taken, way)) is not None:
            loaded, taken = further, (*taken, way)
    return loaded, taken


class SearchedByARun:
    """One draft, of which so many ``trials`` end; ``questions``: how many dear ones are asked at last."""

    def __init__(
        self,
        draft: Draft,
        loaded: LoadedSpec,
        trials: int,
        questions: int,
        folder: Path,
        ways: tuple[str, ...] = (),
    ) -> None:
        self.draft, self.trials, self.questions, self.ways = draft, trials, questions, ways
        self.chance = Random(f"run {draft.features} {draft.told.get('seed')}")
        self.returned = Returned(draft)
        self.ended = Ended((*draft.features, "as a run", *ways))
        slots = self.chance.choice([1, 3]) if loaded.spec.mode.kind == "asynchronous" else 1
        if loaded.spec.mode.kind == "synchronous":
            slots = 3
        self.folder = folder / "drawn-1"
        self.run_ = LivedRun(loaded, self.folder, slots, HALF_AN_HOUR)
        self.people = People(self.run_, self.chance)
        self.amended = self.damaged = 0

    def run(self) -> Ended:
        with strictly_warned(), noting(self.ended, "run"):
            run = self.run_
            for _ in range(TURNS * self.trials):
                if self.ended.trials >= self.trials or run.ended or not self._turn():
                    break
            run.die()
            self._asked()
        return self.ended

    def _turn(self) -> bool:
        """Whether there is more to come."""
        run = self.run_
        if self.chance.random() < 0.15:
            run.answered_alike()
        run.think()
        if self.chance.random() < 0.15:
            self._amended()
            return True
        if DAMAGED in self.ways and self.damaged < DAMAGES and self.chance.random() < 0.15:
            self._damaged()
            return True
        if run.spec.evaluation.approval and self.chance.random() < 0.7 and self._said("approve"):
            return True
        if run.by_hand and self.chance.random() < 0.15:
            self._said("correct")
            return True
        if run.state.policy.results.compared and (not run.evaluations or self.chance.random() < 0.5):
            self._said("compare")
            run.think()
        if run.evaluations:
            self._evaluate()
            return True
        if run.state.paused:
            answered(self.folder, "amend", "--continue")
            run.take_up()
            return True
        approved = run.spec.evaluation.approval and self._said("approve")
        return approved or run.state.policy.results.compared

    def _said(self, what: str) -> bool:
        """Whether somebody said something of some trial; what is refused is noted."""
        before = len(self.run_.refused)
        try:
            match what:
                case "approve":
                    return self.people.decide()
                case "correct":
                    self.people.correct(self._typed())
                case _:
                    self.people.compare()
        except UsageError as refused:
            self.ended.refused[what] = str(refused)
        if further := self.run_.refused[before:]:
            self.ended.refused[f"{what}, at the desk"] = further[-1]
        return True

    def _typed(self) -> dict[str, Any]:
        """What somebody types in the place of what came of another trial."""
        if not self.run_.state.trials:
            return {}
        trial = self.chance.choice(list(self.run_.state.trials.values()))
        return flat(self.returned.told(trial.number, self._given(trial.parameters)))

    def _given(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """As a worker is given them."""
        spec = self.run_.spec
        table = None if spec.candidates is None else spec.candidates.candidates
        return without(table, otherwise(conditions_of(spec.parameters), parameters))

    def _evaluate(self) -> None:
        run = self.run_
        command = run.evaluations.pop(self.chance.randrange(len(run.evaluations)))
        self.ended.trials += 1
        given, trial = self._given(command.parameters), run.state.trials.get(command.trial)
        counts = trial is not None and trial.lease == command.lease
        # A person's may be wherever they like.
        if trial is not None and trial.ask is not None:
            self.ended.faults += [
                f"trial {command.trial}, {given}: {words}"
                for words in broken_by(
                    as_amended(self.draft, run.state),
                    Asked(command.trial, given, None, {}),
                    trial.suggested.part,
                )
            ]
        if counts and trial is not None and dict(trial.parameters) != dict(command.parameters):
            self.ended.faults.append(f"{command} is taken for one of {trial}")
        if run.by_hand:
            told = None
            if not self.returned.fails(given):
                told = flat(self.returned.told(command.trial, given))
            with noting(self.ended, f"record of {command}"):
                self.people.record(command, told)
            return
        if self._stopped_early(command, given):
            return
        came = self._came(command, given)
        run.happen(came)
        if counts and isinstance(came, ev.ResultArrived) and came.value is not None:
            self.people.heard(command.trial, came.value)

    def _stopped_early(self, command: Evaluate, given: Mapping[str, Any]) -> bool:
        """Whether what it reports ends it."""
        run = self.run_
        for step in range(1, 9 if run.spec.evaluation.stop_when else 0):
            at, loss = run.state.at + 60.0, smooth(given) + 0.5 / step
            if self.chance.random() < 0.01:
                loss = float("nan")
            found = run.watched.reported(run.state, at, command.lease, step, {"loss": loss})
            due = [found] if found is not None else run.watched.due(run.state, at + 5.0)
            for event in due:
                run.happen(event)
            if any(event.lease == command.lease for event in due):
                return True
        return False

    def _came(self, command: Evaluate, given: Mapping[str, Any]) -> Any:
        """What its worker says: some of what fails lacks an outcome."""
        run = self.run_
        own = {"at": run.state.at + run.step_s, "worker": run.worker, "lease": command.lease}
        if not self.returned.fails(given):
            told = self.returned.told(command.trial, given)
        elif self.draft.outcomes and self.chance.random() < 0.5:
            told = {"value": 1.0, "outcomes": dict.fromkeys(self.draft.outcomes)}
        else:
            return ev.FailureArrived(**own, kind="error", message="it burst")
        elapsed = told.get("seconds", 1.0)
        told = flat(told)
        value, variance = told.pop("value", None), told.pop("variance", None)
        if run.state.policy.results.compared:
            value = variance = None
        result = ev.ResultArrived(**own, value=value, variance=variance, elapsed=elapsed, extras=told)
        came = run.watched.with_curve(result)
        return WantedResults.of(run.spec, run.state.amended.constraints, run.state.amended.values).judged(
            came, given
        )

    def _amended(self) -> None:
        """It is amended while it goes on, or killed, amended while nobody works on it, and resumed."""
        run, lives = self.run_, self.chance.random() < 0.3
        if not lives:
            run.die()
        name = self.chance.choice(sorted(AMENDMENTS))
        options = AMENDMENTS[name](self.draft, run, self.chance)
        if options and self.amended < AMENDED:
            self.amended += 1
            with noting(self.ended, f"amend {name}"):
                try:
                    answered(self.folder, "amend", *options)
                except UsageError as refused:
                    self.ended.refused[f"amend {name}"] = str(refused)
        if lives:
            run.take_up()
        else:
            run.live_again()
        if run.refused:
            self.ended.refused[f"amended {name}"] = run.refused[-1]

    def _damaged(self) -> None:
        run = self.run_
        run.die()
        self.damaged += 1
        name, what = damaged_and_mended(self.folder, self.chance)
        self.ended.features += (what,)
        run.live_again()
        if name not in HARMLESS:
            # What was in lines that are lost is not told any more.
            self.people.believe_what_is_left()

    def _asked(self) -> None:
        dear = sorted(MODELLING)
        self.chance.shuffle(dear)
        for name, line in [
            *((f"command {name}", line or (name,)) for name, line in LOOKING.items()),
            *((name, MODELLING[name]) for name in dear[: 2 * self.questions]),
            ("fsck", ("fsck",)),
        ]:
            with noting(self.ended, name):
                try:
                    answered(self.folder, *line)
                except UsageError as refused:
                    self.ended.refused[name] = str(refused)
        if not self.damaged:
            state, journal = self.run_.state, self.run_.folder.journal.read_text()
            self.ended.faults += parts_lost(state, parts_of(self.run_.spec), journal)
        with noting(self.ended, "tables read back"):
            told = {} if self.run_.spec.objective.is_computed else self.people.told
            self.ended.faults += told_otherwise(self.folder, told)
        if BEGUN_FROM in self.ways:
            with noting(self.ended, BEGUN_FROM):
                try:
                    begun_from(self.folder, self.chance, not self.run_.state.policy.results.compared)
                except OrchestratorError as refused:
                    self.ended.refused[BEGUN_FROM] = str(refused)
