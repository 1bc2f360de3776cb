"""A distribution over a domain that learns from one generation of results after another.

Notation: D coordinates, n of them numbers with more than one position, λ points a generation, C slacks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from orchestrator.algorithms.evolution.bound_folding import folded, folded_deviations, unfolded
from orchestrator.algorithms.evolution.choice_frequencies import ChoiceFrequencies
from orchestrator.algorithms.evolution.distribution_update import updated
from orchestrator.algorithms.evolution.margins import held_up, least_chance, least_deviations
from orchestrator.algorithms.evolution.recombination_weights import Recombination
from orchestrator.algorithms.evolution.restarts import is_over
from orchestrator.algorithms.evolution.search_distribution import SearchDistribution
from orchestrator.algorithms.evolution.sides_of_folds import on_sides_drawn
from orchestrator.algorithms.standing import best_first, standings
from orchestrator.arrays import BoolArray, FloatArray, IndexArray
from orchestrator.unit_cube.domain import Domain


@dataclass(frozen=True, eq=False)
class Result:
    """A (D,) point, its value, NaN where the evaluation failed, and (C,) slacks; with (PASSES, D) ``chances``
    that decide on which side of a bound it was drawn: see `on_sides_drawn`.
    """

    point: FloatArray
    value: float
    slacks: FloatArray
    chances: FloatArray


@dataclass(frozen=True, eq=False)
class Generations:
    """Those of one start, in a ``domain``. ``numbers`` are n of its coordinates, ``normal`` is where they are
    sought, None where there are none, and ``choices`` is where the others are, by their coordinates. Numbers
    without positions that do not come round are sought on a line that is folded into their bounds.
    ``waiting`` are the results of the generation that is not complete.
    """

    domain: Domain
    population: int
    numbers: IndexArray
    normal: SearchDistribution | None
    choices: dict[int, ChoiceFrequencies]
    waiting: tuple[Result, ...] = ()
    bests: tuple[tuple[float, float], ...] = field(default=())

    @classmethod
    def begun(cls, domain: Domain, mean: FloatArray, step: float, population: int) -> Generations:
        """About a (D,) point, with that deviation along each coordinate; choices are drawn evenly."""
        numbers = np.flatnonzero(~domain.is_categorical)
        several = [j for j in numbers if len(domain.coordinates[j].positions) != 1]
        numbers = np.array(several, dtype=np.intp)
        choices = {
            int(j): ChoiceFrequencies.even(domain.coordinates[j])
            for j in np.flatnonzero(domain.is_categorical)
        }
        places = np.where(_folds(domain), unfolded(mean), mean)[numbers]
        normal = SearchDistribution.begun(places, step) if len(numbers) else None
        return cls(domain, population, numbers, normal, choices)._held_up()

    @property
    def completed(self) -> int:
        """How many generations there were."""
        return len(self.bests)

    @property
    def is_over(self) -> bool:
        """Whether another start promises more: see `restarts`."""
        return is_over(self.normal, self.deviations, self.bests, self.domain.dimension, self.population)

    @property
    def deviations(self) -> FloatArray:
        """(n,) of what is drawn, as parts of the ranges."""
        if self.normal is None:
            return np.empty(0)
        straight = self.normal.deviations
        bent = folded_deviations(self.normal.mean, straight)
        return np.where(_folds(self.domain)[self.numbers], bent, straight)

    def draw(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(m, D) those of so many points drawn that lie within the cube, perhaps between positions; m may
        be 0.
        """
        points = self.draw_anywhere(count, rng)
        bounded = points[:, ~self.domain.comes_round]
        return np.asarray(points[((bounded >= 0.0) & (bounded <= 1.0)).all(axis=1)])

    def draw_anywhere(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, D) points, perhaps between positions, and outside of the cube where there are some."""
        points = np.empty((count, self.domain.dimension))
        for j, coordinate in enumerate(self.domain.coordinates):
            if len(coordinate.positions) == 1:
                points[:, j] = coordinate.positions[0]
        if self.normal is not None:
            places = self.normal.draw(count, rng)
            points[:, self.numbers] = np.where(_folds(self.domain)[self.numbers], folded(places), places)
        for j, choice in self.choices.items():
            points[:, j] = choice.draw(count, rng)
        return points

    def told(self, result: Result) -> Generations:
        """After one more result, which completes a generation or does not."""
        waiting = (*self.waiting, result)
        if len(waiting) < self.population:
            return replace(self, waiting=waiting)
        standing = standings(
            np.array([one.value for one in waiting]), np.array([one.slacks for one in waiting])
        )
        order = best_first(standing)
        leading = (float(standing[order[0], 0]), float(standing[order[0], 1]))
        after = replace(self, waiting=(), bests=(*self.bests, leading))
        # Where nothing is better than anything, nothing is learned.
        if (standing == standing[0]).all():
            return after
        chances = np.array([waiting[i].chances for i in order])
        return after._learned(np.array([waiting[i].point for i in order]), chances)

    def _learned(self, points: FloatArray, chances: FloatArray) -> Generations:
        """From (λ, D) points, the best first, and (λ, PASSES, D) chances."""
        recombination = Recombination.of(self.domain.dimension, self.population)
        best = points[: recombination.parents]
        choices = {
            j: choice.updated(
                best[:, j],
                recombination.weights[: recombination.parents],
                recombination.rank_one_rate + recombination.rank_many_rate,
                least_chance(self.population, self.domain.dimension),
            )
            for j, choice in self.choices.items()
        }
        normal = self.normal
        if normal is not None:
            places = on_sides_drawn(
                self._near_mean(points),
                _folds(self.domain)[self.numbers],
                normal,
                chances[:, :, self.numbers],
            )
            normal = updated(normal, places, Recombination.of(len(self.numbers), self.population))
            normal = replace(normal, mean=self._within_a_turn(normal.mean))
        return replace(self, normal=normal, choices=choices)._held_up()

    def _near_mean(self, points: FloatArray) -> FloatArray:
        """(λ, n) their places on its lines, of those that come round by way of the nearer side."""
        assert self.normal is not None
        centre = np.zeros(self.domain.dimension)
        centre[self.numbers] = self.normal.mean
        places = np.where(_folds(self.domain), unfolded(points), points)
        return self.domain.towards(places, centre)[:, self.numbers]

    def _within_a_turn(self, mean: FloatArray) -> FloatArray:
        turning = self.domain.comes_round[self.numbers]
        return np.where(turning, mean - np.floor(mean), mean)

    def _held_up(self) -> Generations:
        if self.normal is None:
            return self
        coordinates = [self.domain.coordinates[j] for j in self.numbers]
        chance = least_chance(self.population, self.domain.dimension)
        least = least_deviations(coordinates, self.normal.mean, chance)
        return replace(self, normal=held_up(self.normal, least))


def _folds(domain: Domain) -> BoolArray:
    """(D,) of which coordinates the line is folded into the bounds."""
    return np.asarray(~domain.is_discrete & ~domain.comes_round)
