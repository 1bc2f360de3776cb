"""What the evaluation of a trial had of its own: environment variables that another's need not have had."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec


def own_of(trial: Trial, spec: Spec) -> Mapping[str, str]:
    """By the account of its worker; in journals of before, of a local one, by the spec."""
    of_each = {} if spec.evaluation.slots is not None else spec.workers.own
    return trial.own or of_each.get(trial.worker or "", {})
