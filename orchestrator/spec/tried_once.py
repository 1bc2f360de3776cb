"""Whether there are so many points and no more, of which each is worth one evaluation."""

from __future__ import annotations

from orchestrator.spec.model import Spec
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.parameters import FloatParameter, in_use_among, steps_of


def is_tried_once(spec: Spec) -> bool:
    """Whether a second evaluation of a point tells nothing, and no parameter is continuous: as
    `orchestrator.algorithms.points_left` has it of a problem, which takes numpy to make.
    """
    varied = (spec.fidelity, spec.clock, spec.blocks, spec.candidates)
    beside = spec.outcomes or spec.further_objectives or in_use_among(spec.parameters)
    exact = spec.objective.noise == 0 and spec.objective.told != BY_COMPARISON
    without_end = any(
        isinstance(one, FloatParameter) and steps_of(one) is None for one in spec.parameters.values()
    )
    return exact and not without_end and all(one is None for one in varied) and not beside
