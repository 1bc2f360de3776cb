"""What a person recorded before and types in otherwise now: an amendment that tells it anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from orchestrator.errors import UsageError
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendment_checks import MISTYPED
from orchestrator.runtime.requests.comparisons import NO_VALUES
from orchestrator.runtime.requests.computed_records import valued
from orchestrator.runtime.requests.kinds import Amend, Decision, Record
from orchestrator.runtime.results.known_events import known_events
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.corrections import corrections, trial_of
from orchestrator.scheduler.rules.bounds import bounds_words
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.spec.sections import initial
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.values.block_name import OF_NO_BLOCK


def is_correction(request: Decision, state: State) -> bool:
    """Whether it is the value of a trial that a person was given, and is done with."""
    trial = state.trials.get(request.trial)
    return isinstance(request, Record) and trial is not None and trial.settled and trial.worker == PERSON


def trials_corrected(request: Amend, state: State) -> list[int]:
    """The trials of which all is told anew that is forgotten; none where there is more to the results."""
    told = [known.parameters for known in request.results]
    observed = {trial.number: trial for trial in state.observed}
    wrong = [observed[number] for number in dict.fromkeys(request.forget) if number in observed]
    if not told or len(told) != len(wrong) or any(trial.parameters not in told for trial in wrong):
        return []
    return [trial_of(state, trial).number for trial in wrong]


def correcting(records: Sequence[Record], spec: Spec, state: State, by: str = "") -> Amend:
    """The amendment by which ``records``, each of a trial that is settled, take the place of what came of it.

    What one does not say, the variance, an outcome or what else was kept, stays as it was. ``by`` is who says
    so. Raises `UsageError` for what cannot be used.
    """
    wanted, anew = WantedResults.of(spec, state.amended.constraints, state.amended.values), corrections(state)
    told: list[initial.KnownResult] = []
    forgotten: list[int] = []
    besides: list[Mapping[str, object]] = []
    for record in records:
        trial = state.trials[record.trial]
        if state.policy.results.compared:
            raise UsageError(NO_VALUES.format(trial.number))
        if not state.inside(trial.parameters):
            raise UsageError(
                f"trial {trial.number} is outside the amended bounds {bounds_words(state.amended.bounds)}, so"
                " that nothing is learned from its value: to correct it, widen them by amend --bounds"
            )
        believed = anew.get(trial.number, trial)
        record = _valued(record, trial, believed, wanted)
        result = _result(record, trial, believed, spec, block_of(state, believed))
        said = {**record.extras, **result.outcomes}
        if complaint := wanted.why_unusable(record.value, result.variance, None, said):
            raise UsageError(f"trial {trial.number}: {complaint}")
        told.append(result)
        forgotten.append(believed.number)
        besides.append(wanted.said_anew(believed.extras, record.extras))
    results = [
        # What is no outcome is kept with it, as it is with what is recorded at first.
        replace(known, outcomes={**extras, **known.outcomes})
        for extras, known in zip(besides, known_events(told, amended(spec, state)), strict=True)
    ]
    return Amend(results=results, forget=forgotten, reason=MISTYPED, by=by)


def _valued(record: Record, trial: Trial, believed: Trial, wanted: WantedResults) -> Record:
    """With its value, where that is computed from outcomes: those that it does not say are as they were."""
    said = msgspec.structs.replace(record, extras={**trial.extras, **believed.extras, **record.extras})
    return msgspec.structs.replace(valued(said, trial.parameters, wanted), extras=record.extras)


def _result(
    record: Record, trial: Trial, believed: Trial, spec: Spec, block: str | None
) -> initial.KnownResult:
    """Its outcomes as they were, unless it says them; of a failure there are none. It took as long."""
    before = {**trial.extras, **believed.extras}
    said = {**before, **record.extras}
    return initial.KnownResult.model_validate(
        {
            "parameters": dict(trial.parameters),
            "value": record.value,
            "variance": believed.variance if record.variance is None else record.variance,
            "seconds": believed.elapsed or trial.elapsed or None,
            "block": block or OF_NO_BLOCK,
            "outcomes": {name: said[name] for name in spec.outcomes if said.get(name) is not None},
        }
    )
