"""Max-sum as nodes, on positions given for each parameter.

Eqs. 3-4 of Hoang, Hoang, Ouyang & Low 2018. Phase 0 passes messages, all nodes at once, until none changes;
phase 1 reads the answer off: the factors decide in turn, each jointly for the parameters that nobody decided
before it, so that ties cannot mix two answers.

Notation: g_p positions of a factor's p-th parameter, T (g_1, ..., g_d) its table, m messages over positions,
V_i, F_j as in `factor_graph`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orchestrator.arrays import FloatArray
from orchestrator.maximisers.factors.factor_objective import LocalObjective, alone
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

PASSING, DECIDING = 0, 1
_ROWS_AT_ONCE = 4096


class MaxSumFactor:
    """Tabulates its function once, then answers from the table. Inputs: ``positions:p`` (g_p,) for each p."""

    def __init__(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> None:
        self._place = place
        self._damping = settings["damping"]
        self._tolerance = settings["tolerance"]
        positions = [inputs[f"positions:{p}"] for p in range(len(place.parameters))]
        self._table = _tabulate(local, positions)
        self._incoming = [np.zeros(len(own)) for own in positions]
        self._said = [np.zeros(len(own)) for own in positions]
        self._decided: list[int | None] = [None] * len(positions)
        self._phase = PASSING
        self.finished = False
        self._letters: Mail = {}

    @property
    def name(self) -> str:
        return self._place.name

    def begin(self, phase: int) -> None:
        self._phase = phase
        self.finished = False
        self._letters = self._pass_messages() if phase == PASSING else self._decide_if_due()

    def outgoing(self) -> Mail:
        return self._letters

    def receive(self, mail: Mail) -> None:
        for p, j in enumerate(self._place.parameters):
            message = mail.get(variable_name(j))
            if message is None:
                continue
            if self._phase == PASSING:
                self._incoming[p] = message["utility"]
            else:
                self._decided[p] = int(message["decided"])
        self._letters = self._pass_messages() if self._phase == PASSING else self._decide_if_due()

    def result(self) -> Message:
        return {}

    def _pass_messages(self) -> Mail:
        total = self._with_messages(range(len(self._incoming)))
        letters: dict[str, Message] = {}
        change = 0.0
        for p, j in enumerate(self._place.parameters):
            others = tuple(axis for axis in range(total.ndim) if axis != p)
            message = total.max(axis=others) - self._incoming[p]
            # Only differences matter, and without this they drown on a graph with loops.
            message -= message.max()
            message = (1.0 - self._damping) * message + self._damping * self._said[p]
            change = max(change, float(np.abs(message - self._said[p]).max()))
            self._said[p] = message
            letters[variable_name(j)] = {"utility": message}
        self.finished = change <= self._tolerance * max(1.0, float(np.ptp(self._table)))
        return letters

    def _decide_if_due(self) -> Mail:
        awaited = [p for p, mine in enumerate(self._place.decides) if not mine and self._decided[p] is None]
        if self.finished or awaited:
            return {}
        own = [p for p, mine in enumerate(self._place.decides) if mine]
        self.finished = True
        if not own:
            return {}
        total = self._with_messages(own)
        chosen = total[tuple(slice(None) if at is None else at for at in self._decided)]
        best = np.unravel_index(int(np.argmax(chosen)), chosen.shape)
        return {
            variable_name(self._place.parameters[p]): {"decided": np.array(float(at))}
            for p, at in zip(own, best, strict=True)
        }

    def _with_messages(self, axes: Sequence[int]) -> FloatArray:
        total = self._table
        for p in axes:
            shape = [1] * self._table.ndim
            shape[p] = -1
            total = total + self._incoming[p].reshape(shape)
        return total


class MaxSumVariable:
    """Adds up what its other factors say (Eq. 3, second line).

    Inputs: ``positions`` (g,). Result: ``decided`` (), the number of one of them, once the factors decided.
    """

    def __init__(self, place: VariablePlace, settings: Settings, inputs: Message) -> None:
        self._place = place
        self._tolerance = settings["tolerance"]
        self._heard = {i: np.zeros(len(inputs["positions"])) for i in place.factors}
        self._decided: int | None = None
        self._phase = PASSING
        self._letters: Mail = {}
        self.finished = False

    @property
    def name(self) -> str:
        return self._place.name

    def begin(self, phase: int) -> None:
        self._phase = phase
        self.finished = False
        self._letters = {}

    def outgoing(self) -> Mail:
        return self._letters

    def receive(self, mail: Mail) -> None:
        if self._phase == DECIDING:
            self._letters = {}
            for message in mail.values():
                self._decided = int(message["decided"])
                told = {"decided": np.array(float(self._decided))}
                self._letters = {factor_name(i): told for i in self._place.factors}
                self.finished = True
            return
        heard = {i: mail[factor_name(i)]["utility"] for i in self._place.factors}
        scale = max(1.0, *(float(np.abs(message).max()) for message in heard.values()))
        self.finished = all(np.abs(heard[i] - self._heard[i]).max() <= self._tolerance * scale for i in heard)
        self._heard = heard
        self._letters = {}
        for i in self._place.factors:
            utility = np.zeros(len(heard[i]))
            for k in self._place.factors:
                if k != i:
                    utility = utility + heard[k]
            self._letters[factor_name(i)] = {"utility": utility}

    def result(self) -> Message:
        return {} if self._decided is None else {"decided": np.array(float(self._decided))}


class MaxSumProgram:
    """Settings: ``passes`` and ``decisions`` (most rounds of each phase), ``damping`` in [0, 1) (0 on a tree,
    where max-sum is exact), ``tolerance`` of messages, relative to the table's range.
    """

    def limits(self, settings: Settings) -> Sequence[int]:
        """Passing, then deciding."""
        return (int(settings["passes"]), int(settings["decisions"]))

    def factor_node(
        self, place: FactorPlace, local: LocalObjective, settings: Settings, inputs: Message
    ) -> Node:
        """See `MaxSumFactor`."""
        if place.coupled:
            raise ValueError("max-sum needs a sum of functions of one factor each; these share their roots")
        return MaxSumFactor(place, local, settings, inputs)

    def variable_node(self, place: VariablePlace, settings: Settings, inputs: Message) -> Node:
        """See `MaxSumVariable`."""
        return MaxSumVariable(place, settings, inputs)

    def factor_result(self, inputs: Message) -> Shapes:
        """It holds nothing."""
        del inputs
        return {}

    def variable_result(self, inputs: Message) -> Shapes:
        """See `MaxSumVariable`."""
        del inputs
        return {"decided": ()}


def _tabulate(local: LocalObjective, positions: Sequence[FloatArray]) -> FloatArray:
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*positions, indexing="ij")], axis=1)
    values = np.empty(len(grid))
    for start in range(0, len(grid), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        values[rows] = alone(local.weight, *local.parts(grid[rows]))
    return values.reshape([len(own) for own in positions])
