"""The command line by which a trial is evaluated again by hand, to be pasted into a shell."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from evaluators.errors import EvaluationError
from evaluators.programs.arguments import filled_arguments
from evaluators.programs.input_files import directory_of, program_in, read_templates
from orchestrator.errors import UsageError
from orchestrator.expressions.conditions import otherwise
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.placeholders import GIVEN, names_in
from orchestrator.programs.trial_files import PARAMETERS_FILE, RESULT_FILE, parameters_file, result_files
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.own_of_trials import own_of
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.schedule import needed_before
from orchestrator.report.words.wording import number, varied_parameters
from orchestrator.runtime.evaluations.seed import evaluation_seed
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spec.sections.parameters import conditions_of
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.candidates import without

_IN_FILES = ("directory", "parameters_file", "result_file")
EACH = "`orchestrator explain RUN TRIAL` says of each trial how it is evaluated by hand"


def best_by_hand(run: RunSoFar) -> tuple[str, str]:
    """Which trial is meant, in noise the one believed best, and its command line. Raises `UsageError` where
    no trial of a run is the best one.
    """
    if run.spec.further_objectives:
        raise UsageError(f"expected one objective, got several, of which {EACH}")
    likely = believed(run.state)
    best = run.state.found.best if likely is None else likely.trial
    if best is None:
        raise UsageError(f"expected a run in which a trial is the best, got one without; {EACH}")
    trial = trial_of(run.state, best)
    if trial.number < 1 or not isinstance(run.folder, RunFolder):
        raise UsageError("expected a best point that a trial of a run evaluated, got one from elsewhere")
    value = f"{run.spec.objective.name} = {number(best.value, 8)}"
    kept = run.state.keeps_files_under(trial)
    piece = needed_before(trial, run.state, run.spec.accumulates)
    before = _left(run, run.folder.path, piece)
    of_piece = ""
    if piece is not None:
        of_piece = (
            f"; this is its last piece, which goes on from what trial {piece.number} left:"
            f" {shell_line('explain', run.folder.path, trial.number)} has the settings of all before it"
        )
    line = by_hand(run.spec, trial, run.folder.path, kept, before)
    return f"trial {trial.number}: {value}{of_piece}", line


def line_by_hand(run: RunSoFar, trial: Trial, before: Trial | None = None) -> str:
    """That of a trial of a run, which goes on from what the one ``before`` left, if that has to be; empty
    where there is none.
    """
    if not isinstance(run.folder, RunFolder):
        return ""
    try:
        path, kept = run.folder.path, run.state.keeps_files_under(trial)
        return by_hand(run.spec, trial, path, kept, _left(run, path, before))
    except UsageError:
        return ""


def _left(run: RunSoFar, folder: Path, before: Trial | None) -> Path | None:
    """The folder of what a trial left; None of none."""
    kept = 0 if before is None else run.state.keeps_files_under(before)
    return _files_of(folder / "trials" / f"{kept:04d}", before.attempts.given) if before and kept else None


def by_hand(spec: Spec, trial: Trial, run: Path, kept: int, before: Path | None = None) -> str:
    """What a shell reads that is in the folder where the run in ``run`` was started. It makes a folder of its
    own, where files are read or written, and leaves those of the trial as they are. ``kept``: the number
    under which those are there still; 0 where they are not. ``before``: the folder that it goes on from;
    None: all of it is done, from nothing.

    Raises UsageError where there is nothing that could be started.
    """
    evaluation = spec.evaluation
    if evaluation.evaluator == PERSON:
        raise UsageError(
            f"expected trials that a program evaluates: trial {trial.number} is a person's to do"
        )
    if evaluation.evaluator != COMMAND_EVALUATOR and before is not None:
        explained = shell_line("explain", run, trial.number)
        raise UsageError(
            "expected a trial that began from nothing, as functions are tried, got"
            f" trial {trial.number}, which went on from one of other settings: {explained} has them"
            " all, to be run one after another"
        )
    if evaluation.evaluator != COMMAND_EVALUATOR:
        told = {name: trial.parameters[name] for name in varied_parameters(spec) if name in trial.parameters}
        pairs = (f"{name}={_written(value)}" for name, value in told.items())
        return shell_line("try", run / "spec.yaml", *pairs)
    if evaluation.command is None:
        raise UsageError("expected a spec with its `command`, got one whose workers bring it along")
    files = run / "trials" / f"{kept:04d}" if kept else None
    return _of_program(spec, evaluation.command, trial, files, before)


def _of_program(spec: Spec, command: list[str], trial: Trial, files: Path | None, before: Path | None) -> str:
    # As it was last evaluated; where it never was, as it will be.
    numbered = trial.files_number or trial.number
    is_its_own = trial.attempts.begun > 0 and numbered == trial.number
    own, attempt = own_of(trial, spec), trial.attempts.given if is_its_own else 1
    parameters = _given(spec, trial)
    try:
        templates = read_templates(spec.evaluation.input, (*parameters, *own))
        named = {name for argument in command for name in names_in(argument)}
        named = named.union(*(template.names(GIVEN) for template in templates.values()))
        again = Path.cwd() / f"trial-{trial.number}-again"
        read = parameters_file(spec.evaluation.input, named)
        written = next(iter(result_files(spec.evaluation.output, named)), RESULT_FILE)
        known: dict[str, Any] = {
            "seed": evaluation_seed(spec.seed, numbered),
            "trial": numbered,
            "attempt": attempt,
            "directory": str(again),
            "parameters_file": str(again / (read or PARAMETERS_FILE)),
            "result_file": str(again / written),
            "started_in": str(Path.cwd()),
            "continued_from": "" if before is None else str(before.absolute()),
            **own,
            **parameters,
        }
        arguments = filled_arguments(command, known)
    except EvaluationError as error:
        raise UsageError(str(error)) from None
    if templates:
        arguments[0] = program_in(again, arguments[0], templates)
    if own:
        arguments = ["env", *(f"{name}={value}" for name, value in own.items()), *arguments]
    steps = [arguments]
    if templates or named.intersection(_IN_FILES):
        if files is None:
            came = (
                f"those of another: it was evaluated since under the number that this one had, {numbered}"
                if trial.evaluated_as
                else "none: it was not evaluated yet"
            )
            raise UsageError(
                f"expected the files of trial {trial.number}, which the program reads, got {came}"
            )
        steps = [
            ["cp", "-r", str(_files_of(files, attempt)), str(again)],
            *([["cd", str(again)]] if templates else []),
            arguments,
        ]
    return " && ".join(map(shlex.join, steps))


def _files_of(folder: Path, attempt: int) -> Path:
    found = directory_of(folder, attempt)
    if not found.is_dir():
        raise UsageError(
            f"expected the files of the trial in {found}, which the program reads, got no folder"
        )
    return found


def _given(spec: Spec, trial: Trial) -> dict[str, Any]:
    """The parameters as an evaluation is given them."""
    candidates = None if spec.candidates is None else spec.candidates.candidates
    return dict(without(candidates, otherwise(conditions_of(spec.parameters), trial.parameters)))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
