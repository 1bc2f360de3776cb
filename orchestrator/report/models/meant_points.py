"""Points of a run as a person means them: the best, the reference, a trial by its number, or settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.models.predictions import always_and_now, left_out_as, left_out_of
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.best_now import best_now
from orchestrator.report.words.without_best import why_no_best, words_and_what_to_do
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.reference import reference_of
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.scheduler.words.trial_names import one_of, trial_name
from orchestrator.spec.begun.asked_points import point_meant
from orchestrator.spec.build import build_space
from orchestrator.values.named import Values, in_order
from orchestrator.values.printable import printable

BEST, REFERENCE = "best", "reference"
EXPECTED = f"expected a point as `{BEST}`, `{REFERENCE}`, the number of a trial, or settings such as x=3,y=2"


@dataclass(frozen=True, slots=True)
class MeantPoint:
    """What it is ``called``, the ``settings`` that count there, in the order of the spec, the ``trial`` that
    had them, if one is meant, and which settings of what was typed are ``left_out``, and so are as in the
    best trial. ``moved``: of what its trial had otherwise, how it is taken instead, as the time ``as now``.
    ``measured``: all that came to a value at the settings of that trial, itself among it.
    """

    called: str
    settings: Values
    trial: Trial | None = None
    left_out: tuple[str, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    measured: Sequence[Trial] = ()

    @property
    def words(self) -> str:
        """What it is called in a sentence."""
        return f"the {self.called}" if self.called in (BEST, REFERENCE) else self.called


def meant(run: RunSoFar, text: str, *, anywhere: bool = False) -> MeantPoint:
    """The point of a ``text``. Settings left out are as `predictions.points_typed` has them; those of a trial
    are taken to where parameters are held now, to the time of now, and to full fidelity. It is refused where
    the run does not look now, unless a trial may lie ``anywhere``.

    Raises UsageError for what is no point of the run, SpecError for settings that are wrong, and
    OrchestratorError where there is no best one yet.
    """
    point = _meant(run, text, anywhere)
    return replace(point, settings=in_order(run.spec.parameters, point.settings))


def _meant(run: RunSoFar, text: str, anywhere: bool) -> MeantPoint:
    if text == BEST:
        return _best(run)
    if text == REFERENCE:
        if (trial := reference_of(run.state)) is None:
            raise UsageError(
                "expected a point of this run, got `reference`, which its spec does not name: initial:"
                " {reference: …}"
            )
        return _of_trial(run, trial, REFERENCE, anywhere)
    if text.isdecimal():
        if (trial := run.state.trials.get(int(text))) is None:
            raise UsageError(f"expected {one_of(len(run.state.trials))}, got {text}")
        return _of_trial(run, trial, trial_name(trial.number), anywhere)
    if "=" not in text:
        raise UsageError(f"{EXPECTED}; got `{text}`")
    return _typed(run, text)


def trial_meant(run: RunSoFar, named: int | str) -> Trial:
    """A trial by its number, or the one that is `best` or the `reference`, as it was corrected. Raises as
    `meant` does, and UsageError where the best is no trial of the run.
    """
    if named == BEST and run.spec.further_objectives:
        raise UsageError(
            f"expected the number of a trial, got `{BEST}`, of which there is none of several objectives"
        )
    trial = meant(run, str(named), anywhere=True).trial
    if trial is None or trial.number < 1:
        best = "a point that no trial was at" if trial is None else "a known result"
        raise UsageError(f"expected the number of a trial, got `{named}`, which is {best}")
    return trial


def _best(run: RunSoFar) -> MeantPoint:
    """In noise, the one believed best: there the best value may be a lucky one."""
    if run.spec.further_objectives:
        raise UsageError(
            "expected a point of this run, got `best`, of which there is none of several objectives: name a"
            " trial by its number, or settings"
        )
    if (now := best_now(run.state)) is not None:
        spec = amended(run.spec, run.state)
        # The optimiser may have said so hours ago.
        return MeantPoint(BEST, build_space(spec).counted({**now.whole, **always_and_now(run, spec)}))
    likely = believed(run.state)
    best = run.state.found.best if likely is None else likely.trial
    if best is None:
        why = why_no_best(run.state) or "no value"
        told = words_and_what_to_do(why, run.folder.path, held=run.folder.holder() is not None)
        raise OrchestratorError(f"expected a run with a best point, got {run.folder.path}: {told}")
    return _of_trial(run, best, BEST)


def _of_trial(run: RunSoFar, trial: Trial, called: str, anywhere: bool = False) -> MeantPoint:
    spec = amended(run.spec, run.state)
    space, told = build_space(spec), trial_of(run.state, trial)
    always = {name: value for name, value in always_and_now(run, spec).items() if name in trial.parameters}
    settings = space.nearest({**trial.parameters, **always})
    mistakes = space.mistakes(settings)
    if mistakes and not anywhere:
        where = f"{trial_name(told.number)}: {next(iter(mistakes.values()))}"
        raise UsageError(
            f"expected a point where this run looks now, got {where}; `amend --bounds` widens that"
        )
    settings = settings if mistakes else space.counted(settings)
    closely = None if spec.fidelity is None else spec.fidelity.parameter
    moved = {
        name: "at full fidelity" if name == closely else "as now"
        for name, value in always.items()
        if trial.parameters[name] != value
    }
    return MeantPoint(called, settings, told, moved=moved, measured=_measured_there(run, trial))


def _measured_there(run: RunSoFar, trial: Trial) -> Sequence[Trial]:
    """What is of another block differs by its offset as well."""
    return [
        one
        for one in run.state.observed
        if one.state is TrialState.COMPLETED
        and not one.forgotten
        and (one is trial or (one.parameters == trial.parameters and one.block == trial.block))
    ]


def _typed(run: RunSoFar, text: str) -> MeantPoint:
    spec = amended(run.spec, run.state)
    space, always = build_space(spec), always_and_now(run, spec)
    beside = {**left_out_as(run, space), **always}
    settings, told = point_meant(spec, text, beside)
    counted = space.counted(settings)
    return MeantPoint(printable(text), counted, None, left_out_of(space, counted, {*told, *always}))
