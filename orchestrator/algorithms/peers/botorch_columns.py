"""The domain as BoTorch sees it: one column a coordinate that varies, categories by their number.

Notation: D coordinates, K columns (K <= D: a coordinate with one position is left out), n points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import torch
from botorch.models.transforms.input import InputTransform, NumericToCategoricalEncoding
from torch import Tensor
from torch.nn.functional import one_hot

from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True)
class Columns:
    """Points of ``domain`` to tensors and back. Columns lie in [0, 1], but for those of categories."""

    domain: Domain

    @cached_property
    def coordinates(self) -> tuple[int, ...]:
        """(K,) the coordinate of each column."""
        return tuple(i for i, c in enumerate(self.domain.coordinates) if len(c.positions) != 1)

    @cached_property
    def categories(self) -> dict[int, int]:
        """Column to number of categories, for the categorical ones."""
        axes = self.domain.coordinates
        return {
            column: len(axes[i].positions)
            for column, i in enumerate(self.coordinates)
            if axes[i].kind == "categorical"
        }

    @cached_property
    def positions(self) -> dict[int, list[float]]:
        """Column to feasible values, for the ordinal ones."""
        axes = self.domain.coordinates
        return {
            column: list(axes[i].positions)
            for column, i in enumerate(self.coordinates)
            if axes[i].kind == "ordinal"
        }

    @cached_property
    def bounds(self) -> Tensor:
        """(2, K)."""
        bounds = torch.tensor([[0.0], [1.0]], dtype=torch.double).repeat(1, len(self.coordinates))
        for column, values in self.positions.items():
            bounds[0, column], bounds[1, column] = values[0], values[-1]
        for column, count in self.categories.items():
            bounds[1, column] = count - 1
        return bounds

    def encoding(self) -> InputTransform | None:
        """Categories to indicator columns, for a model that has no kernel for them; None if there are
        none.
        """
        if not self.categories:
            return None
        return NumericToCategoricalEncoding(
            len(self.coordinates),
            self.categories,
            {column: partial(one_hot, num_classes=count) for column, count in self.categories.items()},
        )

    def tensor(self, points: FloatArray) -> Tensor:
        """(n, D) feasible points to (n, K)."""
        columns = np.array(points[:, list(self.coordinates)])
        for column in self.categories:
            grid = self.domain.coordinates[self.coordinates[column]].grid
            columns[:, column] = np.abs(columns[:, [column]] - grid).argmin(axis=1)
        return torch.as_tensor(columns, dtype=torch.double)

    def points(self, tensor: Tensor) -> FloatArray:
        """(n, K) to (n, D) feasible points, the nearest ones."""
        columns = tensor.detach().numpy()
        points = np.zeros((len(columns), self.domain.dimension))
        for column, i in enumerate(self.coordinates):
            values = columns[:, column]
            if column in self.categories:
                values = self.domain.coordinates[i].grid[np.rint(values).astype(int)]
            points[:, i] = values
        return self.domain.snap(points)
