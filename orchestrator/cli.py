"""The command line: commands and exit codes, nothing else.

Exit codes: 0 done, 1 failed, 2 usage or spec error, 130 interrupted. What was asked for goes to standard
output; what is said along the way to standard error. Each command imports what it needs when it is given,
because `orchestrator --help` must not wait for numpy.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from orchestrator import __version__, command_line_node
from orchestrator import command_line_decisions as decisions
from orchestrator.command_line_files import (
    DONE,
    FAILED,
    INTERRUPTED,
    folder_of,
    read_run_of,
    write,
    write_one,
    write_table,
)
from orchestrator.errors import OrchestratorError, UsageError

if TYPE_CHECKING:
    from orchestrator.runtime.monitor import Monitor
    from orchestrator.runtime.run import RunOptions, RunOutcome
    from orchestrator.spec.model import Spec

FORMATS = ("table", "json", "csv")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the process's exit code. ``arguments`` are the process's own by default."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark, and the run goes on.
        with suppress(AttributeError, ValueError):
            cast(Any, stream).reconfigure(errors="replace")
    try:
        code = _command(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has read enough. Nothing is left to be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except OrchestratorError as error:
        print(f"{error}", file=sys.stderr)
        return error.exit_code
    except Exception:
        import traceback

        traceback.print_exc()
        print(
            f"\nThis is a bug in orchestrator {__version__}, not in your spec. Nothing that was acknowledged "
            "is lost: a run can be continued with `orchestrator resume`. Please report the lines above.",
            file=sys.stderr,
        )
        return FAILED
    return code


def _command(arguments: list[str]) -> int:
    parser, commands = _parser(arguments)
    named = next((argument for argument in arguments if not argument.startswith("-")), None)
    if named is not None and named not in commands:
        from orchestrator.spec.spelling import did_you_mean, listed

        raise UsageError(
            f"expected a command: {listed(commands)}; got `{named}`{did_you_mean(named, commands)}"
        )
    parsed, unknown = parser.parse_known_args(arguments)
    if parsed.command is None:
        parser.print_help(sys.stderr)
        return UsageError.exit_code
    if unknown:
        _refuse(unknown, commands[parsed.command])
    command: Callable[[argparse.Namespace], int] = parsed.perform
    return command(parsed)


def _refuse(unknown: Sequence[str], parser: argparse.ArgumentParser) -> NoReturn:
    from orchestrator.spec.spelling import did_you_mean

    options = re.findall(r"(?<!\w)--[a-z-]+", parser.format_help())
    near = did_you_mean(unknown[0], options)
    raise UsageError(f"expected none of {' '.join(unknown)}{near}\n{parser.format_usage().strip()}")


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print and exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")


# -- the commands and their arguments -------------------------------------------------------------------


def _parser(arguments: Sequence[str]) -> tuple[_Parser, dict[str, argparse.ArgumentParser]]:
    parser = _Parser(
        prog="orchestrator",
        description="Bayesian optimisation of expensive experiments: nothing is lost, no worker waits.",
        epilog="A RUN is a run's folder or its name under logs/; left out, it is the latest. "
        "`orchestrator COMMAND --help` tells more.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"orchestrator {__version__}")
    adding = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    commands: dict[str, argparse.ArgumentParser] = {}

    def command(
        name: str, perform: Callable[[argparse.Namespace], int], about: str
    ) -> argparse.ArgumentParser:
        commands[name] = adding.add_parser(name, help=about, description=f"{about}.", allow_abbrev=False)
        commands[name].set_defaults(perform=perform)
        return commands[name]

    run = command("run", _run, "Start the experiment of a spec and see it through")
    run.add_argument("spec", type=Path, metavar="SPEC", help="a YAML file")
    _add_logs(run)
    _add_faces(run)
    resume = command("resume", _resume, "Continue a run that was stopped, killed or unplugged")
    _add_run(resume)
    _add_faces(resume)
    worker = command("worker", _worker, "Evaluate for a run, from any terminal or machine")
    if "worker" in arguments:
        from evaluators.worker_options import add_arguments

        add_arguments(worker)
    node = command("node", command_line_node.node, "Choose points together with a run, from any machine")
    if "node" in arguments:
        from orchestrator.runtime.node_options import add_arguments as add_node_arguments

        add_node_arguments(node)
    _add_run(_with_output(command("status", _status, "Say how a run stands, and why nothing moves if so")))
    watch = command("watch", _watch, "Show a run as it goes on, or as it ended, from another terminal")
    _add_run(watch)
    watch.add_argument("--json", action="store_true", help="the events, one JSON object a line")
    watch.add_argument("--svg", type=Path, metavar="FILE", help="draw the screen once, as a picture")
    trials = _with_output(command("trials", _trials, "List the trials of a run"))
    _add_run(trials)
    states = ("queued", "running", "completed", "failed", "abandoned")
    trials.add_argument("--state", choices=states, help="only those in this state")
    trials.add_argument("--last", type=_positive, metavar="N", help="only the last N")
    _add_run(_with_output(command("best", _best, "Show the best point of a run")))
    explain = command("explain", _explain, "Say why a point was chosen, and what became of it")
    _add_run(explain)
    explain.add_argument("trial", type=int, metavar="TRIAL", help="the number of a trial")
    _add_run(
        _with_output(command("export", _export, "Write every trial with all that is known of it"), "csv")
    )
    report = command("report", _report, "Write a run as one HTML page: its best point, drawn; curve; trials")
    _add_run(report)
    report.add_argument(
        "--output", type=Path, metavar="FILE", help="write there instead of report.html in the run's folder"
    )
    report.add_argument(
        "--picture", type=Path, metavar="FILE", help="write only the best trial's picture, as SVG"
    )
    approve = command(
        "approve", decisions.approve, "Let trials go to their workers, where the spec wants a person's word"
    )
    approve.add_argument(
        "targets", nargs="*", metavar="[RUN] TRIAL", help="the numbers of trials (default: all that wait)"
    )
    refuse = command("refuse", decisions.refuse, "Do not have a trial evaluated")
    _add_run(refuse)
    refuse.add_argument("trial", type=int, metavar="TRIAL", help="the number of a trial")
    refuse.add_argument("--reason", required=True, help="why, for the record and for the optimiser's users")
    record = command("record", decisions.record, "Type in the result of a trial that a person evaluated")
    _add_run(record)
    record.add_argument("trial", type=int, metavar="TRIAL", help="the number of a trial")
    what = record.add_mutually_exclusive_group(required=True)
    what.add_argument("--value", type=float, help="the objective, in its own units and sense")
    what.add_argument("--failed", metavar="WHY", help="it gave no value, and why")
    record.add_argument("--variance", type=float, help="of the value's noise")
    record.add_argument("--extra", action="append", default=[], metavar="NAME=VALUE", help="anything else")
    amend = command(
        "amend", decisions.amend, "Change a run that has begun: bounds, budget, results; pause it"
    )
    _add_run(amend)
    if "amend" in arguments:
        from orchestrator.amend_options import add_arguments as add_amendments

        add_amendments(amend)
    for deciding in (approve, refuse):
        deciding.add_argument("--by", default="", metavar="NAME", help="who says so")
    _add_logs(approve)
    fsck = command("fsck", _fsck, "Say what is damaged in a run's journal, what can be saved, and repair it")
    _add_run(fsck)
    fsck.add_argument("--repair", action="store_true", help="write a mended journal; the damaged one is kept")
    keys = command("keys", decisions.keys, "Make, list and revoke the keys that workers connect with")
    keys.add_argument("action", choices=("new", "list", "revoke"))
    keys.add_argument("name", nargs="?", help="the worker's")
    keys.add_argument("--keys", type=Path, default=Path("keys"), metavar="DIR", help="default: keys")
    validate = command("validate", _validate, "Check a spec, with every error at its place")
    validate.add_argument("spec", type=Path, metavar="SPEC", help="a YAML file")
    doctor = command("doctor", _doctor, "Say which workloads can run here, and what the others lack")
    doctor.add_argument("spec", nargs="?", type=Path, metavar="SPEC", help="ask about its evaluator only")
    doctor.add_argument(
        "--connect", metavar="ADDRESS", help="ask whether a worker from here would get in there"
    )
    doctor.add_argument("--key", type=Path, metavar="FILE", help="the worker's key, for --connect")
    doctor.add_argument("--format", choices=("table", "json"), default="table", help="default: table")
    doctor.add_argument("--output", type=Path, metavar="FILE", help="write there instead of standard output")
    schema = command("schema", _schema, "Print the JSON Schema of specs, for editors")
    schema.add_argument("--output", type=Path, metavar="FILE", help="write there instead of standard output")
    return parser, commands


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="?", metavar="RUN", help="a run's folder or name (default: the latest)")
    _add_logs(parser)


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


def _with_output(parser: argparse.ArgumentParser, form: str = "table") -> argparse.ArgumentParser:
    parser.add_argument("--format", choices=FORMATS, default=form, help=f"default: {form}")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there instead of standard output")
    return parser


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, got {text}")
    return int(text)


# -- running --------------------------------------------------------------------------------------------


def _run(parsed: argparse.Namespace) -> int:
    from orchestrator.runtime.run import run_experiment
    from orchestrator.spec.load import load_spec

    loaded = load_spec(parsed.spec)
    return _closed(parsed, loaded.spec, run_experiment(loaded, _options(parsed)))


def _resume(parsed: argparse.Namespace) -> int:
    from orchestrator.runtime.recover import read_spec
    from orchestrator.runtime.run import resume_experiment

    folder = folder_of(parsed)
    outcome = resume_experiment(folder, _options(parsed))
    return _closed(parsed, read_spec(folder).spec, outcome)


def _options(parsed: argparse.Namespace) -> RunOptions:
    from orchestrator.report.readiness import refuse_unless_ready
    from orchestrator.runtime.run import RunOptions

    return RunOptions(_monitor(parsed), parsed.logs, check=refuse_unless_ready)


def _monitor(parsed: argparse.Namespace) -> Monitor:
    from orchestrator.report.standing_monitor import StandingMonitor

    return StandingMonitor(_face(parsed))


def _face(parsed: argparse.Namespace) -> Monitor:
    if parsed.json:
        from orchestrator.report.json_lines import JsonLinesMonitor

        return JsonLinesMonitor(sys.stdout)
    if parsed.quiet:
        from orchestrator.report.quiet import QuietMonitor

        return QuietMonitor(sys.stderr)
    if parsed.plain or not _is_screen(sys.stderr):
        from orchestrator.report.plain import PlainMonitor

        return PlainMonitor(sys.stderr)
    from rich.console import Console

    from orchestrator.report.live import LiveMonitor

    return LiveMonitor(Console(stderr=True))


def _closed(parsed: argparse.Namespace, spec: Spec, outcome: RunOutcome) -> int:
    from orchestrator.report.closing import closing_words, resumable

    if parsed.quiet:
        print(outcome.folder)
        if outcome.failed:
            print(outcome.message, file=sys.stderr)
    elif not parsed.json:
        print(closing_words(spec, outcome), end="", file=sys.stderr)
    if outcome.failed:
        return FAILED
    return INTERRUPTED if outcome.interrupted and resumable(outcome) else DONE


def _worker(parsed: argparse.Namespace) -> int:
    from evaluators.worker import options_from, run_worker

    return run_worker(options_from(parsed))


# -- looking on -----------------------------------------------------------------------------------------


def _status(parsed: argparse.Namespace) -> int:
    from orchestrator.report.last_standing import standing_now
    from orchestrator.report.left_requests import left_requests
    from orchestrator.report.run_tables import status_table, status_words

    folder = folder_of(parsed)
    holder = folder.holder()
    standing, left = standing_now(folder, holder), left_requests(folder)
    if parsed.format == "table":
        return write(status_words(standing, holder, left), parsed.output)
    return write_one(status_table(standing, holder, left), parsed)


def _watch(parsed: argparse.Namespace) -> int:
    from orchestrator.report.watch import picture, watch_in_lines, watch_on_screen

    folder = folder_of(parsed)
    if parsed.svg is not None:
        return write(picture(folder), parsed.svg)
    if parsed.json or not _is_screen(sys.stdout):
        watch_in_lines(folder, sys.stdout, as_json=parsed.json)
    else:
        from rich.console import Console

        watch_on_screen(folder, Console())
    return DONE


def _trials(parsed: argparse.Namespace) -> int:
    from orchestrator.report.run_tables import trials_table

    run = read_run_of(parsed)
    chosen = [t for t in run.state.trials.values() if parsed.state is None or t.state == parsed.state]
    return write_table(trials_table(run, chosen[-parsed.last :] if parsed.last else chosen), parsed)


def _best(parsed: argparse.Namespace) -> int:
    from orchestrator.report.run_tables import best_row, best_table

    run = read_run_of(parsed)
    if run.state.best is None:
        raise OrchestratorError(f"expected a run with a value, got {run.folder.path}, which has none yet")
    if parsed.format == "table":
        return write_table(best_table(run), parsed)
    return write_one(best_row(run), parsed)


def _explain(parsed: argparse.Namespace) -> int:
    from orchestrator.report.explain import explain
    from orchestrator.report.runs import FollowedRun

    run = FollowedRun.open(folder_of(parsed))
    return write(explain(run.spec, run.scheduler.state.policy, run.catch_up(), parsed.trial), None)


def _export(parsed: argparse.Namespace) -> int:
    from orchestrator.report.run_tables import trials_table

    return write_table(trials_table(read_run_of(parsed)), parsed)


def _report(parsed: argparse.Namespace) -> int:
    from orchestrator.report.page import page
    from orchestrator.report.pictures import best_picture
    from orchestrator.report.runs import FollowedRun

    run = FollowedRun.open(folder_of(parsed))
    events = run.catch_up()
    if parsed.picture is not None:
        drawn = best_picture(run)
        if drawn.svg is None:
            raise OrchestratorError(f"expected a picture of the best trial, got none: {drawn.why_not}")
        return write(drawn.svg, parsed.picture)
    path = parsed.output or run.folder.path / "report.html"
    write(page(run, events, run.folder.holder() is not None), path)
    print(path)
    return DONE


def _fsck(parsed: argparse.Namespace) -> int:
    from datetime import datetime

    from orchestrator.report.fsck_words import examination_words, plan_words
    from orchestrator.runtime.fsck import examine, plan_repair, repair

    folder = folder_of(parsed)
    with folder.lock() if parsed.repair else nullcontext():
        found = examine(folder.journal)
        write(examination_words(found), None)
        if not found.damaged and not (found.torn and parsed.repair):
            return DONE
        plan = plan_repair(folder, found, datetime.now().astimezone())
        write(plan_words(plan, folder), None)
        if not parsed.repair:
            print(f"nothing was changed; to do so: orchestrator fsck {folder.path} --repair", file=sys.stderr)
            return FAILED
        kept = repair(plan)
        print(
            f"mended; the damaged journal is kept as {kept}\ncontinue: orchestrator resume {folder.path}",
            file=sys.stderr,
        )
        return DONE


# -- specs ----------------------------------------------------------------------------------------------


def _validate(parsed: argparse.Namespace) -> int:
    from orchestrator.report.spec_words import spec_words
    from orchestrator.spec.load import load_spec

    return write(f"{parsed.spec} is valid: {spec_words(load_spec(parsed.spec).spec)}\n", None)


def _doctor(parsed: argparse.Namespace) -> int:
    from orchestrator.report.doctor import doctor_table, doctor_words, examine, examine_spec

    asked = parsed.spec is not None or parsed.connect is not None
    findings = [] if asked else examine()
    if parsed.spec is not None:
        from orchestrator.spec.load import load_spec

        findings.append(examine_spec(load_spec(parsed.spec).spec))
    if parsed.connect is not None:
        from orchestrator.report.reachability import examine_connection
        from orchestrator.wire.credentials import credentials_given

        findings.append(examine_connection(parsed.connect, credentials_given(parsed.key)))
    if parsed.format == "json":
        write(doctor_table(findings).written("json"), parsed.output)
    else:
        write(doctor_words(findings), parsed.output)
    # Somebody who asks about one thing wants to know; the list of all is no failure.
    return DONE if not asked or all(finding.ready for finding in findings) else FAILED


def _schema(parsed: argparse.Namespace) -> int:
    import json

    from orchestrator.spec.schema import spec_schema

    return write(json.dumps(spec_schema(), indent=2) + "\n", parsed.output)


def _is_screen(stream: Any) -> bool:
    return bool(stream.isatty()) and os.environ.get("TERM", "dumb") not in ("dumb", "")


if __name__ == "__main__":
    sys.exit(main())
