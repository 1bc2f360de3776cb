"""Evaluations that may look less closely for less: who finds the least value for the same cost.

python -m benchmarks.fidelities --seeds 5 --algorithms auto,botorch-log-ei --page docs/fidelity.md
python -m benchmarks.fidelities --algorithms costs-learned
python -m benchmarks.fidelities --seeds 2 --algorithms botorch-mf-kg,botorch-mf-gibbon

Runs are kept as JSON lines in `benchmarks/results/fidelity`, and beside the page; what is there is not run
again. Each has a process of its own with one thread. The page is written from all the runs there are: with
``--seeds 0`` from those alone. The second command runs `auto` where costs are not told. Peers need the extra
``[compare]``; those of the third choose fidelity as well, are run only where they are named, and are given an
hour of the processor each.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.contenders.fidelity import Job, Run
from benchmarks.contenders.fidelity_contenders import PEERS, run
from benchmarks.functions.fidelity import FIDELITY
from benchmarks.kept.comparison import KeptComparison, MediansTable, regret_in_words
from benchmarks.kept.runs import KeptRuns, in_seconds, measured, page_of

ALGORITHMS = ("auto", "ax", "botorch-log-ei", "optuna-gp", "optuna-tpe", "random")
CHOSEN = "auto, fidelity chosen"
LEARNED, LEARNED_TITLE = "costs-learned", "auto, costs learned"
"""As the command line names it, which separates by commas, and as the page does."""
LEVEL = 1e-6
"""Regrets below are level."""


RUNS = KeptRuns(run, Job, Run, lambda found: f"{found.regret(FIDELITY[found.job.function].evaluations):.3g}")
TABLE = MediansTable(
    FIDELITY,
    {"D": lambda function: function.dimension},
    Run.regret,
    regret_in_words,
    lambda _: LEVEL,
)


def page(runs: Sequence[Run]) -> str:
    """`docs/fidelity.md`."""
    beside = [found for found in runs if found.job.algorithm in PEERS]
    learned = [found for found in runs if found.job.learned]
    runs = [found for found in runs if found.job.algorithm not in PEERS and not found.job.learned]
    return page_of(
        "Evaluations that look less closely for less",
        INTRODUCTION,
        f"{measured('fidelities', runs)} {METHOD}",
        TABLE.of(runs),
        "What was spent on, where fidelity was chosen (medians over the runs):",
        _spending(runs),
        in_seconds(runs),
        "The functions are in `benchmarks/functions/fidelity.py`.",
        where_learned(runs, learned),
        beside_peers(runs, beside),
        TRIED,
    )


def where_learned(runs: Sequence[Run], learned: Sequence[Run]) -> str:
    """The section on costs that are learned, by the functions and seeds of those that are told as well."""
    cases = {(found.job.function, found.job.seed) for found in learned}
    told = [r for r in runs if not r.job.closely and (r.job.function, r.job.seed) in cases]
    table = TABLE.of([*told, *learned]) if learned else "Not measured so far."
    return f"## Where costs are learned\n\n{LEARNED_METHOD}\n\n{table}"


def beside_peers(runs: Sequence[Run], peers: Sequence[Run]) -> str:
    """The section on peers that choose fidelity as well, by the functions and seeds that all of them ran."""
    if not peers:
        return f"{PEERS_TITLE}\n\n{UNMEASURED}"
    contenders = [*(found for found in runs if not found.job.closely), *peers]
    algorithms = {found.job.algorithm for found in contenders}
    by_case: dict[tuple[str, int], set[str]] = defaultdict(set)
    for found in contenders:
        by_case[found.job.function, found.job.seed].add(found.job.algorithm)
    common = [r for r in contenders if by_case[r.job.function, r.job.seed] == algorithms]
    titles = dict.fromkeys(found.job.title for found in common)
    body = [_ends(title, [found for found in common if found.job.title == title]) for title in titles]
    ends = aligned(("algorithm", "runs", "out of time", "spent, of the budget", "s an ask"), body)
    return f"{PEERS_TITLE}\n\n{PEERS_METHOD}\n\n{TABLE.of(common)}\n\n{ends}"


def _ends(title: str, own: Sequence[Run]) -> tuple[str, ...]:
    shares = [found.spent / FIDELITY[found.job.function].evaluations for found in own]
    seconds = np.median([found.seconds for found in own])
    out_of_time = sum(found.capped for found in own)
    return title, str(len(own)), str(out_of_time), f"{100 * np.median(shares):.0f} %", f"{seconds:.2g}"


def _spending(runs: Sequence[Run]) -> str:
    body = []
    for name in FIDELITY:
        own = [found for found in runs if found.job.function == name and not found.job.closely]
        if own:
            full = float(np.median([found.at_full for found in own]))
            less = float(np.median([len(found.values) - found.at_full for found in own]))
            cost = float(np.median([sum(c for c, _ in found.values if c < 1.0) for found in own]))
            body.append((name, f"{full:g}", f"{less:g}", f"{cost:.3g}"))
    return aligned(("function", "trials at full fidelity", "at less", "what these cost"), body)


INTRODUCTION = (
    "How closely an evaluation looks may be a parameter (`fidelity` of a spec, "
    "[spec.md](spec.md#how-closely-an-evaluation-looks)): cells of a mesh, steps of an integrator, examples"
    " that are learned from. `auto` chooses where to look by what a point promises at full fidelity, and "
    "looks less closely where that tells more of it for its cost; on cheap trials it spends at most as much"
    " as on those at full fidelity, and one such trial more. What was looked at less closely is never the "
    "best. Here each evaluation begins from nothing; what going on from a less close one buys, as from fewer "
    "epochs, is measured in [going-on.md](going-on.md)."
)
METHOD = (
    "Values are exact, and all that can be are told so. Budgets are costs, in evaluations at full fidelity; "
    "all but `auto, fidelity chosen` evaluate there alone. Regret is the best value at full fidelity less "
    "the least there is (of `support-vectors` the share of errors itself, of `rod` and `pendulum` in powers "
    "of ten); shown is the median over the runs, whose number stands in brackets, at half of the budget and "
    "at all of it, the least in bold. `mirrored` is made to mislead: cheaply, its mirror image is seen. The "
    "ten points that all begin with are half of most budgets, where they are at full fidelity."
)

LEARNED_METHOD = (
    "Without a `cost`, what a look costs is learned from how long evaluations take "
    "([algorithms.md](algorithms.md#how-closely-an-evaluation-looks)): `python -m benchmarks.fidelities "
    "--algorithms costs-learned`. Nothing is waited for: an evaluation is told to have taken a minute at full"
    " fidelity, elsewhere as much less as it costs less; a third more or less, drawn for each, and one in "
    "twenty ten times as long. What is spent is what evaluations truly cost, whatever is believed. Regret as "
    "above, over the same seeds."
)
PEERS_TITLE = "## Beside searches of BoTorch's that choose fidelity"
COMMAND = "`python -m benchmarks.fidelities --algorithms botorch-mf-kg,botorch-mf-gibbon`"
UNMEASURED = (
    "Not measured so far: no other method that chooses fidelities is in these tables, so they say nothing of"
    f" whether one would do better. {COMMAND} runs two, the knowledge gradient, as BoTorch's tutorial "
    "has it, and GIBBON, a bound on the entropy of the best value, with its defaults, both for their cost."
)
PEERS_METHOD = (
    "The knowledge gradient (`botorch-mf-kg`), as BoTorch's tutorial has it, and GIBBON "
    "(`botorch-mf-gibbon`), a bound on the entropy of the best value, with its defaults, both for their cost:"
    f" {COMMAND}. They begin with the same ten points, and are told the same costs; noise they infer. What "
    "they would recommend is evaluated at full fidelity for nothing, and counts where it is better than what"
    " they looked at there. A run ends after an hour of the processor, too, and what it recommends then "
    "counts to the end. Shown are functions and seeds that all ran that have run at all. The entropy "
    "itself, with BoTorch's defaults, ended in numerical errors on the two functions on which that was tried."
)
TRIED = """## What was tried and did not help

Seen on a few seeds while it was written, in runs that are not kept and that no command repeats.

- Improvement over what is believed best at full fidelity, whether or not it was looked at closely: then
  nothing is left to gain where cheap trials found it, and trials at full fidelity go elsewhere. The
  heated bar of `configs/labs/fidelity.yaml`, with a cost of 15, ended at 58, 70 and 77 K off under three
  seeds, and at 58, 28 and 31 over the best that was looked at closely (at full fidelity alone: 45, 50 and
  69).
- A third of the cost for cheap trials, and not a half: one at a time the bar ended at 32, 36, 32 and 28
  (28, 32, 27 and 26 with a half; 45, 50, 49 and 45 at full fidelity alone), the pendulum at 1.2, 1.6 and
  1.5 (0.1, 1.6 and 0.25).
- Taking it that fidelities are more alike than values of other parameters are, by three times: no
  difference on six functions that could be told from luck.
"""


def jobs(algorithm: str, function: str, seed: int) -> list[Job]:
    """Ours with fidelity to choose as well."""
    if algorithm == LEARNED:
        return [Job("auto", function, seed, closely=False, learned=True)]
    kinds = (False,) if algorithm in PEERS else (False, True) if algorithm == "auto" else (True,)
    return [Job(algorithm, function, seed, closely) for closely in kinds]


COMPARISON = KeptComparison(
    "fidelity", RUNS, ALGORITHMS, list(FIDELITY), (CHOSEN, LEARNED_TITLE, *ALGORITHMS, *PEERS), jobs, page
)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(__doc__, None))
