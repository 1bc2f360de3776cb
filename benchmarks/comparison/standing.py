"""Who is ahead of whom: medians, ranks, a performance profile, and whether the targets are met.

Runs on the same seed saw the same function from the same start, so two algorithms are compared by their
medians over the seeds that both ran. A run that the cap ended counts with what it had found. Regrets below a
billionth of the first point's count as equal, and so do those that are the same to six digits: what is kept
beside the page (`compact_record`) says the same as the runs themselves.

Notation: n evaluations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from benchmarks.regrets.compact_record import rounded
from benchmarks.regrets.run import Record

Runs = Mapping[str, Sequence[Record]]
"""The runs of one problem by algorithm; none of the sequences is empty."""

EXACT_SHARE = 1e-9
AS_GOOD_ON, WITHIN_TWICE_ON = 0.70, 0.95
"""The targets: shares of the problems."""
# Who ran fewer problems is not compared on those that all ran.
FEWEST_PROBLEMS = 5


@dataclass(frozen=True)
class Duel:
    """An algorithm against the peer that did best on a problem: medians of final regret on the ``seeds`` that
    both ran.
    """

    problem: str
    own: float
    peer: str
    best: float
    seeds: int

    @property
    def as_good(self) -> bool:
        """At most the peer's."""
        return self.own <= self.best

    @property
    def within_twice(self) -> bool:
        """At most twice the peer's."""
        return self.own <= 2.0 * self.best


@dataclass(frozen=True)
class Rank:
    """Mean rank of an algorithm at half and at full budget, over the problems that it ran, and its seconds
    an ask on the median one of them.
    """

    algorithm: str
    half: float
    full: float
    problems: int
    ask_s: float


def after(record: Record, share: float) -> int:
    """How many evaluations a share of the budget is, whole ones; of n / budget it is n."""
    return max(1, int(record.job.budget * share + 1e-9))


def reached(record: Record, evaluations: int) -> float:
    """The simple regret after so many evaluations, as it is kept."""
    return rounded(record.simple_regret(evaluations))


def least(runs: Runs) -> float:
    """The regret of a problem below which nothing is told apart."""
    return EXACT_SHARE * median(rounded(record.regrets[0]) for own in runs.values() for record in own)


def middle(records: Sequence[Record], share: float, floor: float = 0.0) -> float:
    """The median of the simple regrets at a share of the budget."""
    return max(floor, median(reached(record, after(record, share)) for record in records))


def common(runs: Runs, one: str, other: str) -> set[int]:
    """The seeds that two algorithms both ran."""
    return {r.job.seed for r in runs[one]} & {r.job.seed for r in runs[other]}


def pair(runs: Runs, one: str, other: str, share: float) -> tuple[float, float] | None:
    """The medians of two algorithms over the seeds that both ran; None where there is no such seed."""
    seeds = common(runs, one, other)
    if not seeds:
        return None
    floor = least(runs)
    ours, theirs = ([r for r in runs[name] if r.job.seed in seeds] for name in (one, other))
    return middle(ours, share, floor), middle(theirs, share, floor)


def duels(problems: Mapping[str, Runs], own: str, peers: Sequence[str]) -> list[Duel]:
    """One for each problem that the algorithm and a peer have run, at full budget: against the peer that it
    does worst by.
    """
    found = []
    for problem, runs in problems.items():
        met = []
        for peer in peers:
            if own in runs and peer in runs and (medians := pair(runs, own, peer, 1.0)) is not None:
                met.append(Duel(problem, medians[0], peer, medians[1], len(common(runs, own, peer))))
        if met:
            found.append(max(met, key=lambda duel: (duel.own / (duel.best or 1e-300), -duel.best)))
    return found


def ranks(problems: Mapping[str, Runs]) -> list[Rank]:
    """The algorithms by mean rank at full budget. A rank is 1 and one for each algorithm that is ahead, and
    a half for each that is level; problems that only one has run are left out.
    """
    found = []
    contested = [runs for runs in problems.values() if len(runs) > 1]
    for name in dict.fromkeys(name for runs in contested for name in runs):
        own = [runs for runs in contested if name in runs]
        half, full = (fmean(_rank(runs, name, share) for runs in own) for share in (0.5, 1.0))
        asks = [fmean(record.mean_ask_s for record in runs[name]) for runs in own]
        known = [seconds for seconds in asks if not math.isnan(seconds)]
        found.append(Rank(name, half, full, len(own), median(known or [math.nan])))
    return sorted(found, key=lambda rank: (rank.full, rank.half))


def early_rank(problems: Mapping[str, Runs], name: str, evaluations: int) -> float:
    """The mean rank after so many evaluations, over problems that all have run, with that budget or more."""
    return fmean(_rank(runs, name, evaluations / runs[name][0].job.budget) for runs in problems.values())


def seasoned(problems: Mapping[str, Runs], algorithms: Sequence[str]) -> list[str]:
    """Those of the algorithms that ran a few problems at least, or as many as any: what all of them ran would
    else be what the newest has.
    """
    ran = {name: sum(name in runs for runs in problems.values()) for name in algorithms}
    fewest = min(FEWEST_PROBLEMS, max(ran.values(), default=0))
    return [name for name in algorithms if ran[name] >= fewest]


def shared(problems: Mapping[str, Runs], algorithms: Sequence[str]) -> dict[str, Runs]:
    """The problems that all of these have run, and their runs alone."""
    return {
        problem: {name: runs[name] for name in algorithms}
        for problem, runs in problems.items()
        if all(name in runs for name in algorithms)
    }


def profile(problems: Mapping[str, Runs]) -> dict[str, list[float]]:
    """For each algorithm the ratios, sorted, of its median regret to the least one on each problem that it
    has run.
    """
    ratios: dict[str, list[float]] = {}
    for runs in problems.values():
        if len(runs) > 1:
            floor = least(runs)
            medians = {name: middle(own, 1.0, floor) for name, own in runs.items()}
            best = min(medians.values())
            for name, own_median in medians.items():
                ratios.setdefault(name, []).append(own_median / best if best > 0.0 else 1.0)
    return {name: sorted(found) for name, found in ratios.items()}


def curve(records: Sequence[Record]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """(n,) the median simple regret after each evaluation of the budget."""
    budget = records[0].job.budget
    curves = [np.pad(r.curve, (0, budget - len(r.regrets)), mode="edge") for r in records]
    return np.asarray(np.median(curves, axis=0))


def _rank(runs: Runs, name: str, share: float) -> float:
    rank = 1.0
    for other in runs:
        if other != name and (medians := pair(runs, name, other, share)) is not None:
            own, its = medians
            rank += 1.0 if its < own else 0.5 if its == own else 0.0
    return rank
