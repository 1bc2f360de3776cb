"""Whether each point is worth one evaluation."""

from __future__ import annotations

from orchestrator.spec.model import Spec
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.parameters import in_use_among


def is_tried_once(spec: Spec) -> bool:
    """Whether a second evaluation of a point tells nothing, however many points there are: as
    `orchestrator.algorithms.points_left` has it of a problem, which takes numpy to make.
    """
    varied = (spec.fidelity, spec.clock, spec.blocks, spec.candidates)
    beside = spec.outcomes or spec.further_objectives or in_use_among(spec.parameters)
    exact = spec.objective.noise == 0 and spec.objective.told != BY_COMPARISON
    return exact and all(one is None for one in varied) and not beside
