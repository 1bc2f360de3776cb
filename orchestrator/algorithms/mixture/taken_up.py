"""Whether the next evaluation goes on from an earlier one, which looked less closely at the same settings.

What a point promises at full fidelity, times the part of what is not known of it that an evaluation tells, is
weighed against what that costs: of settings that were begun the difference alone.

Notation: L levels, D coordinates, b settings that were begun.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turn
from orchestrator.algorithms.base import Suggestion
from orchestrator.algorithms.mixture.begun_settings import Begun
from orchestrator.algorithms.mixture.everywhere import LITTLE, promises
from orchestrator.algorithms.mixture.fidelity_chooser import FidelityChooser
from orchestrator.algorithms.mixture.ground import Ground
from orchestrator.algorithms.mixture.learned import Learned
from orchestrator.algorithms.mixture.other_places import moved
from orchestrator.algorithms.mixture.proposal import explained
from orchestrator.arrays import FloatArray

# Of the settings that were begun, so many that promise most for what they cost to the end are weighed.
WEIGHED = 8


@dataclass(frozen=True, eq=False, slots=True)
class _Weighed:
    """A (D,) point at which an evaluation goes on from what was ``begun``: the part that it tells, what is
    left to pay for it, and the logarithm of what it is expected to gain for that.
    """

    begun: Begun
    point: FloatArray
    told: float
    cost: float
    log_worth: float


def taken_up(
    new: Suggestion, chooser: FidelityChooser, learned: Learned, turn: Turn, ground: Ground, *, full: bool
) -> Suggestion:
    """A suggestion, or what promises more for its cost and goes on from an earlier evaluation; ``full``: of
    these those at full fidelity.

    What is tried because the models may be wrong stays, and so does the region's where little is expected
    elsewhere.
    """
    if chooser.begun is None or new.why.get("source") != "model" or new.why.get("search") == "doubting":
        return new
    begun = list(chooser.begun.left(chooser.history.values, turn.running))
    ends = np.array([chooser.candidates(one.point)[-1] for one in begun]).reshape(-1, len(new.point))
    kept = np.flatnonzero(turn.domain.contains(ends) & turn.exclusion.allows(ends))
    if not len(kept):
        return new
    here, coordinate = chooser.candidates(new.point), chooser.levels.coordinate
    gains = promises(learned.sought, ground, np.vstack([here[-1:], ends[kept]]))
    level = int(np.abs(here[:, coordinate] - new.point[coordinate]).argmin())
    told = chooser.told(here, learned.belief, turn.running)
    least = gains[0] + _log(told / chooser.costs_at(new.point))[level]
    above = chooser.history.above_median
    enough = math.log(LITTLE * above) if new.why.get("search") == "local" and above > 0.0 else -math.inf
    log_gains = dict(zip(kept.tolist(), gains[1:], strict=True))
    at_full = chooser.priced.costs[-1:]
    rests = {i: chooser.priced.rest(at_full, begun[i].position)[0] for i in log_gains}
    to_the_end = {i: gain - math.log(rests[i]) for i, gain in log_gains.items()}
    found: _Weighed | None = None
    for i in sorted(to_the_end, key=lambda i: -to_the_end[i])[:WEIGHED]:
        if log_gains[i] >= enough:
            weighed = _weighed(chooser, learned, turn, begun[i], log_gains[i], full=full)
            if weighed.log_worth > (least if found is None else found.log_worth):
                found = weighed
    return new if found is None else _explained(found, chooser, learned, ground)


def _weighed(
    chooser: FidelityChooser, learned: Learned, turn: Turn, begun: Begun, log_gain: float, *, full: bool
) -> _Weighed:
    """The closer look that is worth most for what is left to pay for it; minus infinity where none may be."""
    candidates = chooser.candidates(begun.point)
    positions = candidates[:, chooser.levels.coordinate]
    allowed = chooser.levels.are_closer(positions, begun.position)
    allowed &= chooser.history.exclusion(list(turn.running)).allows(candidates)
    if full:
        allowed[:-1] = False
    told, costs = chooser.told(candidates, learned.belief, turn.running), chooser.costs_at(begun.point)
    log_worth = np.where(allowed, log_gain + _log(told / costs), -math.inf)
    # Of two that are worth as much, the one that tells more.
    level = len(log_worth) - 1 - int(np.argmax(log_worth[::-1]))
    return _Weighed(
        begun, candidates[level], float(told[level]), float(costs[level]), float(log_worth[level])
    )


def _explained(found: _Weighed, chooser: FidelityChooser, learned: Learned, ground: Ground) -> Suggestion:
    why = {"told": found.told, "cost": found.cost}
    if chooser.learned is not None:
        why["evaluations"] = len(chooser.learned)
    at_full = chooser.candidates(found.point)[-1]
    told = {"search": "taken up", **ground.chance(ground.domain.embed(at_full[None, :]))}
    suggestion = explained(learned.belief.leader, ground, at_full, told)
    return moved(suggestion, found.point, chooser.problem.domain, learned.belief, {"fidelity": why})


def _log(worth: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(worth))
