"""Before a run begins: whether the workers that it brings along could evaluate anything on this machine."""

from __future__ import annotations

from pathlib import Path

from orchestrator.errors import OrchestratorError
from orchestrator.report.doctor.findings import examine_queue, examine_spec, lacks_words
from orchestrator.report.doctor.taken_parameters import parameters_amiss
from orchestrator.spec.model import Spec


class NotReadyError(OrchestratorError):
    """What a workload needs is not on this machine; nothing was begun."""


def refuse_unless_ready(spec: Spec, folder: Path | None = None) -> None:
    """Where every trial would fail for the same want, the run had better not begin.

    Workers elsewhere have what they have: a run that brings none along is never refused. ``folder`` is the
    spec's, where its author may have put what is not found.

    Raises:
        NotReadyError: what is lacking, and the command that supplies it, as `orchestrator doctor` says it; or
            that its parameters are not those of its evaluator, wherever that runs.
    """
    if amiss := parameters_amiss(spec):
        raise NotReadyError(f"{amiss}; no trial was begun")
    if lacking := what_is_lacking(spec, folder):
        count = spec.workers.processes(several_slots=spec.evaluation.slots is not None).count
        workers = "its worker runs" if count == 1 else "its workers run"
        raise NotReadyError(
            f"expected what `{spec.experiment}` needs on this machine, where {workers}; it lacks "
            f"{lacking}\nno trial was begun; relative paths start in {Path.cwd()}"
        )


def refuse_to_begin(spec: Spec, folder: Path | None = None) -> None:
    """As `refuse_unless_ready`, for a run that is to begin or go on: it submits its jobs itself, if any."""
    refuse_unless_ready(spec, folder)
    if lacking := jobs_lacking(spec):
        raise NotReadyError(
            f"expected on this machine what submits the jobs of `{spec.experiment}`; it lacks {lacking}\nno"
            f" trial was begun; relative paths start in {Path.cwd()}"
        )


def what_is_lacking(spec: Spec, folder: Path | None = None) -> str:
    """What the workers that a run brings along would lack on this machine; empty where there are none."""
    if spec.workers.local == 0:
        return ""
    finding = examine_spec(spec, folder)
    return "" if finding.ready else lacks_words(finding.lacks)


def jobs_lacking(spec: Spec) -> str:
    """What a run that submits jobs would lack on this machine; empty where it submits none."""
    finding = examine_queue(spec)
    return "" if finding is None or finding.ready else lacks_words(finding.lacks)
