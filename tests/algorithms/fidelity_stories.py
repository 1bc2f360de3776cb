"""Functions of two parameters and of how closely they are looked at, and searches of these."""

from dataclasses import replace

import numpy as np

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.algorithms.refits import bring_up_to_date
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain
from orchestrator.unit_cube.fidelity_levels import Levels

POSITIONS = np.linspace(0.0, 1.0, 6)
LEVELS = Levels(2, POSITIONS, 0.05 + 0.95 * POSITIONS**2)


def biased(x, z):
    """A hill at (0.3, 0.6), which less fidelity sees elsewhere and lower; its height is 0."""
    top = np.array([0.3, 0.6]) + 0.15 * (1.0 - z)
    return -float(np.sum((x - top) ** 2) + 0.3 * (1.0 - z) + 0.05 * (1.0 - np.cos(9.0 * (x[0] - top[0]))))


def alike(x, z):
    """Whatever the fidelity; the few values do not tell all of it."""
    return float(np.sin(6 * x[0]) + np.cos(7 * x[1]))


def unlike(x, z):
    """One fidelity says nothing of another."""
    return float(np.sin(40 * z) * np.cos(9 * x[0] + 30 * z) + x[1] * np.cos(55 * z))


class OnlyWhereFull:
    """Ties by which the first coordinate is small unless the last is 1."""

    named = np.array([True, False, True])
    known = np.empty((0, 3))
    known_evenly = False
    subsets = None

    def hold(self, points):
        return self.gaps(points)[:, 0] >= 0.0

    def gaps(self, points):
        return (0.5 + 0.5 * (points[:, 2] >= 1.0) - points[:, 0])[:, None]


def problem(levels=LEVELS, *, tied=False, seed=0):
    listed = tuple(sorted(levels.positions.tolist()))
    coordinates = (Coordinate(), Coordinate(), Coordinate("ordinal", listed))
    domain = Domain(coordinates, OnlyWhereFull() if tied else None)
    return Problem(domain, seed=seed, noise=Noise("known", 0.0), fidelity=levels)


def refitted(algorithm):
    bring_up_to_date(algorithm)
    return algorithm


def believing(function, noise=0.0):
    """`auto` after twelve results from everywhere, at all levels, that are told to have so much noise."""
    algorithm = registry.build("auto", replace(problem(), noise=Noise("known", noise)))
    points = problem().domain.sample(12, np.random.default_rng(3))
    algorithm.tell([Observation(i + 1, p, function(p[:2], p[2])) for i, p in enumerate(points)])
    return refitted(algorithm)


def suggested(function, told, budget, **options):
    """What is suggested of a problem until that costs so much, and the values."""
    algorithm, levels = registry.build("auto", told, options), told.fidelity
    suggestions, spent = [], 0.0
    while spent < budget - 1e-9:
        trial = len(suggestions) + 1
        (suggestion,) = algorithm.ask(1, [], AskKey(trial, trial))
        value = function(suggestion.point[:2], suggestion.point[2])
        algorithm.tell([Observation(trial, suggestion.point, value)])
        refitted(algorithm)
        suggestions.append((suggestion, value))
        spent += float(levels.costs_of(suggestion.point[None, :])[0])
    return suggestions


def searched(function, budget, *, levels=LEVELS, tied=False, seed=0):
    """The points and values of a search that may cost so much, and what ties the points."""
    own = Levels(levels.coordinate, levels.positions, levels.costs, budget)
    told = problem(own, tied=tied, seed=seed)
    trials = [(suggestion.point, value) for suggestion, value in suggested(function, told, budget)]
    return trials, lambda point: bool(told.domain.feasible(point[None, :])[0])
