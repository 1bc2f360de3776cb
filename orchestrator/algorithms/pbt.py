"""PBT: a population of trainings, settings changed at random (Jaderberg et al. 2017)."""

from __future__ import annotations

from typing import ClassVar

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.ask_and_tell.without_refits import WithoutRefits
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.population.perturbed import perturbed
from orchestrator.algorithms.population.population_search import PopulationSearch
from orchestrator.algorithms.population.trainings import Piece
from orchestrator.arrays import FloatArray
from orchestrator.unit_cube.domain import Domain


class Pbt(WithoutRefits, PopulationSearch):
    """At the end of a piece the worst quarter goes on from what one of the best quarter left, with its
    settings changed at random.

    Source: Jaderberg et al. 2017, Algorithm 1, with truncation selection.

    Deviations: a training is compared with those that ended the same piece before it, those that went
    another way since included. Settings move by a tenth of their range in the unit cube, on whichever scale,
    or, one in four, are drawn anew; a choice is drawn anew or stays. The first settings are a Sobol
    sequence. What goes on from a piece that an evaluation failed to go on from has other settings. When all
    have come to all steps, further trainings begin.
    """

    name: ClassVar[str] = "pbt"

    def _changed(self, source: Piece, point: FloatArray, turn: Turn, domain: Domain) -> Suggestion:
        del source
        return Suggestion(perturbed(point, domain, turn.rng), why={"source": "random"})
