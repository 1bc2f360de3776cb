"""The picture of a run's best trial, or of another, drawn by the workload that it is of."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.errors import OrchestratorError
from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.words.wording import first_line
from orchestrator.scheduler.trial import Trial


@dataclass(frozen=True, slots=True)
class Drawn:
    """An SVG document, or ``why_not`` in words, and whether there are pictures of such trials at all."""

    svg: str | None
    why_not: str = ""
    there_are: bool = True


def best_picture(run: RunSoFar) -> Drawn:
    """What the best trial looks like. A picture is never worth a report, so nothing is raised."""
    if run.spec.further_objectives:
        return Drawn(None, "no trial is the best of several objectives, but --trial N draws any trade-off")
    if run.state.found.best is None:
        return Drawn(None, "no trial has a value yet")
    return trial_picture(run, run.state.found.best)


def trial_picture(run: RunSoFar, trial: Trial) -> Drawn:
    """What a trial looks like."""
    if trial.value is None:
        return Drawn(None, f"trial {trial.number} has no value")
    # Here, because pictures bring numpy with them.
    from evaluators.errors import EvaluationError
    from evaluators.pictures import picture

    evaluator = run.spec.evaluation.evaluator
    try:
        svg = picture(evaluator, trial.parameters, {**trial.extras, "value": trial.value})
    except (EvaluationError, OrchestratorError, ImportError) as error:
        return Drawn(None, first_line(str(error)))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        # A result known before the run, or one that a person recorded, has not all that is drawn.
        return Drawn(None, f"trial {trial.number} did not return what is drawn ({error!r:.80})")
    return Drawn(None, f"{evaluator} has none", there_are=False) if svg is None else Drawn(svg)
