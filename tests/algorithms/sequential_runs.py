"""Algorithms driven one point at a time, or several, for stories about what they find."""

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.unit_cube.domain import Domain

EXACT = Noise("known", 0.0)


def build(name, dimension=2, seed=0, noise=EXACT, parallel=1, domain=None, **options):
    domain = domain or Domain.continuous(dimension)
    return registry.build(name, Problem(domain, seed=seed, noise=noise, parallel=parallel), options)


def step(algorithm, trial, objective):
    """One point asked, evaluated and told."""
    if (number := algorithm.refit_due()) is not None:
        algorithm.adopt(algorithm.compute_refit(number))
    (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
    algorithm.tell([Observation(trial, suggestion.point, objective(suggestion.point))])
    return suggestion


def optimise(algorithm, objective, trials):
    """The suggestions, and the best value."""
    suggestions = [step(algorithm, trial, objective) for trial in range(trials)]
    return suggestions, max(objective(s.point) for s in suggestions)


class Workers:
    """So many evaluations at a time, of which the one that has run longest ends first, or any."""

    def __init__(self, algorithm, workers, order=None):
        self.algorithm = algorithm
        self.workers = workers
        self.order = order
        self.running = {}
        self.asked = 0

    def ask(self):
        """Every free worker is given a point; these suggestions."""
        if (number := self.algorithm.refit_due()) is not None:
            self.algorithm.adopt(self.algorithm.compute_refit(number))
        suggestions = []
        while len(self.running) < self.workers:
            key = AskKey(self.asked, self.asked)
            suggestions += self.algorithm.ask(1, list(self.running.values()), key)
            self.running[self.asked] = suggestions[-1].point
            self.asked += 1
        return suggestions

    def tell(self, objective):
        """One evaluation ends; its trial."""
        trials = list(self.running)
        trial = trials[0] if self.order is None else int(self.order.choice(trials))
        point = self.running.pop(trial)
        self.algorithm.tell([Observation(trial, point, objective(point))])
        return trial


def observations(X, values):
    return [
        Observation(i, x, None if y is None else float(y))
        for i, (x, y) in enumerate(zip(X, values, strict=True))
    ]


def fitted(algorithm, X, values):
    """Told results, with its first refit adopted."""
    algorithm.tell(observations(X, values))
    algorithm.adopt(algorithm.compute_refit(1))
    return algorithm


def hill(point) -> float:
    """One smooth maximum of 0, off centre, narrower in the first parameter."""
    scales = np.linspace(4.0, 1.0, len(point))
    return -float(np.sum(scales * (point - 0.37) ** 2))


def two_hills(point) -> float:
    """The higher one, of 1, is the narrower."""
    broad = 0.7 * np.exp(-8.0 * np.sum((point - 0.75) ** 2))
    narrow = 1.0 * np.exp(-30.0 * np.sum((point - 0.22) ** 2))
    return float(broad + narrow)
