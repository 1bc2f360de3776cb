"""ADMM as nodes: each factor climbs its own function, each variable makes its factors agree.

Eqs. 10-17 and Alg. 1 of Bardou, Thiran & Begin 2024, for R starts at once. Per iteration two rounds: factors
say their positions and shares; variables answer with the mean (Eq. 16), their penalty and the shares.

Notation: x (R, d) a factor's positions, x̄ the consensus, λ (R, d) multipliers, η (R,) a variable's penalty,
V_i, F_j, N_i as in `factor_graph`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from orchestrator.maximisers.ascent import Objective
from orchestrator.maximisers.factor_objective import LocalObjective, PartsAndGradients, root
from orchestrator.maximisers.neighbour_shares import ALL, NeighbourShares, gathered_shares
from orchestrator.maximisers.nodes import (
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
from orchestrator.maximisers.sign_ascent import SignAscent

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


class Lagrangian(Objective, Protocol):
    """A factor's augmented Lagrangian (Eq. 15), up to a constant."""

    def gradients(self, X: FloatArray) -> FloatArray:
        """(m, d) gradients alone, for those who look at no values."""
        ...


class LocalMaximiser(Protocol):
    """Climbs a factor's augmented Lagrangian (Eq. 15) from R positions; kept between iterations."""

    def improve(
        self, lagrangian: Callable[[slice], Lagrangian], x: FloatArray, moving: BoolArray, steps: int
    ) -> FloatArray:
        """(R, d) better positions in [0, 1] after about ``steps`` gradients; (d,) ``moving`` ones move.

        ``lagrangian`` gives the function of all R starts, a point each, or of one of them, at any number of
        points.
        """
        ...


class AdmmFactor:
    """Maximises Eq. 15 over one factor's own coordinates and updates its own multipliers (Eq. 17).

    Inputs: ``starts`` (R, d); ``candidates`` (R, C, d), of which the best by this factor alone joins each
    start's first climb; ``movable`` (d,) 1 where a coordinate may move. Result: ``alone`` (R, d), where its
    first climbs led, before it heard of the others.
    """

    finished = True

    def __init__(
        self,
        place: FactorPlace,
        local: LocalObjective,
        settings: Settings,
        inputs: Message,
        climber: LocalMaximiser,
    ) -> None:
        self._place = place
        self._local = local
        self._climber = climber
        self._steps = int(settings["steps"])
        self._movable = inputs["movable"] > 0
        self._agreed = inputs["starts"]
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
        values = (parts.plain + self._local.weight * root(parts.shared)).reshape(R, C)
        best: FloatArray = candidates[np.arange(R), values.argmax(axis=1)]
        return np.where(self._movable, best, self._agreed)

    def _climb(self, x: FloatArray, steps: int) -> FloatArray:
        return self._climber.improve(self._lagrangian, x, self._movable, steps)

    def _write(self) -> Mail:
        share: Message = {}
        if self._place.neighbours:
            share = {"share": self._shares.own_share(self._local.parts(self._x).shared)}
        return {
            variable_name(j): {"position": self._x[:, p], **share}
            for p, j in enumerate(self._place.parameters)
        }

    def _lagrangian(self, rows: slice) -> Lagrangian:
        return _AugmentedLagrangian(
            self._local, self._shares, rows, self._agreed[rows], self._dual[rows], self._penalty[rows]
        )


@dataclass(frozen=True, slots=True)
class _AugmentedLagrangian:
    """Eq. 15 of some starts (``rows``), up to a constant."""

    local: LocalObjective
    shares: NeighbourShares
    rows: slice
    agreed: FloatArray
    dual: FloatArray
    penalty: FloatArray

    def values(self, X: FloatArray) -> FloatArray:
        parts = self.local.parts(X)
        return self._augmented(X, parts.plain, parts.shared)

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        parts = self.local.parts_and_gradients(X)
        return self._augmented(X, parts.plain, parts.shared), self._gradients(X, parts)

    def gradients(self, X: FloatArray) -> FloatArray:
        return self._gradients(X, self.local.parts_and_gradients(X))

    def _gradients(self, X: FloatArray, parts: PartsAndGradients) -> FloatArray:
        price = self.shares.price(parts.shared, self.rows)[:, None]
        gradient: FloatArray = parts.plain_gradient + price * parts.shared_gradient
        gradient -= self.dual
        gradient -= self.penalty * (X - self.agreed)
        return gradient

    def _augmented(self, X: FloatArray, plain: FloatArray, shared: FloatArray) -> FloatArray:
        apart = X - self.agreed
        charge: FloatArray = (self.dual * apart + 0.5 * self.penalty * apart**2).sum(axis=1)
        value: FloatArray = plain + self.shares.roots(shared, self.rows) - charge
        return value


class AdmmVariable:
    """Averages its factors' positions (Eq. 16), judges whether they agree, and balances its penalty.

    The penalty is doubled or halved where one residual is ten times the other (Boyd et al. 2011, section
    3.4.1), and never shrinks after half of the iterations, so that a function that is not concave settles.

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


class SignClimber:
    """The local maximiser: a few steps of `SignAscent`, warm from one iteration to the next."""

    def __init__(self, shape: tuple[int, ...], settings: Settings) -> None:
        self._ascent = SignAscent(shape, settings["first_move"], settings["largest_move"])

    def improve(
        self, lagrangian: Callable[[slice], Lagrangian], x: FloatArray, moving: BoolArray, steps: int
    ) -> FloatArray:
        """See `LocalMaximiser.improve`."""
        objective = lagrangian(ALL)
        for _ in range(steps):
            x = self._ascent.move(x, objective.gradients(x) * moving)
        return x


class AdmmProgram:
    """Settings: ``iterations``, ``steps`` (gradients an iteration), ``first_steps``, ``penalty`` (the first),
    ``largest_penalty``, ``tolerance`` (of positions), ``first_move`` and ``largest_move`` (lengths).

    ``climber`` makes the local maximiser of a factor from the shape of its positions and the settings.
    """

    def __init__(self, climber: Callable[[tuple[int, ...], Settings], LocalMaximiser] = SignClimber) -> None:
        self._climber = climber

    def limits(self, settings: Settings) -> Sequence[int]:
        """Two rounds an iteration."""
        return (2 * int(settings["iterations"]),)

    def factor_node(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> Node:
        """See `AdmmFactor`."""
        return AdmmFactor(place, local, settings, inputs, self._climber(inputs["starts"].shape, settings))

    def variable_node(self, place: VariablePlace, settings: Settings, inputs: Message) -> Node:
        """See `AdmmVariable`."""
        return AdmmVariable(place, settings, inputs)

    def factor_result(self, inputs: Message) -> Shapes:
        """See `AdmmFactor`."""
        return {"alone": inputs["starts"].shape}

    def variable_result(self, inputs: Message) -> Shapes:
        """See `AdmmVariable`."""
        return {"position": inputs["starts"].shape, "residual": inputs["starts"].shape}
