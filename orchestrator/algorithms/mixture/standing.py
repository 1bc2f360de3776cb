"""What a refit of `auto` leaves: for the next one to go on from, and for the belief that is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.gaussian_process.believed_best import noisy
from orchestrator.algorithms.mixture.hypotheses import Found
from orchestrator.algorithms.mixture.wild_results import NONE_WILD, Wild
from orchestrator.surrogates.decompositions.factor_graph import Decomposition, canonical
from orchestrator.surrogates.scales.warp import Warp


@dataclass(frozen=True)
class Standing:
    """What the last refit left for the next one to go on from.

    ``candidates`` are the likeliest hypotheses as found, the best first, and ``local`` that of the region, if
    there was one; ``factors`` the decomposition believed in, if one was; ``warp`` what draws heavy tails in,
    if they are; ``weighed`` and ``reviewed`` how many results had been told when hypotheses last were so;
    ``considered`` the names of those weighed then, with the log odds of each against the likeliest;
    ``outcomes`` what slacks were found to be like, each with its number, ``further`` the objectives beside
    the value, and ``duration`` the logarithm of evaluations' seconds; ``exact`` whether fits pass through
    every value (`exact_or_noisy`); ``offset_variance`` that of blocks' offsets; ``related`` what is written
    of each related experiment (`related_experiments`); ``wild`` what results look so.
    """

    candidates: tuple[Found, ...] = ()
    factors: Decomposition | None = None
    weighed: int = 0
    reviewed: int = 0
    warp: Warp | None = None
    considered: tuple[tuple[str, float], ...] = ()
    local: Found | None = None
    outcomes: tuple[tuple[int, Found], ...] = ()
    further: tuple[Found, ...] = ()
    duration: Found | None = None
    exact: bool = False
    offset_variance: float = 0.0
    related: tuple[Mapping[str, Any], ...] = ()
    wild: Wild = NONE_WILD

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> Standing:
        """From what `AutoRefit.compute` made."""
        local, duration = payload["local"], payload.get("duration")
        slacks, further = payload.get("outcomes", ()), payload.get("further", ())
        return cls(
            candidates=tuple(Found.from_json(found) for found in payload["candidates"]),
            factors=None if payload["factors"] is None else canonical(payload["factors"]),
            weighed=payload["weighed"],
            reviewed=payload["reviewed"],
            warp=None if payload["warp"] is None else Warp.from_json(payload["warp"]),
            considered=tuple((str(name), float(odds)) for name, odds in payload["considered"]),
            local=None if local is None else Found.from_json(local["found"]),
            outcomes=tuple((one["slack"], Found.from_json(one["found"])) for one in slacks),
            further=tuple(Found.from_json(one["found"]) for one in further),
            duration=None if duration is None else Found.from_json(duration["found"]),
            exact=payload.get("exact", False),
            offset_variance=payload.get("offset_variance", 0.0),
            related=tuple(payload.get("related", ())),
            wild=Wild.of(payload),
        )

    def noisy(self, problem: Problem) -> bool:
        """Whether values, or those of other objectives, are noisy, as far as is known, or was found last: so
        they are where blocks differ by offsets.
        """
        if problem.blocks:
            return True
        found = [*self.candidates[:1], *self.further]
        return any(noisy(problem, one.noise_variance) for one in found) or noisy(problem, None)
