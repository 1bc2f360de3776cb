"""ADMM as nodes: each factor climbs its own function, each variable makes its factors agree.

Eqs. 10-17 and Alg. 1 of Bardou, Thiran & Begin 2024, for R starts at once. Per iteration two rounds: factors
say their positions and shares; variables answer with the mean (Eq. 16), their penalty and the shares.

Notation: x (R, d) a factor's positions, x̄ the consensus, λ (R, d) multipliers, η (R,) a variable's penalty,
V_i, F_j, N_i as in `factor_graph`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.climbs.sign_ascent import SignAscent
from orchestrator.maximisers.factors.factor_objective import LocalObjective, alone
from orchestrator.maximisers.message_passing.neighbour_shares import NeighbourShares, gathered_shares
from orchestrator.maximisers.message_passing.nodes import (
    FactorPlace,
    Mail,
    Message,
    Node,
    Settings,
    Shapes,
    VariablePlace,
    factor_name,
    variable_name,
)
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

MOVES: Settings = {"first_move": 0.05, "largest_move": 0.2}
"""Of those of `AdmmProgram`: lengths of a coordinate's steps."""


def inputs_of_climbs(
    graph: FactorGraph, starts: FloatArray, candidates: FloatArray, movable: FloatArray
) -> dict[str, Message]:
    """What the nodes of a graph are given: (R, D) starts, (R, C, D) candidates to begin the first climb of
    each, and (D,) 1 where a coordinate may move.
    """
    factors: dict[str, Message] = {
        factor_name(i): {"starts": starts[:, v], "candidates": candidates[:, :, v], "movable": movable[v]}
        for i, v in enumerate(graph.indices)
    }
    return factors | {variable_name(j): {"starts": starts[:, j]} for j in range(graph.dimension)}


class AdmmFactor:
    """Maximises Eq. 15 over one factor's own coordinates and updates its own multipliers (Eq. 17).

    Inputs: ``starts`` (R, d); ``candidates`` (R, C, d), of which the best by this factor alone joins each
    start's first climb; ``movable`` (d,) 1 where a coordinate may move. Result: ``alone`` (R, d), where its
    first climbs led, before it heard of the others.

    It climbs by a few steps of `SignAscent`, which stays warm from one iteration to the next.
    """

    finished = True

    def __init__(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> None:
        self._place = place
        self._local = local
        self._steps = int(settings["steps"])
        self._movable = inputs["movable"] > 0
        self._agreed = inputs["starts"]
        self._ascent = SignAscent(self._agreed.shape, settings["first_move"], settings["largest_move"])
        self._dual = np.zeros(self._agreed.shape)
        shared_by_others = np.array([len(near) > 1 for near in place.sharers])
        self._penalty = np.where(shared_by_others, settings["penalty"], 0.0) * np.ones(self._agreed.shape)
        self._shares = NeighbourShares(place, local.weight, len(self._agreed))
        self._x = self._climb(self._best_candidates(inputs["candidates"]), int(settings["first_steps"]))
        self._alone = self._x
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
        answers = [mail[variable_name(j)] for j in self._place.parameters]
        self._agreed = np.stack([answer["mean"] for answer in answers], axis=1)
        self._dual = self._dual + self._penalty * (self._x - self._agreed)
        self._penalty = np.stack([answer["penalty"] for answer in answers], axis=1)
        self._shares.learn(mail)
        self._x = self._climb(self._x, self._steps)
        self._letters = self._write()

    def result(self) -> Message:
        return {"alone": self._alone}

    def _best_candidates(self, candidates: FloatArray) -> FloatArray:
        R, C, d = candidates.shape
        if C == 0:
            return self._agreed
        parts = self._local.parts(candidates.reshape(R * C, d))
        values = alone(self._local.weight, *parts).reshape(R, C)
        best: FloatArray = candidates[np.arange(R), values.argmax(axis=1)]
        return np.where(self._movable, best, self._agreed)

    def _climb(self, x: FloatArray, steps: int) -> FloatArray:
        for _ in range(steps):
            x = self._ascent.move(x, self._gradients(x) * self._movable)
        return x

    def _gradients(self, x: FloatArray) -> FloatArray:
        """(R, d) of the augmented Lagrangian (Eq. 15), at a position of each start."""
        parts = self._local.parts_and_gradients(x)
        price = self._shares.price(parts.shared)[:, None]
        gradient: FloatArray = parts.plain_gradient + price * parts.shared_gradient
        gradient -= self._dual
        gradient -= self._penalty * (x - self._agreed)
        return gradient

    def _write(self) -> Mail:
        share: Message = {}
        if self._place.neighbours:
            share = {"share": self._shares.own_share(self._local.parts(self._x).shared)}
        return {
            variable_name(j): {"position": self._x[:, p], **share}
            for p, j in enumerate(self._place.parameters)
        }


class AdmmVariable:
    """Averages its factors' positions (Eq. 16), judges whether they agree, and balances its penalty.

    The penalty is doubled or halved where one residual is ten times the other (Boyd et al. 2011, section
    3.4.1); after half of the iterations it grows, by a fifth at least, so that a function that is not concave
    settles.

    Inputs: ``starts`` (R,). Result: ``position``, the mean, and ``residual``, the furthest of the factors'
    positions from it, both (R,).
    """

    def __init__(self, place: VariablePlace, settings: Settings, inputs: Message) -> None:
        self._place = place
        self._tolerance = settings["tolerance"]
        self._settling = settings["iterations"] / 2
        self._largest_penalty = settings["largest_penalty"]
        self._mean = inputs["starts"]
        self._penalty = np.full(len(self._mean), settings["penalty"] if len(place.factors) > 1 else 0.0)
        self._answer: Message = {}
        self._iteration = 0
        self._residual = np.ones(len(self._mean))
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
        positions = np.stack([message["position"] for message in messages])
        before, self._mean = self._mean, positions.mean(axis=0)
        primal = np.abs(positions - self._mean).max(axis=0)
        moved = np.abs(self._mean - before)
        self._iteration += 1
        self._balance(primal, moved)
        self._residual = primal
        self.finished = bool((np.maximum(primal, moved) <= self._tolerance).all())
        self._answer = {"mean": self._mean, "penalty": self._penalty, **gathered_shares(messages)}

    def result(self) -> Message:
        return {"position": self._mean, "residual": self._residual}

    def _balance(self, primal: FloatArray, moved: FloatArray) -> None:
        dual = self._penalty * moved
        change = np.where(primal > 10.0 * dual, 2.0, 1.0)
        if self._iteration <= self._settling:
            change = np.where(dual > 10.0 * primal, 0.5, change)
        else:
            change = np.maximum(change, 1.2)
        self._penalty = np.minimum(self._penalty * change, self._largest_penalty)


class AdmmProgram:
    """Settings: ``iterations``, ``steps`` (gradients an iteration), ``first_steps``, ``penalty`` (the first),
    ``largest_penalty``, ``tolerance`` (of positions), ``first_move`` and ``largest_move`` (lengths).
    """

    def limits(self, settings: Settings) -> Sequence[int]:
        """Two rounds an iteration."""
        return (2 * int(settings["iterations"]),)

    def factor_node(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> Node:
        """See `AdmmFactor`."""
        return AdmmFactor(place, local, settings, inputs)

    def variable_node(self, place: VariablePlace, settings: Settings, inputs: Message) -> Node:
        """See `AdmmVariable`."""
        return AdmmVariable(place, settings, inputs)

    def factor_result(self, inputs: Message) -> Shapes:
        """See `AdmmFactor`."""
        return {"alone": inputs["starts"].shape}

    def variable_result(self, inputs: Message) -> Shapes:
        """See `AdmmVariable`."""
        return {"position": inputs["starts"].shape, "residual": inputs["starts"].shape}
