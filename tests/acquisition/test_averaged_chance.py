"""How likely something is where settings are off: the average of a probability, with its gradient."""

from __future__ import annotations

import numpy as np

from orchestrator.acquisition.averaged_chance import AveragedChance
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.settings_off import Off, SettingsOff

PLACES = np.array([0.0, 1.0])
OFF = SettingsOff.of([Off(0, 0.1, PLACES, PLACES)])
POINTS = np.array([[0.5, 0.2], [0.95, 0.7]])


class LogHill:
    """log exp(-20 |x - 0.5|^2)."""

    def values(self, X: FloatArray) -> FloatArray:
        return np.asarray(-20.0 * ((X - 0.5) ** 2).sum(axis=1))

    def values_and_gradients(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.values(X), -40.0 * (X - 0.5)


def test_it_is_the_average_of_probabilities_and_not_of_their_logarithms() -> None:
    expected = [np.exp(LogHill().values(off)).mean() for off in OFF.around(POINTS).points]
    np.testing.assert_allclose(np.exp(AveragedChance(LogHill(), OFF).values(POINTS)), expected)


def test_its_gradient_is_its_slope() -> None:
    chance, step = AveragedChance(LogHill(), OFF), 1e-6
    values, gradients = chance.values_and_gradients(POINTS)
    np.testing.assert_allclose(values, chance.values(POINTS))
    for j in range(2):
        ahead, behind = (chance.values(POINTS + s * step * np.eye(2)[j]) for s in (1, -1))
        np.testing.assert_allclose(gradients[:, j], (ahead - behind) / (2.0 * step), atol=1e-6)
