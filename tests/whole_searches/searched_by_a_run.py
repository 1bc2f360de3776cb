"""The search of a draft as a run of its spec, killed and amended on its way, and looked at by commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from broken_promises import broken_by
from cheap_values import Returned
from commands_given import LOOKING, MODELLING, answered
from drafts import Draft
from ended import Ended, noting, strictly_warned
from lived_run import WORKER, LivedRun
from said_amendments import AMENDMENTS
from spec_of_a_draft import as_spec

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.expressions.conditions import otherwise
from orchestrator.python_interface.answers import Asked
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Evaluate
from orchestrator.spec.load import LoadedSpec, load_spec_text
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.values.candidates import without

HALF_AN_HOUR = 1800.0
REFUSED = "an amendment was refused"


def said_by_a_spec(draft: Draft, trials: int, folder: Path) -> LoadedSpec | None:
    """The draft's spec; None where there is none, or it is refused, as what Python alone may be told."""
    try:
        text = as_spec(draft, trials, folder)
        return None if text is None else load_spec_text(text, "drawn.yaml", folder)
    except OrchestratorError:
        return None


class SearchedByARun:
    """One draft, of which so many ``trials`` end; ``questions``: how many dear ones are asked at last."""

    def __init__(self, draft: Draft, loaded: LoadedSpec, trials: int, questions: int, folder: Path) -> None:
        self.draft, self.trials, self.questions = draft, trials, questions
        self.chance = Random(f"run {draft.features} {draft.told.get('seed')}")
        self.returned = Returned(draft)
        self.ended = Ended((*draft.features, "as a run"))
        slots = self.chance.choice([1, 3]) if loaded.spec.mode.kind == "asynchronous" else 1
        if loaded.spec.mode.kind == "synchronous":
            slots = 3
        self.folder = folder / "drawn-1"
        self.loaded, self.slots = loaded, slots
        self.amended = 0

    def run(self) -> Ended:
        with strictly_warned(), noting(self.ended, "run"):
            run = LivedRun(self.loaded, self.folder, self.slots, HALF_AN_HOUR)
            while self.ended.trials < self.trials and not run.ended:
                if self.chance.random() < 0.15:
                    run.answered_alike()
                run.think()
                if self.chance.random() < 0.15:
                    self._amended(run)
                    continue
                if not run.evaluations:
                    break
                self._evaluate(run)
            run.die()
            self._asked()
        return self.ended

    def _evaluate(self, run: LivedRun) -> None:
        command = run.evaluations.pop(self.chance.randrange(len(run.evaluations)))
        self.ended.trials += 1
        spec, state = run.spec, run.state
        table = None if spec.candidates is None else spec.candidates.candidates
        given = without(table, otherwise(conditions_of(spec.parameters), command.parameters))
        # A person's may be wherever they like.
        if state.trials[command.trial].ask is not None:
            self.ended.faults += [
                f"trial {command.trial}, {given}: {words}"
                for words in broken_by(self.draft, Asked(command.trial, given, None, {}), {})
            ]
        run.happen(self._came(run, command, given))

    def _came(self, run: LivedRun, command: Evaluate, given: Mapping[str, Any]) -> ev.Event:
        """What its worker says: some of what fails lacks an outcome."""
        own = {"at": run.state.at + run.step_s, "worker": WORKER, "lease": command.lease}
        told: dict[str, Any] = {}
        if not self.returned.fails(given):
            told = self.returned.told(command.trial, given)
        elif self.draft.outcomes and self.chance.random() < 0.5:
            told = {"value": 1.0, "outcomes": dict.fromkeys(self.draft.outcomes)}
        else:
            return ev.FailureArrived(**own, kind="error", message="it burst")
        if isinstance(told.get("value"), Mapping):
            told |= told.pop("value")
        told |= told.pop("outcomes", {})
        value, variance = told.pop("value", None), told.pop("variance", None)
        elapsed, block = told.pop("seconds", 1.0), told.pop("block", None)
        if block is not None:
            told["plate"] = block
        if value is not None:
            value = float(value)
        came = ev.ResultArrived(**own, value=value, variance=variance, elapsed=elapsed, extras=told)
        return WantedResults.of(run.spec, run.state.constraints, run.state.values).judged(came, given)

    def _amended(self, run: LivedRun) -> None:
        """It is killed, amended while nobody works on it, and resumed."""
        run.die()
        name = self.chance.choice(sorted(AMENDMENTS))
        options = AMENDMENTS[name](self.draft, run, self.chance)
        if options and self.amended < 4:
            self.amended += 1
            with noting(self.ended, f"amend {name}"):
                try:
                    answered(self.folder, "amend", *options)
                except UsageError as refused:
                    self.ended.refused[f"amend {name}"] = str(refused)
        for said in run.live_again():
            if REFUSED in said:
                self.ended.refused[f"amended {name}"] = said

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
