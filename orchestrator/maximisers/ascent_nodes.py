"""Gradient ascent of the whole sum, by neighbours: the last step after ADMM, on points all agree on.

Per iteration two rounds: each factor says the gradient of its own parts at the common point, with its share;
each variable adds up its factors' gradients, takes a step of its own (`SignAscent`), and says where it is.
Gradients use the neighbours' shares of the step before, which at rest are exact.

Notation: R points moved at once, V_i, F_j as in `factor_graph`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from orchestrator.maximisers.factor_objective import LocalObjective
from orchestrator.maximisers.neighbour_shares import NeighbourShares, gathered_shares
from orchestrator.maximisers.nodes import (
    FactorPlace,
    Mail,
    Message,
    Node,
    Settings,
    VariablePlace,
    factor_name,
    variable_name,
)
from orchestrator.maximisers.sign_ascent import SignAscent

FloatArray = NDArray[np.float64]


class AscentFactor:
    """Tells its variables how the whole changes with them, as far as this factor can see.

    Inputs: ``starts`` (R, d).
    """

    finished = True

    def __init__(self, place: FactorPlace, local: LocalObjective, inputs: Message) -> None:
        self._place = place
        self._local = local
        self._x = inputs["starts"]
        self._shares = NeighbourShares(place, local.weight, len(self._x))
        self._letters = self._write()

    @property
    def name(self) -> str:
        return self._place.name

    def begin(self, phase: int) -> None:
        del phase

    def outgoing(self) -> Mail:
        return self._letters

    def receive(self, mail: Mail) -> None:
        if not mail:
            self._letters = {}
            return
        self._x = np.stack([mail[variable_name(j)]["position"] for j in self._place.parameters], axis=1)
        self._shares.learn(mail)
        self._letters = self._write()

    def result(self) -> Message:
        return {}

    def _write(self) -> Mail:
        parts = self._local.parts_and_gradients(self._x)
        price = self._shares.price(parts.shared)
        gradient = parts.plain_gradient + price[:, None] * parts.shared_gradient
        share = self._shares.own_share(parts.shared)
        return {
            variable_name(j): {"gradient": gradient[:, p], "share": share}
            for p, j in enumerate(self._place.parameters)
        }


class AscentVariable:
    """Moves its own coordinate. Inputs: ``starts`` (R,), ``movable`` () 1 if it may move at all."""

    def __init__(self, place: VariablePlace, settings: Settings, inputs: Message) -> None:
        self._place = place
        self._x = inputs["starts"]
        self._movable = float(inputs["movable"])
        self._tolerance = settings["tolerance"]
        self._ascent = SignAscent(self._x.shape, settings["first_move"], settings["largest_move"])
        self._answer: Message = {}
        self.finished = False

    @property
    def name(self) -> str:
        return self._place.name

    def begin(self, phase: int) -> None:
        del phase

    def outgoing(self) -> Mail:
        return {factor_name(i): self._answer for i in self._place.factors} if self._answer else {}

    def receive(self, mail: Mail) -> None:
        if not mail:
            self._answer = {}
            return
        messages = [mail[factor_name(i)] for i in self._place.factors]
        gradient = np.stack([message["gradient"] for message in messages]).sum(axis=0)
        self._x = self._ascent.move(self._x, self._movable * gradient)
        self.finished = bool(self._ascent.reach.max(initial=0.0) <= self._tolerance)
        self._answer = {"position": self._x, "shares": gathered_shares(messages)}

    def result(self) -> Message:
        return {"position": self._x}


class AscentProgram:
    """Settings: ``iterations``, ``tolerance`` (of positions), ``first_move``, ``largest_move`` (lengths)."""

    def limits(self, settings: Settings) -> Sequence[int]:
        """Two rounds an iteration."""
        return (2 * int(settings["iterations"]),)

    def factor_node(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> Node:
        """See `AscentFactor`."""
        del settings
        return AscentFactor(place, local, inputs)

    def variable_node(self, place: VariablePlace, settings: Settings, inputs: Message) -> Node:
        """See `AscentVariable`."""
        return AscentVariable(place, settings, inputs)
