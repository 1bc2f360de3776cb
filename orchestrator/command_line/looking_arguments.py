"""The arguments of commands that look at a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from orchestrator.command_line import comparing, listing, looking, modelling, reporting, spreading, the_best
from orchestrator.command_line.parsers import (
    FORMATS,
    Commands,
    add_kept,
    add_logs,
    add_output,
    add_run,
    with_output,
)
from orchestrator.values.errors_taken import ERRORS_TAKEN, TOLD
from orchestrator.values.typed_numbers import typed_count, typed_tolerance, typed_trial_or_name
from orchestrator.values.typed_priors import typed_prior, typed_uncertain


def add_looking(commands: Commands) -> None:
    """All of them."""
    _add_runs(commands)
    status = commands.add("status", looking.status, "Say how a run stands, and why nothing moves if so")
    add_kept(with_output(status))
    _add_watch(commands)
    _add_trials(commands)
    _add_best(commands)
    _add_explain(commands)
    _add_sensitivity(commands)
    _add_tolerance(commands)
    _add_posterior(commands)
    _add_predict(commands)
    _add_spread(commands)
    _add_compare(commands)
    export = commands.add("export", looking.export, "Write every trial with all that is known of it")
    _add_format_of_trials(export, "csv")
    add_output(export)
    add_kept(export)
    _add_report(commands)


def _add_runs(commands: Commands) -> None:
    runs = commands.add("runs", listing.runs, "List the runs there are, a line each, the newest first")
    runs.add_argument(
        "where",
        nargs="*",
        type=Path,
        metavar="DIR|RUN|FILE",
        help="folders where runs lie, runs by folder or name, or files of searches from Python (default: all"
        " that lie where --logs says)",
    )
    runs.add_argument("--watch", action="store_true", help="on the screen, as they go on and more begin")
    add_logs(with_output(runs))
    _add_experiment(runs, "only those of the experiment")


def _add_experiment(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--experiment", metavar="NAME", help=f"{what} of that name, as specs have it")


def _add_watch(commands: Commands) -> None:
    watch = commands.add(
        "watch", looking.watch, "Show a run as it goes on, or as it ended, from another terminal"
    )
    add_run(watch)
    watch.add_argument("--json", action="store_true", help="the events, one JSON object a line")
    watch.add_argument("--svg", type=Path, metavar="FILE", help="draw the screen once, as a picture")


def _add_trials(commands: Commands) -> None:
    trials = commands.add("trials", looking.trials, "List the trials of a run")
    _add_format_of_trials(trials, "table")
    add_output(trials)
    add_kept(trials)
    states = ("queued", "running", "interrupted", "completed", "failed", "stopped", "abandoned", "forgotten")
    trials.add_argument(
        "--state",
        choices=states,
        metavar="STATE",
        help=f"only those that are {', '.join(states[:-1])} or {states[-1]}",
    )
    trials.add_argument("--last", type=typed_count, metavar="N", help="only the last N trials")


def _add_format_of_trials(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--format",
        choices=(*FORMATS, "semicolons"),
        default=default,
        help=f"default: {default}; semicolons: CSV for spreadsheets where numbers have decimal commas",
    )


def _add_best(commands: Commands) -> None:
    best = commands.add("best", the_best.best, "Show the best point of a run, or its trade-offs")
    add_kept(with_output(best))
    _add_places(best, "")
    best.add_argument(
        "--command",
        action="store_true",
        help="the command line that evaluates it again by hand, to be pasted into a shell",
    )
    best.add_argument(
        "--at",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="where each condition has its own best settings (`over: each`), those for this condition",
    )
    best.add_argument(
        "--values",
        type=typed_count,
        metavar="N",
        help="those for N values of each condition, evenly over its range, as for a controller's table",
    )


def _add_places(parser: argparse.ArgumentParser, beside: str) -> None:
    parser.add_argument(
        "--places",
        type=typed_count,
        metavar="N",
        help=f"{beside}the best trials of up to N places, between which a model of the results sees worse"
        " ones: takes seconds",
    )


def _add_explain(commands: Commands) -> None:
    explain = commands.add("explain", looking.explain, "Say why a point was chosen, and what became of it")
    add_kept(explain)
    explain.add_argument(
        "trial",
        type=typed_trial_or_name,
        metavar="TRIAL",
        help="the number of a trial, or `best`, in noise the one believed best, or `reference`",
    )
    explain.add_argument("--format", choices=("words", "json"), default="words", help="default: words")
    add_output(explain)


def _add_sensitivity(commands: Commands) -> None:
    sensitivity = commands.add(
        "sensitivity", modelling.sensitivity, "Say which parameters matter, by a model of the results"
    )
    add_kept(with_output(sensitivity))
    sensitivity.add_argument(
        "--of",
        metavar="NAME",
        help="of whatever else evaluations returned (default: the objective, the first of several)",
    )


def _add_tolerance(commands: Commands) -> None:
    tolerance = commands.add(
        "tolerance",
        modelling.tolerance,
        "Say how good the best points are where settings are a little off",
    )
    add_kept(with_output(tolerance))
    tolerance.add_argument(
        "--off",
        type=typed_tolerance,
        action="append",
        default=[],
        metavar="NAME=WIDTH",
        help="by how much a parameter may be off, up and down, in its own units; may be repeated. Left out:"
        " as the spec's tolerances say",
    )


def _add_posterior(commands: Commands) -> None:
    posterior = commands.add(
        "posterior",
        modelling.posterior,
        "Say how well a fit determines its parameters: which settings are plausible",
    )
    add_kept(with_output(posterior))
    posterior.add_argument(
        "--draws",
        type=typed_count,
        metavar="N",
        help="N settings, each as plausible as the others, instead: with --format csv for GetDist or corner",
    )
    _add_prior(posterior, "")
    _add_errors(posterior, "")


def _add_prior(parser: argparse.ArgumentParser, beside: str) -> None:
    parser.add_argument(
        "--prior",
        type=typed_prior,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"{beside}what is known of a parameter beforehand, in the place of what the spec says:"
        " 67.4+-0.5 (a mean and its deviation), 0.02x/1.5 (a mean and a factor), 0.2,0.8 (chances of values),"
        " draws.csv (as --draws wrote them of an earlier run, without NAME= of all that have a column), or"
        " none; may be repeated",
    )


def _add_errors(parser: argparse.ArgumentParser, beside: str) -> None:
    parser.add_argument(
        "--errors",
        choices=ERRORS_TAKEN,
        default=TOLD,
        help=f"{beside}told, as the targets have them, or scaled: all larger by one factor that nobody knows,"
        " as where the simulation cannot meet the targets (default: told)",
    )


def _add_predict(commands: Commands) -> None:
    predict = commands.add(
        "predict", modelling.predict, "Say what models of the results expect at settings of your choosing"
    )
    predict.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] NAME=VALUE",
        help="a run's folder or name (default: the latest), or the file of a search from Python, and"
        " settings; those left out are as held now, at full fidelity, and else as in the best trial",
    )
    add_logs(with_output(predict))
    predict.add_argument(
        "--from",
        dest="like",
        type=typed_trial_or_name,
        metavar="TRIAL",
        help="settings that are left out are as in the trial of this number, in the `reference`, or in the"
        " `best`, here in noise the one believed best, and not as in the one of the best value",
    )
    predict.add_argument(
        "--points", type=Path, metavar="FILE", help="points in the rows of a CSV file, instead of settings"
    )
    _add_of(predict)


def _add_spread(commands: Commands) -> None:
    spread = commands.add(
        "spread",
        spreading.spread,
        "Say how values are spread where parameters are uncertain, and how likely limits are broken",
    )
    spread.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] NAME=VALUE",
        help="a run's folder or name (default: the latest), or the file of a search from Python, and settings"
        " that are exact; those left out are as with predict",
    )
    add_logs(with_output(spread))
    spread.add_argument(
        "--prior",
        type=typed_uncertain,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what is known of a parameter, in the place of what the spec says: 12+-1.5 (a mean and its"
        " deviation), 0.02x/1.5 (a mean and a factor), 0.2,0.8 (chances of values), evenly (between its"
        " bounds), draws.csv (as posterior --draws wrote them, without NAME= of all that have a column), or"
        " none; may be repeated. What has a prior or a tolerance in the spec, or varies in use,"
        " is uncertain as it says there",
    )
    spread.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="TEXT",
        help="how likely this is broken, as 'stress <= 350', besides the spec's constraints on outcomes; may"
        " be repeated",
    )
    spread.add_argument(
        "--of",
        action="append",
        default=[],
        metavar="NAME",
        help="of that alone, which may be whatever else evaluations returned; may be repeated (default: the"
        " objectives and the outcomes that the spec names)",
    )
    spread.add_argument(
        "--posterior",
        action="store_true",
        help="over all settings that are plausible by a fit, as posterior has them",
    )
    _add_errors(spread, "with --posterior: ")


def _add_compare(commands: Commands) -> None:
    compare = commands.add(
        "compare",
        comparing.compare,
        "Say by how much points are believed to be better than another, and how surely",
    )
    compare.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] POINT",
        help="a run's folder or name (default: the latest), or the file of a search from Python, and points:"
        " `best`, the default and in noise the one believed best; `reference`, as the spec names it; the"
        " number of a trial; or settings X=1,Y=2, those left out as with predict",
    )
    compare.add_argument(
        "--against",
        metavar="POINT",
        help="which point they are compared with (default: the spec's reference)",
    )
    add_logs(with_output(compare))
    _add_of(compare)


def _add_report(commands: Commands) -> None:
    report = commands.add(
        "report",
        reporting.report,
        "Write a run, or several side by side, as one HTML page: best points or trade-offs, and charts",
    )
    report.add_argument(
        "runs",
        nargs="*",
        metavar="RUN",
        help="runs' folders or names (default: the latest), or the files of searches from Python; of several"
        " one page tells all side by side",
    )
    report.add_argument("--all", action="store_true", help="all the runs that lie there, side by side")
    _add_experiment(report, "the runs of the experiment")
    add_logs(report)
    report.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write there instead of report.html in the run's folder, or runs.html where several lie",
    )
    report.add_argument(
        "--picture", type=Path, metavar="FILE", help="write only the best trial's picture, as SVG"
    )
    report.add_argument(
        "--charts", type=Path, metavar="FOLDER", help="write only the page's charts, as SVG files, there"
    )
    report.add_argument(
        "--sensitivity", action="store_true", help="with what a model says of each parameter: takes seconds"
    )
    report.add_argument(
        "--posterior",
        action="store_true",
        help="with which settings of a fit are plausible, alone and every two together: takes seconds",
    )
    _add_prior(report, "with --posterior: ")
    _add_errors(report, "with --posterior: ")
    _add_places(report, "with ")
    report.add_argument(
        "--trial", type=typed_count, metavar="N", help="with --picture: draw that trial instead"
    )
    report.add_argument(
        "--follow", action="store_true", help="write the page anew as results come, until the run has ended"
    )
    report.add_argument(
        "--every", metavar="DURATION", help="with --follow: at most so often, such as `5 min` (default: 30 s)"
    )


def _add_of(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--of",
        metavar="NAME",
        help="of that alone, which may be whatever else evaluations returned (default: the objectives)",
    )
