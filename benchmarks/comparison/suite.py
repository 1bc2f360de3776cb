"""The problems of the comparison: which functions, with what noise, for how many evaluations and seeds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property

import numpy as np

from benchmarks.functions.workloads import WORKLOADS
from benchmarks.regrets.run import FEW_PARAMETERS, Case, Contender, Crew, Job
from evaluators.synthetic import NAMES, SyntheticFunction, synthetic
from orchestrator.algorithms.mixture.options import AutoOptions
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.algorithms.problem import Problem
from orchestrator.errors import UsageError
from orchestrator.unit_cube.domain import Domain

CHEAP_SEEDS, DEAR_SEEDS = 10, 5
MANY_PARAMETERS = 50
BUDGETS: Mapping[str, int] = {
    "hartmann-3": 200,
    "schwefel-3": 200,
    "push-3": 100,
    "push-4": 100,
    "rover": 300,
    "wlan": 100,
    "network-digits": 60,
    "network-breast-cancer": 60,
}
"""Evaluations, where they are not those of `_usual_budget`."""
NOISY: Mapping[str, float] = {"hartmann-6": 0.1}
NOISE_SHARE = 0.03
NOISY_FUNCTIONS = (
    "camel",
    "hartmann-3",
    "hartmann-6",
    "shekel",
    "ackley-5",
    "levy-10",
    "trimodal-10-3-3",
    "powell-24",
    "overlapping-chain-13",
    "mixed-ackley-10",
)
"""The functions that are also observed with noise, and a standard deviation where it is not `noise_of`."""
UNTOLD_FUNCTIONS = (
    "camel",
    "hartmann-3",
    "hartmann-6",
    "shekel",
    "zakharov-4",
    "ackley-5",
    "griewank-6",
    "levy-10",
    "rosenbrock-10",
)
UNTOLD_NOISY, UNTOLD_SEEDS = ("camel", "hartmann-6", "levy-10"), 3
FEW_BUDGETS, FEW_SEEDS = (10, 15, 20), 5
FEW_FUNCTIONS = (
    "camel",
    "hartmann-3",
    "hartmann-6",
    "shekel",
    "zakharov-4",
    "ackley-5",
    "griewank-6",
    "levy-10",
    "styblinski-tang-10",
    "mixed-ackley-10",
)
"""The functions of which there are also so few trials; some of them with noise, too."""
FEW_NOISY = ("camel", "hartmann-6", "levy-10")
PARALLEL = 8
PARALLEL_FUNCTIONS = ("camel", "hartmann-3", "hartmann-6", "ackley-5", "trimodal-10-3-3", "levy-10")


@dataclass(frozen=True)
class Contest:
    """A problem on which all are measured: the case, the budget, and the seeds that it deserves."""

    name: str
    case: Case
    budget: int
    seeds: int

    def jobs(self, contender: Contender, seeds: int | None = None) -> list[Job]:
        """A job for each seed from 0; at most as many as it deserves, unless told."""
        wanted = self.seeds if seeds is None else seeds
        return [Job(self.case, contender, self.budget, seed) for seed in range(wanted)]

    @cached_property
    def dimension(self) -> int:
        """D."""
        return self.case.instance(0).dimension


def noise_of(function: str) -> float:
    """The noise put on a function, rounded to one digit: 3 % of what lies between optimum and median."""
    if function in NOISY:
        return NOISY[function]
    built = synthetic(function)
    rng = np.random.default_rng(0)
    spread = built.regret(np.median(built.evaluate(built.box.sample(4096, rng))))
    return float(f"{NOISE_SHARE * float(spread):.0e}")


def public_suite() -> list[Contest]:
    """Every function of the papers and of the comparison, shifted and permuted by seed; ten of them with
    noise as well; and the workloads.
    """
    plain = [_synthetic(name, noisy=False) for name in NAMES]
    noisy = [_synthetic(name, noisy=True) for name in NOISY_FUNCTIONS]
    return [*plain, *noisy, *(_workload(name) for name in WORKLOADS)]


def parallel_suite() -> list[tuple[Contest, Contest]]:
    """Problems one evaluation at a time, and with `PARALLEL` asynchronous workers."""
    pairs = []
    for name in PARALLEL_FUNCTIONS:
        alone = _synthetic(name, noisy=False)
        crowd = Case(name, shifted=True, crew=Crew(PARALLEL))
        pairs.append((alone, Contest(f"{alone.name}-by-{PARALLEL}", crowd, alone.budget, alone.seeds)))
    return pairs


def untold_suite() -> list[tuple[Contest, Contest]]:
    """Problems whose noise, or that there is none, is told, and the same with nothing said of it."""
    pairs = []
    told = [_synthetic(name, noisy=False) for name in UNTOLD_FUNCTIONS]
    for contest in [*told, *(_synthetic(name, noisy=True) for name in UNTOLD_NOISY)]:
        silent = replace(contest.case, noise_told=False)
        pairs.append((contest, Contest(f"{contest.name}-untold", silent, contest.budget, UNTOLD_SEEDS)))
    return pairs


def few_suite() -> list[tuple[Contest, Contest]]:
    """Problems of few trials with ten points for a start, or as many as there are, and with as many as `auto`
    takes by itself; once for each of `FEW_BUDGETS`.
    """
    pairs = []
    long = [_synthetic(name, noisy=False) for name in FEW_FUNCTIONS]
    for contest in [*long, *(_synthetic(name, noisy=True) for name in FEW_NOISY)]:
        for budget in FEW_BUDGETS:
            alike = replace(contest, budget=budget, seeds=FEW_SEEDS)
            own = AutoOptions.model_validate({}).designed(
                Problem(Domain.continuous(contest.dimension), trials=budget)
            )
            short = replace(alike, case=replace(contest.case, start_points=own))
            pairs.append((alike, short))
    return pairs


def find(names: Sequence[str]) -> list[Contest]:
    """Problems by their names, with or without hyphens; those of the suite, and any other synthetic
    function, ``-noisy`` behind it or not. Raises UsageError, with a near miss, for one that does not exist.
    """
    known = {_plain(contest.name): contest for contest in public_suite()}
    found = []
    for name in names:
        if _plain(name) not in known:
            known[_plain(name)] = _other(name, [contest.name for contest in known.values()])
        found.append(known[_plain(name)])
    return found


def peers_named(told: str) -> list[str]:
    """``all``, ``none``, or names separated by commas. Raises UsageError for one that is no peer."""
    if told in ("all", "none"):
        return sorted(PEERS) if told == "all" else []
    names = [name.strip() for name in told.split(",") if name.strip()]
    for name in names:
        if name not in PEERS:
            raise UsageError(
                f"--peers: expected all, none or some of {', '.join(sorted(PEERS))}, got `{name}`"
            )
    return names


def _synthetic(function: str, noisy: bool) -> Contest:
    built = synthetic(function)
    name = "shekel-4" if function == "shekel" else function
    case = Case(function, shifted=True, noise=noise_of(function) if noisy else 0.0)
    seeds = CHEAP_SEEDS if built.dimension <= FEW_PARAMETERS else DEAR_SEEDS
    return Contest(
        f"{name}-noisy" if noisy else name, case, BUDGETS.get(function, _usual_budget(built)), seeds
    )


def _workload(name: str) -> Contest:
    exact = name == "rover"
    case = Case(name, shifted=exact, noise_told=exact)
    seeds = CHEAP_SEEDS if name.startswith("push") else DEAR_SEEDS
    return Contest(name, case, BUDGETS[name], seeds)


def _usual_budget(function: SyntheticFunction) -> int:
    if function.dimension <= FEW_PARAMETERS:
        return 150
    return 200 if function.dimension <= MANY_PARAMETERS else 300


def _other(name: str, known: Sequence[str]) -> Contest:
    try:
        return _synthetic(name.removesuffix("-noisy"), name.endswith("-noisy"))
    except UsageError as error:
        near = get_close_matches(name, known, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise UsageError(
            f"--problems: {error}{hint}" if not near else f"no problem is called `{name}`{hint}"
        ) from None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
