"""A multilayer perceptron with a penalty for each layer, trained with Adam, in numpy.

scikit-learn's has one penalty for all layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
_MEAN_DECAY = 0.9
_SQUARE_DECAY = 0.999
_SMALL = 1e-8


@dataclass
class Perceptron:
    """Rectified hidden layers and a softmax: (n, widths[0]) features to (n, widths[-1]) class scores.

    Attributes:
        widths: units of each layer, features first and classes last.
        penalties: for each hidden layer, the factor of its squared weights in the loss, at least 0.
        learning_rate: Adam's, positive.
        rng: of the first weights and the order of the data.
    """

    widths: list[int]
    penalties: list[float]
    learning_rate: float
    rng: np.random.Generator
    _weights: list[Matrix] = field(init=False)
    _means: list[Matrix] = field(init=False)
    _squares: list[Matrix] = field(init=False)
    _updates: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        pairs = list(zip(self.widths, self.widths[1:], strict=False))
        self._weights = []
        for inputs, outputs in pairs:
            spread = np.float32(np.sqrt(2.0 / inputs))
            self._weights.append(spread * self.rng.standard_normal((inputs, outputs), np.float32))
            self._weights.append(np.zeros((1, outputs), np.float32))
        self._means = [np.zeros_like(w) for w in self._weights]
        self._squares = [np.zeros_like(w) for w in self._weights]

    def epoch(self, features: Matrix, labels: NDArray[np.int64], batch_size: int) -> None:
        """One pass in a new order. Weights that grow beyond all bounds are no error: they classify badly."""
        order = self.rng.permutation(len(features))
        with np.errstate(all="ignore"):
            for start in range(0, len(order), batch_size):
                batch = order[start : start + batch_size]
                self._update(self.gradients(features[batch], labels[batch]))

    def error(self, features: Matrix, labels: NDArray[np.int64]) -> float:
        """The share classified wrongly, 0 to 1."""
        with np.errstate(all="ignore"):
            scores = list(self._forward(features))[-1]
        return float(np.mean(scores.argmax(axis=1) != labels))

    def gradients(self, features: Matrix, labels: NDArray[np.int64]) -> list[Matrix]:
        """Of the mean cross-entropy plus the penalties, by weights and biases in turn, first layer first."""
        layers = list(self._forward(features))
        scores = layers.pop()
        chances: Matrix = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        chances[np.arange(len(labels)), labels] -= 1.0
        slope = chances / np.float32(len(labels))
        found: list[Matrix] = []
        for layer in reversed(range(len(layers))):
            weights = self._weights[2 * layer]
            gradient = layers[layer].T @ slope
            if layer < len(self.penalties):
                gradient += np.float32(2.0 * self.penalties[layer]) * weights
            found[:0] = [gradient, slope.sum(axis=0, keepdims=True)]
            if layer:
                slope = (slope @ weights.T) * (layers[layer] > 0.0)
        return found

    def _forward(self, features: Matrix) -> Iterator[Matrix]:
        """What enters each layer, then the class scores."""
        values = features
        yield values
        last = len(self.widths) - 2
        for layer in range(last + 1):
            values = values @ self._weights[2 * layer] + self._weights[2 * layer + 1]
            if layer < last:
                values = np.maximum(values, np.float32(0.0))
            yield values

    def _update(self, gradients: list[Matrix]) -> None:
        self._updates += 1
        mean_bias = 1.0 - _MEAN_DECAY**self._updates
        square_bias = 1.0 - _SQUARE_DECAY**self._updates
        rate = np.float32(self.learning_rate / mean_bias)
        for weights, mean, square, gradient in zip(
            self._weights, self._means, self._squares, gradients, strict=True
        ):
            mean += np.float32(1.0 - _MEAN_DECAY) * (gradient - mean)
            square += np.float32(1.0 - _SQUARE_DECAY) * (np.square(gradient) - square)
            weights -= rate * mean / (np.sqrt(square / np.float32(square_bias)) + np.float32(_SMALL))
