"""The commands, the arguments they take, and what performs them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from orchestrator.command_line import checking, completing, decisions, running, trying
from orchestrator.command_line.looking_arguments import add_looking
from orchestrator.command_line.parsers import (
    Commands,
    Parser,
    add_faces,
    add_logs,
    add_output,
    add_run,
    with_output,
)
from orchestrator.values.typed_numbers import typed_count, typed_number
from orchestrator.version import __version__


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
    add_looking(commands)
    _add_deciding(commands, arguments)
    _add_checking(commands)
    return parser, commands.parsers


def _add_running(commands: Commands, arguments: Sequence[str]) -> None:
    run = commands.add("run", running.run, "Start the experiment of a spec and see it through")
    run.add_argument("spec", type=Path, metavar="SPEC", help="a YAML file")
    add_logs(run)
    add_faces(run)
    resume = commands.add("resume", running.resume, "Continue a run that was stopped, killed or unplugged")
    add_run(resume)
    add_faces(resume)
    worker = commands.add("worker", running.worker, "Evaluate for a run, from any terminal or machine")
    if "worker" in arguments:
        from evaluators.worker_process.options import add_arguments

        add_arguments(worker)
    node = commands.add("node", running.node, "Choose points together with a run, from any machine")
    if "node" in arguments:
        from orchestrator.runtime.nodes.options import add_arguments as add_node_arguments

        add_node_arguments(node)


def _add_deciding(commands: Commands, arguments: Sequence[str]) -> None:
    approve = commands.add(
        "approve", decisions.approve, "Let trials go to their workers, where the spec wants a person's word"
    )
    approve.add_argument(
        "targets",
        nargs="*",
        metavar="[RUN] TRIAL",
        help="a run's folder or name (default: the latest), and the numbers of trials (default: all that"
        " wait)",
    )
    refuse = commands.add("refuse", decisions.refuse, "Do not have a trial evaluated")
    add_run(refuse)
    refuse.add_argument("trial", type=typed_count, metavar="TRIAL", help="the number of a trial")
    refuse.add_argument("--reason", required=True, help="why, for the record and for the optimiser's users")
    refuse.add_argument(
        "--forget",
        action="store_true",
        help="and have nothing follow from that, as of a sample that was lost",
    )
    for deciding in (approve, refuse):
        _add_by(deciding)
    add_logs(approve)
    _add_record(commands)
    _add_prefer(commands)
    amend = commands.add(
        "amend", decisions.amend, "Change a run that has begun: bounds, budget, results, points; pause it"
    )
    add_run(amend)
    if "amend" in arguments:
        from orchestrator.command_line.amend_arguments import add_arguments as add_amendments

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
        help="anything else that was found; may be repeated; the objective under its name is the value",
    )
    _add_by(record)
    add_logs(record)


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
    add_logs(prefer)


def _add_by(deciding: argparse.ArgumentParser) -> None:
    deciding.add_argument("--by", default="", metavar="NAME", help="who says so")


def _add_keys(commands: Commands) -> None:
    keys = commands.add("keys", decisions.keys, "Make, list and revoke the keys that workers connect with")
    keys.add_argument("action", choices=("new", "list", "revoke"), metavar="new|list|revoke")
    keys.add_argument("name", nargs="?", metavar="NAME", help="with new and revoke: the worker's")
    keys.add_argument(
        "--keys", type=Path, default=Path("keys"), metavar="DIR", help="where keys lie (default: keys)"
    )
    with_output(keys)


def _add_checking(commands: Commands) -> None:
    fsck = commands.add(
        "fsck", checking.fsck, "Say what is damaged in a run's journal, what can be saved, and repair it"
    )
    add_run(fsck)
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
    add_output(doctor)
    schema = commands.add("schema", checking.schema, "Print the JSON Schema of specs, for editors")
    add_output(schema)
    completion = commands.add(
        "completion", _completion, "Print what completes these commands at the Tab key of a shell"
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="bash|zsh|fish")


def _completion(parsed: argparse.Namespace) -> int:
    # With the options of those that have them only where they are named.
    parser, commands = command_parser(["worker", "node", "amend"])
    return completing.write_completion(parsed.shell, parser, commands.values())
