"""The commands, the arguments they take, and what performs them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from orchestrator.command_line import checking, comparing, decisions, looking, running, trying
from orchestrator.errors import UsageError
from orchestrator.values.typed_numbers import typed_count, typed_number, typed_tolerance
from orchestrator.version import __version__

FORMATS = ("table", "json", "csv")

Perform: TypeAlias = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Raises where argparse would print and exit."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Of its own argparse takes -3.2 for a number, and -1e-9 for an option.
        self._negative_number_matcher = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$", re.IGNORECASE)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")


class Commands:
    """Those of a parser, by name."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parsers: dict[str, argparse.ArgumentParser] = {}
        self._adding = parser.add_subparsers(metavar="COMMAND", title="commands")

    def add(self, name: str, perform: Perform, about: str) -> argparse.ArgumentParser:
        """Another one, without arguments of its own yet."""
        parser = self._adding.add_parser(name, help=about, description=f"{about}.", allow_abbrev=False)
        parser.set_defaults(perform=perform)
        self.parsers[name] = parser
        return parser


def command_parser(arguments: Sequence[str]) -> tuple[Parser, dict[str, argparse.ArgumentParser]]:
    """The whole, and the parser of each command. Those with many options have them only where ``arguments``
    name the command, because the modules that know them are slow to import.
    """
    parser = Parser(
        prog="orchestrator",
        description="Bayesian optimisation of expensive experiments: nothing is lost, workers hardly wait.",
        epilog="A RUN is a run's folder or its name under logs/; left out, it is the latest. "
        "`orchestrator COMMAND --help` tells more.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"orchestrator {__version__}")
    commands = Commands(parser)
    _add_running(commands, arguments)
    _add_looking(commands)
    _add_deciding(commands, arguments)
    _add_checking(commands)
    return parser, commands.parsers


def _add_running(commands: Commands, arguments: Sequence[str]) -> None:
    run = commands.add("run", running.run, "Start the experiment of a spec and see it through")
    run.add_argument("spec", type=Path, metavar="SPEC", help="a YAML file")
    _add_logs(run)
    _add_faces(run)
    resume = commands.add("resume", running.resume, "Continue a run that was stopped, killed or unplugged")
    _add_run(resume)
    _add_faces(resume)
    worker = commands.add("worker", running.worker, "Evaluate for a run, from any terminal or machine")
    if "worker" in arguments:
        from evaluators.worker_process.options import add_arguments

        add_arguments(worker)
    node = commands.add("node", running.node, "Choose points together with a run, from any machine")
    if "node" in arguments:
        from orchestrator.runtime.nodes.options import add_arguments as add_node_arguments

        add_node_arguments(node)


def _add_looking(commands: Commands) -> None:
    status = commands.add("status", looking.status, "Say how a run stands, and why nothing moves if so")
    _add_kept(_with_output(status))
    _add_watch(commands)
    _add_trials(commands)
    _add_kept(
        _with_output(commands.add("best", looking.best, "Show the best point of a run, or its trade-offs"))
    )
    _add_explain(commands)
    _add_sensitivity(commands)
    _add_tolerance(commands)
    _add_predict(commands)
    _add_compare(commands)
    export = commands.add("export", looking.export, "Write every trial with all that is known of it")
    export.add_argument(
        "--format",
        choices=(*FORMATS, "semicolons"),
        default="csv",
        help="default: csv; semicolons: CSV for spreadsheets where numbers have decimal commas",
    )
    _add_output(export)
    _add_kept(export)
    _add_report(commands)


def _add_watch(commands: Commands) -> None:
    watch = commands.add(
        "watch", looking.watch, "Show a run as it goes on, or as it ended, from another terminal"
    )
    _add_run(watch)
    watch.add_argument("--json", action="store_true", help="the events, one JSON object a line")
    watch.add_argument("--svg", type=Path, metavar="FILE", help="draw the screen once, as a picture")


def _add_trials(commands: Commands) -> None:
    trials = _with_output(commands.add("trials", looking.trials, "List the trials of a run"))
    _add_kept(trials)
    states = ("queued", "running", "completed", "failed", "stopped", "abandoned", "forgotten")
    trials.add_argument("--state", choices=states, help="only those in this state")
    trials.add_argument("--last", type=typed_count, metavar="N", help="only the last N")


def _add_explain(commands: Commands) -> None:
    explain = commands.add("explain", looking.explain, "Say why a point was chosen, and what became of it")
    _add_kept(explain)
    explain.add_argument("trial", type=typed_count, metavar="TRIAL", help="the number of a trial")
    explain.add_argument("--format", choices=("words", "json"), default="words", help="default: words")
    _add_output(explain)


def _add_sensitivity(commands: Commands) -> None:
    sensitivity = commands.add(
        "sensitivity", looking.sensitivity, "Say which parameters matter, by a model of the results"
    )
    _add_kept(_with_output(sensitivity))
    sensitivity.add_argument(
        "--of", metavar="NAME", help="of what else evaluations returned (default: the objective)"
    )


def _add_tolerance(commands: Commands) -> None:
    tolerance = commands.add(
        "tolerance",
        looking.tolerance,
        "Say how good the best points are where settings are a little off",
    )
    _add_kept(_with_output(tolerance))
    tolerance.add_argument(
        "--off",
        type=typed_tolerance,
        action="append",
        default=[],
        metavar="NAME=WIDTH",
        help="by how much a parameter may be off, up and down, in its own units; may be repeated. Left out:"
        " as the spec's tolerances say",
    )


def _add_predict(commands: Commands) -> None:
    predict = commands.add(
        "predict", looking.predict, "Say what models of the results expect at settings of your choosing"
    )
    predict.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] NAME=VALUE",
        help="a run's folder or name (default: the latest), or the file of a search from Python, and"
        " settings; those left out are as held now, at full fidelity, and else as in the best trial",
    )
    _add_logs(_with_output(predict))
    predict.add_argument(
        "--points", type=Path, metavar="FILE", help="points in the rows of a CSV file, instead of settings"
    )
    predict.add_argument(
        "--of", metavar="NAME", help="of what else evaluations returned, alone (default: the objectives)"
    )


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
    _add_logs(_with_output(compare))
    compare.add_argument(
        "--of", metavar="NAME", help="of what else evaluations returned, alone (default: the objectives)"
    )


def _add_report(commands: Commands) -> None:
    report = commands.add(
        "report",
        looking.report,
        "Write a run as one HTML page: its best point, drawn, or its trade-offs; trials",
    )
    _add_kept(report)
    report.add_argument(
        "--output", type=Path, metavar="FILE", help="write there instead of report.html in the run's folder"
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
        "--trial", type=typed_count, metavar="N", help="with --picture: draw that trial instead"
    )


def _add_deciding(commands: Commands, arguments: Sequence[str]) -> None:
    approve = commands.add(
        "approve", decisions.approve, "Let trials go to their workers, where the spec wants a person's word"
    )
    approve.add_argument(
        "targets", nargs="*", metavar="[RUN] TRIAL", help="the numbers of trials (default: all that wait)"
    )
    refuse = commands.add("refuse", decisions.refuse, "Do not have a trial evaluated")
    _add_run(refuse)
    refuse.add_argument("trial", type=typed_count, metavar="TRIAL", help="the number of a trial")
    refuse.add_argument("--reason", required=True, help="why, for the record and for the optimiser's users")
    refuse.add_argument(
        "--forget",
        action="store_true",
        help="and have nothing follow from that, as of a sample that was lost",
    )
    for deciding in (approve, refuse):
        _add_by(deciding)
    _add_logs(approve)
    _add_record(commands)
    _add_prefer(commands)
    amend = commands.add(
        "amend", decisions.amend, "Change a run that has begun: bounds, budget, results, points; pause it"
    )
    _add_run(amend)
    if "amend" in arguments:
        from orchestrator.command_line.amend_options import add_arguments as add_amendments

        add_amendments(amend)
    _add_keys(commands)


def _add_record(commands: Commands) -> None:
    record = commands.add("record", decisions.record, "Type in the results of trials that a person evaluated")
    record.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] TRIAL",
        help="a run's folder or name (default: the latest), and the number of a trial",
    )
    what = record.add_mutually_exclusive_group()
    what.add_argument(
        "--value", type=typed_number, help="the objective, of several the first, in its own units and sense"
    )
    what.add_argument("--failed", metavar="WHY", help="it gave no value, and why")
    what.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="of many trials instead, in the rows of a CSV file: columns `trial`, the objectives, the"
        " outcomes, and perhaps `variance`, `failed` and `lost`",
    )
    record.add_argument(
        "--replicates",
        action="store_true",
        help="rows of the same trial are replicates: their mean counts, with its variance",
    )
    record.add_argument(
        "--correct",
        action="store_true",
        help="values of trials that were recorded before take the place of those, which were mistyped",
    )
    record.add_argument("--variance", type=typed_number, help="of the value's noise")
    record.add_argument(
        "--extra",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="anything else; the objective under its name is the value",
    )
    _add_by(record)
    _add_logs(record)


def _add_prefer(commands: Commands) -> None:
    prefer = commands.add(
        "prefer",
        decisions.prefer,
        "Say which of two trials is better, where no trial has a value",
    )
    prefer.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] TRIAL",
        help="a run's folder or name (default: the latest), and the number of a trial",
    )
    for option, help_text in (
        ("--over", "it is better than that one"),
        ("--like", "you cannot tell which of the two is better"),
        ("--take-back", "what was said of the two, in either order, does not hold"),
    ):
        prefer.add_argument(
            option, type=typed_count, action="append", default=[], metavar="TRIAL", help=help_text
        )
    _add_by(prefer)
    _add_logs(prefer)


def _add_by(deciding: argparse.ArgumentParser) -> None:
    deciding.add_argument("--by", default="", metavar="NAME", help="who says so")


def _add_keys(commands: Commands) -> None:
    keys = commands.add("keys", decisions.keys, "Make, list and revoke the keys that workers connect with")
    keys.add_argument("action", choices=("new", "list", "revoke"), metavar="new|list|revoke")
    keys.add_argument("name", nargs="?", help="the worker's")
    keys.add_argument("--keys", type=Path, default=Path("keys"), metavar="DIR", help="default: keys")


def _add_checking(commands: Commands) -> None:
    fsck = commands.add(
        "fsck", checking.fsck, "Say what is damaged in a run's journal, what can be saved, and repair it"
    )
    _add_run(fsck)
    fsck.add_argument("--repair", action="store_true", help="write a mended journal; the damaged one is kept")
    validate = commands.add("validate", checking.validate, "Check a spec, with every error at its place")
    validate.add_argument("spec", type=Path, metavar="SPEC", help="a YAML file")
    tried = commands.add(
        "try", trying.try_spec, "Evaluate one point of a spec here, and say what is read of it; no run begins"
    )
    tried.add_argument("spec", type=Path, metavar="SPEC", help="a YAML file")
    tried.add_argument(
        "settings",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="of the point; those left out are as in the first of the spec's own points, else in the middle",
    )
    doctor = commands.add(
        "doctor", checking.doctor, "Say which workloads can run here, and what the others lack"
    )
    doctor.add_argument("spec", nargs="?", type=Path, metavar="SPEC", help="ask about its evaluator only")
    doctor.add_argument(
        "--connect", metavar="ADDRESS", help="ask whether a worker from here would get in there"
    )
    doctor.add_argument("--key", type=Path, metavar="FILE", help="the worker's key, for --connect")
    doctor.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    _add_output(doctor)
    schema = commands.add("schema", checking.schema, "Print the JSON Schema of specs, for editors")
    _add_output(schema)


def _add_run(parser: argparse.ArgumentParser, also: str = "") -> None:
    which = f"a run's folder or name (default: the latest){also}"
    parser.add_argument("run", nargs="?", metavar="RUN", help=which)
    _add_logs(parser)


def _add_kept(parser: argparse.ArgumentParser) -> None:
    _add_run(parser, ", or the file of a search from Python")


def _add_logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--logs", type=Path, default=Path("logs"), metavar="DIR", help="where runs lie (default: logs)"
    )


def _add_faces(parser: argparse.ArgumentParser) -> None:
    faces = parser.add_mutually_exclusive_group()
    faces.add_argument("--plain", action="store_true", help="plain lines, as where there is no terminal")
    faces.add_argument(
        "--quiet", action="store_true", help="nothing but errors, and the run's folder at the end"
    )
    faces.add_argument("--json", action="store_true", help="the events, one JSON object a line")


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there instead of standard output")


def _with_output(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    _add_output(parser)
    return parser
