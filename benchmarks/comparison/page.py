"""`docs/comparison.md`: what the comparison has measured, and what it has not.

What lies between the marks is written here; the rest of the page is a person's and is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.comparison import aims as compare_aims
from benchmarks.comparison import early as compare_early
from benchmarks.comparison import few as compare_few
from benchmarks.comparison import parallel as compare_parallel
from benchmarks.comparison import speed as compare_speed
from benchmarks.comparison import untold as compare_untold
from benchmarks.comparison.charts import curves_chart, profile_chart
from benchmarks.comparison.standing import (
    AS_GOOD_ON,
    WITHIN_TWICE_ON,
    Duel,
    Rank,
    Runs,
    duels,
    middle,
    profile,
    ranks,
    seasoned,
    shared,
)
from benchmarks.comparison.store import Kept, Store
from benchmarks.comparison.suite import NOISE_SHARE, PARALLEL, Contest, public_suite
from benchmarks.functions.workloads import lacking
from benchmarks.measuring.machine import machine
from benchmarks.project import PROJECT
from benchmarks.regrets.compact_record import folder_of
from benchmarks.regrets.run import Contender, Record
from benchmarks.regrets.table import summarise
from benchmarks.regrets.table import table as runs_table
from orchestrator.algorithms.peers.offered import PEERS
from orchestrator.report.words.wording import counted

PAGE = PROJECT / "docs" / "comparison.md"
OWN = "auto"
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"
CURVES, PROFILE = "curves.svg", "profile.svg"
SKELETON = f"""# Against other optimisers

{BEGIN}
{END}
"""
RULES = (
    "Every algorithm but random search gets the same start design under a seed (scrambled Sobol points,"
    " 10 up to 10 parameters and 20 above, which count in the budget), the same function (the synthetic"
    " ones and the rover shifted and permuted by the seed), and the same budget, which all are told and"
    " `auto` alone makes use of. A run is a process of its own with one thread. Points are read back from the"
    " parameters that they stand for, as in an experiment. Regret is the optimum minus the best noiseless"
    f" value found; the noise of the noisy problems ({NOISE_SHARE:.0%} of what lies between optimum and"
    " median, unless said) is told to all that can be told: Optuna's GP and TPE and SMAC cannot, and infer"
    " it. The workloads have references in place of optima, which may be out of reach, and their noise is"
    " told to nobody. Seconds are of the processor. A run that its cap of seconds ended counts with what"
    " it had found, and is said to be capped. Two algorithms are compared by their medians over the seeds"
    " that both have run; the profile and the curves show each by all its own. Where regrets are compared"
    " or divided, a billionth of the first point's is the least that counts, and who is below is level."
    " Runs are kept when the code changes; one counts as of today's code, too, where a change was seen, on"
    " runs made again, to leave its points as they were."
)


@dataclass(frozen=True)
class Measured:
    """What is kept of the public suite.

    Attributes:
        contests: all of its problems.
        problems: the runs of those that have any.
        algorithms: those that have any run, ours first.
        kept: every run, well or not.
    """

    contests: Sequence[Contest]
    problems: Mapping[str, Runs]
    algorithms: Sequence[str]
    kept: Sequence[Kept]


def gather(store: Store) -> Measured:
    """From the store: runs of the suite's problems by algorithms without options."""
    contests = public_suite()
    everything = store.everything()
    problems: dict[str, Runs] = {}
    counted: list[Kept] = []
    for contest in contests:
        own = [
            kept
            for kept in everything
            if kept.job.case == contest.case
            and kept.job.budget == contest.budget
            and not kept.job.contender.options
        ]
        counted += own
        runs: dict[str, list[Record]] = {}
        for kept in sorted(own, key=lambda kept: (kept.job.contender.algorithm, kept.job.seed)):
            if kept.record is not None:
                runs.setdefault(kept.job.contender.algorithm, []).append(kept.record)
        if runs:
            problems[contest.name] = runs
    found = {name for runs in problems.values() for name in runs}
    order = [OWN, *sorted(PEERS), *sorted(found - {OWN, *PEERS})]
    return Measured(contests, problems, [name for name in order if name in found], counted)


def write_page(store: Store, page: Path) -> Path:
    """Write what is measured between the page's marks, and its pictures beside it. Returns the page."""
    measured = gather(store)
    text = page.read_text(encoding="utf-8") if page.exists() else SKELETON
    if BEGIN not in text or END not in text:
        text = f"{text.rstrip()}\n\n{BEGIN}\n{END}\n"
    inside = "\n".join([BEGIN, *_written(measured, store, page.stem), END])
    page.parent.mkdir(parents=True, exist_ok=True)
    changed = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: inside, text, flags=re.DOTALL)
    page.write_text(changed, encoding="utf-8")
    if measured.problems:
        pictures = folder_of(page)
        pictures.mkdir(exist_ok=True)
        names = measured.algorithms
        (pictures / CURVES).write_text(curves_chart(measured.problems, names), encoding="utf-8")
        title = "Share of its problems, at full budget"
        chart = profile_chart(profile(measured.problems), names, title)
        (pictures / PROFILE).write_text(chart, encoding="utf-8")
    return page


def overview(measured: Measured) -> list[str]:
    """Markdown: median regret at full budget, a row for each problem, with seeds where some are missing."""
    lines = [
        f"| problem (budget) | {' | '.join(measured.algorithms)} |",
        "|---|" + "--:|" * len(measured.algorithms),
    ]
    for contest in measured.contests:
        runs = measured.problems.get(contest.name, {})
        medians = {name: middle(own, 1.0) for name, own in runs.items()}
        least = min(medians.values(), default=0.0)
        cells = []
        for name in measured.algorithms:
            if name not in runs:
                cells.append("–")
                continue
            cell = f"{medians[name]:.2g}"
            cell = f"**{cell}**" if len(runs) > 1 and medians[name] <= least else cell
            capped = "*" if any(r.cap_s is not None for r in runs[name]) else ""
            few = f" ({len(runs[name])})" if len(runs[name]) < contest.seeds else ""
            cells.append(cell + capped + few)
        lines.append(f"| {contest.name} ({contest.budget}) | {' | '.join(cells)} |")
    return lines


def verdict(found: Sequence[Duel], of: int) -> list[str]:
    """Sentences on the targets, and the problems on which they are missed."""
    if not found:
        return [f"`{OWN}` and a peer have no problem in common yet: there is no verdict."]
    good = [duel for duel in found if duel.as_good]
    twice = [duel for duel in found if duel.within_twice]
    lines = [
        f"`{OWN}` and at least one peer have run {len(found)} of the suite's {of} problems. Its median final "
        f"regret is at most the best peer's on {_percent(good, found)} (target {AS_GOOD_ON:.0%}: "
        f"{_met(good, found, AS_GOOD_ON)}), and at most twice the best peer's on {_percent(twice, found)} "
        f"(target {WITHIN_TWICE_ON:.0%}: {_met(twice, found, WITHIN_TWICE_ON)})."
    ]
    lost = [duel for duel in found if not duel.as_good]
    if lost:
        lines += ["", "It loses on " + "; ".join(_loss(duel) for duel in lost) + "."]
    return lines


def ranking(found: Sequence[Rank]) -> list[str]:
    """Markdown."""
    lines = [
        "| algorithm | mean rank at half | at full budget | problems | s an ask (median problem) |",
        "|---|--:|--:|--:|--:|",
    ]
    for r in found:
        lines.append(f"| {r.algorithm} | {r.half:.2f} | {r.full:.2f} | {r.problems} | {r.ask_s:.2g} |")
    return lines


def _written(measured: Measured, store: Store, folder: str) -> list[str]:
    dates = sorted({kept.date for kept in measured.kept if kept.date})
    when = "nothing has run yet" if not dates else " to ".join(dict.fromkeys((dates[0], dates[-1])))
    contenders = [Contender(name) for name in measured.algorithms]
    return [
        f"Runs: {when}. Written on {machine()}, with `python -m benchmarks.compare --seeds 0`, from what"
        " `python -m benchmarks.compare --suite public --peers all` keeps in `benchmarks/results/compare`.",
        "",
        RULES,
        *_targets(measured),
        *_ranked(measured),
        *_regrets(measured, folder),
        "",
        "## What has not run",
        "",
        *_missing(measured),
        *_seconds_an_ask(store),
        *_asynchronous_workers(contenders, store),
        *_nothing_said_of_noise(contenders, store),
        *_few_trials(contenders, store),
        "",
        "## Every problem",
        "",
        *_details(measured),
    ]


def _targets(measured: Measured) -> list[str]:
    against_peers = duels(measured.problems, OWN, sorted(PEERS))
    return [
        "",
        "## The targets",
        "",
        *verdict(against_peers, len(measured.contests)),
        *_behind(against_peers),
        "",
        "Beyond the best of the peers:",
        "",
        *compare_aims.table(measured.problems, OWN),
    ]


def _ranked(measured: Measured) -> list[str]:
    present = [name for name in (OWN, *sorted(PEERS)) if name in measured.algorithms]
    alike = seasoned(measured.problems, present)
    common = shared(measured.problems, alike)
    lines = [
        "",
        "## Ranks",
        "",
        "Over the problems that each has run, among those that ran them:",
        "",
        *ranking(ranks(measured.problems)),
    ]
    if len(alike) > 1 and common:
        lines += [
            "",
            f"On the {len(common)} problems that all of {', '.join(alike)} have run, among these:",
            "",
            *ranking(ranks(common)),
        ]
    if early := compare_early.contest(measured.problems, [*present, "random"]):
        lines += [
            "",
            f"Mean ranks after few evaluations, {compare_early.LARGEST_START} of them the start design's, on"
            f" the {len(early)} problems that all of these have run (of longer runs, whose budget `{OWN}` was"
            " told):",
            "",
            *compare_early.table(early),
        ]
    return lines


def _regrets(measured: Measured, folder: str) -> list[str]:
    if not measured.problems:
        return []
    return [
        "",
        f"![Performance profile]({folder}/{PROFILE})",
        "",
        "## Median regret at full budget",
        "",
        "In brackets how many seeds ran where that is not all of them; a star: some were capped;"
        " a dash: not run. The least in bold. Here each median is over all the seeds that an algorithm"
        " ran; targets and ranks are by those that two have in common, and may differ.",
        "",
        *overview(measured),
        "",
        f"![Regret curves]({folder}/{CURVES})",
    ]


def _seconds_an_ask(store: Store) -> list[str]:
    speeds = compare_speed.kept(store.folder)
    if not speeds:
        return []
    return [
        "",
        "## Seconds an ask",
        "",
        "`python -m benchmarks.compare --suite speed --peers botorch-log-ei`: processor seconds of a"
        f" suggestion, the mean of {compare_speed.CYCLES} after the first; and with what refits take,"
        " spread over the results from n to half as many again. `auto` refits beside the evaluations,"
        " once a twentieth more results are told; `botorch-log-ei` fits its model in each ask.",
        "",
        *compare_speed.table(speeds),
    ]


def _asynchronous_workers(contenders: Sequence[Contender], store: Store) -> list[str]:
    side_by_side = compare_parallel.measured(compare_parallel.pairs(), contenders, store)
    if not side_by_side:
        return []
    return [
        "",
        "## Asynchronous workers",
        "",
        f"`python -m benchmarks.compare --suite parallel`: median regret; target: a ratio of at most"
        f" {compare_parallel.TARGET}. {compare_parallel.verdict(side_by_side, OWN)} Who chooses for one"
        f" of {PARALLEL} workers has seen {PARALLEL - 1} results fewer: *one, {PARALLEL - 1} fewer* is"
        " what one worker had found by then. The last column is what luck alone may do: where the ratio"
        " lies in nine of ten draws of the seeds from those that ran. Where both are level at the least"
        " that counts, all of these are 1.",
        "",
        *compare_parallel.table(side_by_side),
    ]


def _nothing_said_of_noise(contenders: Sequence[Contender], store: Store) -> list[str]:
    silent = compare_untold.measured(compare_untold.pairs(), contenders, store)
    if not silent:
        return []
    return [
        "",
        "## Nothing said of noise",
        "",
        "`python -m benchmarks.compare --suite untold`: median regret of the same seeds where noise, or"
        " that there is none, is told, and where nothing is, which is how a spec begins.",
        "",
        *compare_untold.table(silent),
    ]


def _few_trials(contenders: Sequence[Contender], store: Store) -> list[str]:
    brief = compare_few.measured(compare_few.pairs(), contenders, store)
    return (
        ["", "## Few trials", "", *compare_few.words(brief, OWN), *compare_few.table(brief)] if brief else []
    )


def _behind(found: Sequence[Duel]) -> list[str]:
    """How many seeds the verdicts rest on: one says little."""
    if not found:
        return []
    problems = Counter(duel.seeds for duel in found)
    few = [f"{counted(problems[n], 'problem')} on {counted(n, 'seed')}" for n in (1, 2) if problems[n]]
    more = sum(problems[n] for n in problems if n > 2)
    return [
        "",
        f"What decides rests, for {', for '.join([*few, f'{more} on more'])}, which `{OWN}` and that peer"
        " have both run.",
    ]


def _details(measured: Measured) -> list[str]:
    lines: list[str] = []
    place = {name: index for index, name in enumerate(measured.algorithms)}
    for contest in measured.contests:
        if runs := measured.problems.get(contest.name):
            records = [record for name in sorted(runs, key=place.__getitem__) for record in runs[name]]
            noise = f", noise {contest.case.noise:g}" if contest.case.noise else ""
            told = runs_table(summarise(records), contest.budget)
            lines += [f"### {contest.name}, {contest.dimension} parameters{noise}", "", told, ""]
    return lines[:-1] or ["Nothing has run yet."]


def _missing(measured: Measured) -> list[str]:
    """How much of the suite each has run, and why runs failed."""
    planned = sum(contest.seeds for contest in measured.contests)
    lines = [f"The suite is {len(measured.contests)} problems, {planned} runs an algorithm.", ""]
    for name in (OWN, *sorted(PEERS)):
        runs = [k for k in measured.kept if k.job.contender.algorithm == name]
        ended = [k for k in runs if k.record is not None]
        capped = sum(k.record is not None and k.record.cap_s is not None for k in ended)
        reasons = Counter(k.failed for k in runs if k.record is None)
        problems = len({k.job.case for k in ended})
        sentence = f"- {name}: {counted(len(ended), 'run')} on {counted(problems, 'problem')}"
        sentence += f", {capped} of them capped" if capped else ""
        older = sum(k.stale for k in ended)
        sentence += f", {older} of them with earlier code" if older else ""
        sentence += "".join(f"; {count} failed ({reason})" for reason, count in reasons.items())
        lines.append(sentence + ".")
    for contest in measured.contests:
        if (lack := lacking(contest.case.function)) is not None and contest.name not in measured.problems:
            lines.append(f"- {contest.name} could not run here: {lack}.")
    return lines


def _percent(part: Sequence[Duel], whole: Sequence[Duel]) -> str:
    return f"{len(part)} ({len(part) / len(whole):.0%})"


def _met(part: Sequence[Duel], whole: Sequence[Duel], target: float) -> str:
    return "met" if len(part) >= target * len(whole) else "**missed**"


def _loss(duel: Duel) -> str:
    return f"{duel.problem} ({duel.own:.2g} to {duel.peer}'s {duel.best:.2g})"
