"""What every worker is told of a run."""

from __future__ import annotations

from orchestrator.runtime.life import Life
from orchestrator.scheduler.liveness import Patience
from orchestrator.spec.begun.amended_values import with_values
from orchestrator.wire.messages import PROTOCOL, Welcome


def welcome(life: Life, patience: Patience) -> Welcome:
    """The answer to each hello."""
    spec = with_values(life.spec, life.scheduler.state.amended.values)
    return Welcome(
        protocol=PROTOCOL,
        run=life.scheduler.state.started.run or life.folder.name,
        experiment=spec.experiment,
        evaluator=spec.evaluation.evaluator,
        options=dict(spec.evaluation.options),
        parameters=list(spec.parameters),
        heartbeat_s=patience.heartbeat_s,
        objective=spec.objective.own_name,
        compared=not spec.objective.is_returned,
        takes_pieces=True,
    )
