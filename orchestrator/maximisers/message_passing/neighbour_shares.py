"""What a factor knows of the shared parts around it, from what its variables pass on.

A factor's message to its variables carries a *share*: its own shared part v, the sum c of its neighbours'
as it last knew them, and its weight w. Each variable passes the shares of its factors on (Alg. 1 of Bardou
et al. 2024, lines 14 and 18), and so each factor learns those of N_i, one iteration old.

Notation: R starts moved at once, N_i the factors that share a parameter with factor i.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import root_slope
from orchestrator.maximisers.message_passing.nodes import FactorPlace, Mail, Message, variable_name


class NeighbourShares:
    """The shares of one factor's neighbours. ``weight`` is the factor's own, ``starts`` is R."""

    def __init__(self, place: FactorPlace, weight: float, starts: int) -> None:
        self._place = place
        self._neighbours = place.neighbours
        self._weight = weight
        self._own = self._own_before = np.zeros(starts)
        self._surroundings = np.zeros(starts)
        self._rests = np.zeros((0, starts))
        self._weights = np.zeros((0, starts))

    def own_share(self, shared: FloatArray) -> FloatArray:
        """(3, R) the share to tell the variables, from the (R,) present shared part; once an iteration."""
        self._own, self._own_before = shared, self._own
        return np.stack([shared, self._surroundings, np.full(len(shared), self._weight)])

    def learn(self, mail: Mail) -> None:
        """Take over what the variables passed on."""
        if not self._neighbours:
            return
        known: dict[int, FloatArray] = {}
        for parameter, sharers in zip(self._place.parameters, self._place.sharers, strict=True):
            message = mail.get(variable_name(parameter))
            if message is not None:
                known.update(zip(sharers, message["shares"], strict=True))
        shares = np.stack([known[k] for k in self._neighbours])
        self._surroundings = shares[:, 0].sum(axis=0)
        # A neighbour's root stands over v_k + c_k, in which this factor's own part of an iteration before was
        # counted once.
        self._rests = np.maximum(shares[:, 0] + shares[:, 1] - self._own_before, 0.0)
        self._weights = shares[:, 2]

    def price(self, shared: FloatArray) -> FloatArray:
        """(R,) what a unit of the (R,) present shared part is worth in all roots that it stands under."""
        worth: FloatArray = self._weight * root_slope(shared + self._surroundings)
        if len(self._rests):
            worth = worth + (self._weights * root_slope(shared + self._rests)).sum(axis=0)
        return worth


def gathered_shares(messages: Sequence[Message]) -> Message:
    """What a variable passes on: its factors' ``shares`` (|F_j|, 3, R) in the order of F_j, if they have any.

    Factors without neighbours under their roots say none, and nobody misses them.
    """
    if not all("share" in message for message in messages):
        return {}
    return {"shares": np.stack([message["share"] for message in messages])}
