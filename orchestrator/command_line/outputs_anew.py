"""The outputs of a run's trials, as they are kept, read as a person says now."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from evaluators.child_process.outcome import Outcome
from evaluators.errors import EvaluationError, LibraryMissing
from evaluators.programs.kept_output import KeptOutput, NotKept
from evaluators.programs.said_to_fail import BY_WHICH
from evaluators.trial_folders import TrialFolders
from orchestrator.errors import UsageError
from orchestrator.runtime.requests.kinds import ReadOutput
from orchestrator.runtime.requests.values_anew import UNUSABLE, judged_output, to_go_on_without
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.events import FailureArrived
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import trial_names
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON

READS_OTHERWISE = "what lies there is not what was read before"


def outputs_anew(
    spec: Spec, state: State, output: object, trials: Path, forgotten: Collection[int]
) -> list[ReadOutput]:
    """What the trials of a run come to that come to something else by ``output``; ``spec`` is as it was
    amended so far, and ``trials`` the folder with those of all trials. Of what is ``forgotten`` nothing is
    read.

    Raises `UsageError`, with the trials named, where outputs are not kept, or where what reads them is not
    installed here.
    """
    folders = TrialFolders(trials, one_run=True)
    wanted = WantedResults.of(spec)
    found, lost = list[ReadOutput](), dict[int, str]()
    for trial in _read_before(state):
        if trial.forgotten or trial.number in forgotten:
            continue
        kept = _kept(spec, state, trial, folders.of("", trial.files_number or trial.number))
        try:
            before, now = (_read(trial, kept, one) for one in (spec.evaluation.output, output))
        except NotKept as error:
            lost[trial.number] = str(error)
            continue
        # One that came after a line of a journal that is lost may be read as it says already.
        if not any(_is_as_recorded(one, trial, wanted, spec) for one in (before, now)):
            lost[trial.number] = f"{kept.trial}: {READS_OTHERWISE}"
        elif now != before:
            found.append(now)
    if lost:
        raise UsageError(_lost_words(lost))
    return found


def _read_before(state: State) -> Iterator[Trial]:
    """The trials whose programs ended well, whatever was made of what they printed."""
    for trial in state.trials.values():
        read = trial.message.startswith(UNUSABLE) or trial.message.endswith(BY_WHICH)
        valued = trial.state is TrialState.COMPLETED
        if trial.worker != PERSON and (valued or (trial.state is TrialState.FAILED and read)):
            yield trial


def _kept(spec: Spec, state: State, trial: Trial, folder: Path) -> KeptOutput:
    evaluation = spec.evaluation
    return KeptOutput(
        folder,
        attempt=_attempt(state, trial, folder),
        command=evaluation.command or (),
        input=evaluation.input,
        objective=spec.objective.own_name,
        compared=not spec.objective.is_returned,
    )


def _attempt(state: State, trial: Trial, folder: Path) -> int:
    """The one of which the result is."""
    attempts = trial.attempts
    if attempts.last is None:
        # Of what was saved from a damaged journal only what lies there says it.
        names = (path.stem.removeprefix("attempt-") for path in folder.glob("attempt-*.stdout"))
        own = _attempts_of(trial, state)
        return max((one for one in map(int, filter(str.isdecimal, names)) if one in own), default=1)
    # An earlier attempt's may have come after a later one was given out.
    heard = attempts.last if attempts.last in attempts.heard or not attempts.heard else attempts.heard[-1]
    return int(heard.partition(".")[2])


def _attempts_of(trial: Trial, state: State) -> range:
    """Those that may be of a trial, where others lie beside them that had its number before a journal was
    mended, or have since.
    """
    if not trial.evaluated_as:
        return range(trial.attempts.not_own + 1, sys.maxsize)
    bearer = state.trials.get(trial.evaluated_as)
    return range(1, sys.maxsize if bearer is None else bearer.attempts.not_own + 1)


def _read(trial: Trial, kept: KeptOutput, output: object) -> ReadOutput:
    try:
        outcome: Outcome = kept.read(output)  # type: ignore[arg-type]
    except LibraryMissing as error:
        # Where it was evaluated it may be: it has not failed.
        raise UsageError(f"expected to read again what trial {trial.number} wrote, and {error}") from None
    except EvaluationError as error:
        if error.kind == "error":
            return ReadOutput(trial=trial.number, kind="error", message=str(error))
        return ReadOutput(trial=trial.number, kind="invalid", message=str(error))
    return ReadOutput(
        trial=trial.number,
        value=outcome.value,
        variance=outcome.variance,
        factors=outcome.factors,
        extras=outcome.extras,
    )


def _is_as_recorded(read: ReadOutput, trial: Trial, wanted: WantedResults, spec: Spec) -> bool:
    """Whether what lies there is what came of the trial."""
    came = judged_output(read, trial, wanted, needs_value=spec.objective.is_returned)
    if isinstance(came, FailureArrived):
        return trial.state is TrialState.FAILED
    return trial.state is TrialState.COMPLETED and (came.value, came.extras) == (trial.value, trial.extras)


def _lost_words(lost: dict[int, str]) -> str:
    first = next(iter(lost.values()))
    are = "is" if len(lost) == 1 else "are"
    return (
        f"expected to read again what programs printed and wrote, and that of {trial_names(lost)} {are} not"
        f" kept here: {first}. {to_go_on_without(lost)}"
    )
