"""`docs/stopping.md`: where the rule stops runs, and whether what the model states comes true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.aligned_table import aligned
from benchmarks.gains.runs import Estimate, Run
from benchmarks.measuring.machine import machine
from orchestrator.algorithms import registry

ALGORITHMS = ("auto", "gp-ei")
"""The default, and one model that never changes its mind about what the world is like."""
THRESHOLDS = (0.1, 0.01)
LIKELY = (0.5, 0.9)
STATED = ((0.0, 0.1), (0.1, 0.5), LIKELY, (0.9, 1.01))
CLEARLY = 0.1
"""Less often than was stated."""
INTRODUCTION = """\
`budget: {{expected_gain: 0.01}}` ends a run when the model expects less than 0.01, in the objective's units,
to be left to gain over the best point, after each of two refits in a row. What still runs may finish.

- **The estimate**: 64 functions are drawn from the posterior, and each is climbed to its maximum; its gain is
  that maximum less its value at the best point. Their mean is the expected gain, the share of them below a
  threshold its probability: below one in a hundred such a share says nothing.
- **Algorithms that can tell**: {able}; the spec refuses it with others.
- **It costs the run no time**: a forked copy estimates, beside the evaluations and behind them in priority.
  Where evaluations are over sooner than estimates, the run stops some evaluations late.
- **Where evaluations fail**, `auto` draws how likely one is to succeed, too, and what lies above the best
  point counts for as much as it is likely to be had.
- **No estimate is made** while values have detail that the results are too few to resolve; nor where `auto`
  sees values by the logarithm of what they lack of the best one, and draws rise by a quarter or more of where
  that begins to count: such a scale takes what is above the best for about as far off, whatever is there."""
EXPECTED = ((1.0, np.inf), (0.1, 1.0), (0.01, 0.1), (0.001, 0.01), (0.0, 0.001))


def introduction() -> str:
    """What the rule is."""
    return INTRODUCTION.format(able=", ".join(f"`{name}`" for name in registry.FORESEES_GAIN.able()))


def probabilities(runs: Sequence[Run], threshold: float) -> str:
    """How often less than a threshold was left, where the model gave that a probability."""
    body = []
    for low, high in STATED:
        made = _made(runs, threshold, low, high)
        own = [estimate for _, found in made for estimate in found]
        if own:
            body.append(
                (
                    f"{low:g} to {min(high, 1.0):g}",
                    str(len(own)),
                    str(len(made)),
                    f"{_stated(own, threshold):.2f}",
                    f"{_came_true(own, threshold):.2f}",
                )
            )
    head = (f"stated P(gain < {threshold:g})", "estimates", "of runs", "mean stated", "came true")
    return aligned(head, body)


def too_sure(runs: Sequence[Run], threshold: float) -> list[str]:
    """Where less than a threshold was left clearly less often than was stated, of what was said to be likely
    and not nearly sure: a sentence on the function that it was said of in vain most often, and on the rest.
    """
    low, high = LIKELY
    made = _made(runs, threshold, low, high)
    everything = [estimate for _, found in made for estimate in found]
    if not everything or _stated(everything, threshold) - _came_true(everything, threshold) <= CLEARLY:
        return []
    in_vain = Counter(run.title for run, found in made for e in found if e.regret >= threshold)
    ((worst, _),) = in_vain.most_common(1)
    own = [(run, found) for run, found in made if run.title == worst]
    among = [estimate for _, found in own for estimate in found]
    true = sum(estimate.regret < threshold for estimate in among)
    rest = [estimate for run, found in made if run.title != worst for estimate in found]
    left = np.median([run.estimates[-1].regret for run, _ in own])
    others = f", of the others {_came_true(rest, threshold):.2f}" if rest else ""
    return [
        f"Of the {len(everything)} estimates that gave less than {threshold:g} a probability of {low:g} to"
        f" {high:g}, {len(among)} are of {len(own)} runs of {worst}, in which {left:.2g} was left in the end"
        f" (the median): {true or 'none'} of these came true{others}."
    ]


def _made(runs: Sequence[Run], threshold: float, low: float, high: float) -> list[tuple[Run, list[Estimate]]]:
    """The runs with estimates that give less than a threshold a probability in [low, high), and these."""
    found = ((run, [one for one in run.estimates if low <= _stated([one], threshold) < high]) for run in runs)
    return [(run, own) for run, own in found if own]


def _stated(estimates: Sequence[Estimate], threshold: float) -> float:
    """Their mean probability of less than a threshold."""
    return float(np.mean([np.mean(np.array(one.draws) < threshold) for one in estimates]))


def _came_true(estimates: Sequence[Estimate], threshold: float) -> float:
    return float(np.mean([one.regret < threshold for one in estimates]))


def expectations(runs: Sequence[Run]) -> str:
    """What was left, where the model expected so much."""
    body = []
    for low, high in EXPECTED:
        own = [e for run in runs for e in run.estimates if low <= np.mean(e.draws) < high]
        if own:
            regrets = [estimate.regret for estimate in own]
            means = [float(np.mean(estimate.draws)) for estimate in own]
            body.append(
                (
                    f"{low:g} to {high:g}" if np.isfinite(high) else f"over {low:g}",
                    str(len(own)),
                    f"{np.mean(means):.2g}",
                    f"{np.mean(regrets):.2g}",
                    f"{np.median(regrets):.2g}",
                    f"{np.mean([r <= m for r, m in zip(regrets, means, strict=True)]):.2f}",
                )
            )
    head = ("expected gain", "estimates", "mean expected", "mean left", "median left", "left at most that")
    return aligned(head, body)


def stops(runs: Sequence[Run], threshold: float) -> str:
    """Where the rule ended the runs of each function."""
    body = []
    for title in [*dict.fromkeys(run.title for run in runs), "all"]:
        own = [run for run in runs if title in (run.title, "all")]
        stopped = [estimate for run in own if (estimate := run.stop(threshold, 2)) is not None]
        single = [estimate for run in own if (estimate := run.stop(threshold, 1)) is not None]
        body.append(
            (
                title,
                f"{len(stopped)} of {len(own)}",
                _median(stopped, lambda estimate: estimate.observations),
                _median(stopped, lambda estimate: estimate.regret),
                _below(stopped, threshold),
                _below(single, threshold),
            )
        )
    head = ("function", "stopped", "after", "median left", f"left < {threshold:g}", "if one estimate did")
    return aligned(head, body)


def in_short(runs: Sequence[Run]) -> str:
    """What the last rows of `stops` say, in a sentence, and how far too early the rule was."""
    told = []
    for threshold in THRESHOLDS:
        stopped = [estimate for run in runs if (estimate := run.stop(threshold, 2)) is not None]
        more = [estimate.regret for estimate in stopped if estimate.regret >= threshold]
        rightly = len(stopped) - len(more)
        told.append(f"{len(stopped)} at {threshold:g}, in {rightly} of which less was left{_more(more)}")
    return f"Of {len(runs)} runs it ends {'; and '.join(told)}."


def _more(left: Sequence[float]) -> str:
    """How much was left where more was left than there should have been."""
    if not left:
        return ""
    if len(left) == 1:
        return f" ({left[0]:.2g} in the other)"
    return f" ({min(left):.2g} to {max(left):.2g} in the others, the median {np.median(left):.2g})"


def _median(found: Sequence[Estimate], of: Callable[[Estimate], float]) -> str:
    return f"{np.median([of(estimate) for estimate in found]):.3g}" if found else ""


def _below(found: Sequence[Estimate], threshold: float) -> str:
    return f"{sum(estimate.regret < threshold for estimate in found)} of {len(found)}" if found else ""


def page(runs: Sequence[Run]) -> str:
    """The document."""
    seeds = len({run.job.seed for run in runs})
    dates = sorted({run.date for run in runs} - {""})
    when = f" {' to '.join(dict.fromkeys((dates[0], dates[-1])))}" if dates else ""
    parts = [
        "# Stopping when little is left to gain",
        introduction(),
        "## How far it is to be believed",
        f"Measured{when} with `python -m benchmarks.gain_calibration --seeds {seeds} --page"
        f" docs/stopping.md`: 25 to 60 evaluations, {len(runs)} runs, an estimate after every refit. Written"
        f" on {machine()}. `drawn-D` are draws of a Gaussian process in D dimensions, which is what `gp-ei`"
        " takes the world for; the others are synthetic functions, shifted, which it is not. All are divided"
        " by their deviation over the box, so that 0.01 is a hundredth of it. *Left* is the true maximum less"
        " the true value of the best point; the last column of the first tables is of runs that a single"
        " estimate below the threshold ended. Estimates of one run resemble each other: what is said of"
        " probabilities and expectations rests on as few runs as what is said of stops.",
    ]
    for algorithm in ALGORITHMS:
        own = [run for run in runs if run.job.algorithm == algorithm]
        if own:
            parts += _of_one(algorithm, own)
    return "\n\n".join(parts) + "\n"


def _judged(runs: Sequence[Run], threshold: float) -> list[str]:
    return [probabilities(runs, threshold), *too_sure(runs, threshold)]


def _of_one(algorithm: str, runs: Sequence[Run]) -> list[str]:
    drawn = [run for run in runs if run.job.function.startswith("drawn")]
    others = [run for run in runs if not run.job.function.startswith("drawn")]
    return [
        f"## `{algorithm}`",
        "### Where the rule stops",
        in_short(runs),
        *(stops(runs, threshold) for threshold in THRESHOLDS),
        "### Whether the probability is right",
        "Functions drawn:",
        *(probabilities(drawn, threshold) for threshold in THRESHOLDS),
        "Synthetic functions:",
        *(said for threshold in THRESHOLDS for said in _judged(others, threshold)),
        "### Whether the expectation is right",
        "Functions drawn:",
        expectations(drawn),
        "Synthetic functions:",
        expectations(others),
    ]
