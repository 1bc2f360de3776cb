"""Pictures of what is being optimised, drawn from a trial's parameters and what it returned, as SVG.

They are drawn where a report is made, which may lack a workload's libraries: modules are imported when
their picture is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final

PICTURES: Final[Mapping[str, str]] = {
    "evaluators.cosmology:likelihood": "evaluators.pictures.cosmology:draw_likelihood",
    "evaluators.learning:boosting": "evaluators.pictures.learning:draw_skin",
    "evaluators.learning:cnn": "evaluators.pictures.learning:draw_digits",
    "evaluators.learning:elastic_net": "evaluators.pictures.learning:draw_digits",
    "evaluators.learning:mlp": "evaluators.pictures.learning:draw_digits",
    "evaluators.learning:network": "evaluators.pictures.learning:draw_network",
    "evaluators.learning:pic": "evaluators.pictures.learning:draw_proteins",
    "evaluators.robots:push": "evaluators.pictures.push:draw_push",
    "evaluators.rover:rover": "evaluators.pictures.rover:draw_rover",
    "evaluators.vision:faces": "evaluators.pictures.cascade:draw_faces",
    "evaluators.wlan:network": "evaluators.pictures.wlan:draw_access_points",
}
"""For each evaluator that can be drawn, the function that draws it."""


def picture(evaluator: str, parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str | None:
    """The SVG of one finished trial; None for an evaluator that has no picture.

    ``extras`` are what the trial returned, its ``value`` among them.

    Raises:
        EvaluationError: (error) a library that holds what is to be drawn is missing.
    """
    if evaluator not in PICTURES:
        return None
    module, _, function = PICTURES[evaluator].partition(":")
    drawn: str = getattr(importlib.import_module(module), function)(parameters, extras)
    return drawn
