"""The simplest programs: each factor computes its parts at given points, and nobody says anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.maximisers.factors.factor_objective import LocalObjective
from orchestrator.maximisers.message_passing.nodes import (
    FactorPlace,
    Mail,
    Message,
    Node,
    Settings,
    Shapes,
    VariablePlace,
)


class _SilentNode:
    """A node without neighbours to listen to."""

    finished = True

    def __init__(self, name: str, result: Message) -> None:
        self.name = name
        self._result = result

    def begin(self, phase: int) -> None:
        del phase

    def outgoing(self) -> Mail:
        return {}

    def receive(self, mail: Mail) -> None:
        del mail

    def result(self) -> Message:
        return self._result


class ValueProgram:
    """``points`` (n, d) in, ``plain`` and ``shared`` (n,) and ``weight`` () out, for each factor.

    A factor that is given no points has no result. ``gradients``: whether ``plain_gradient`` and
    ``shared_gradient`` (n, d) come as well.
    """

    def __init__(self, gradients: bool = False) -> None:
        self._gradients = gradients

    def limits(self, settings: Settings) -> Sequence[int]:
        """No rounds at all."""
        del settings
        return (0,)

    def factor_node(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> Node:
        """Computes at once."""
        del settings
        if "points" not in inputs:
            return _SilentNode(place.name, {})
        points, weight = inputs["points"], np.array(local.weight, dtype=float)
        if self._gradients:
            return _SilentNode(place.name, {**local.parts_and_gradients(points)._asdict(), "weight": weight})
        return _SilentNode(place.name, {**local.parts(points)._asdict(), "weight": weight})

    def variable_node(self, place: VariablePlace, settings: Settings, inputs: Message) -> Node:
        """Has no part in it."""
        del settings, inputs
        return _SilentNode(place.name, {})

    def factor_result(self, inputs: Message) -> Shapes:
        """See `ValueProgram`."""
        if "points" not in inputs:
            return {}
        points = inputs["points"].shape
        values: Shapes = {"plain": points[:1], "shared": points[:1], "weight": ()}
        if not self._gradients:
            return values
        return {**values, "plain_gradient": points, "shared_gradient": points}

    def variable_result(self, inputs: Message) -> Shapes:
        """It holds nothing."""
        del inputs
        return {}
