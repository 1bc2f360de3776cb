"""How a worker is started: its options, and the command line that they come from."""

from __future__ import annotations

import argparse
import math
import os
import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from orchestrator.errors import UsageError
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.input_template import TemplateError, read_template, templates_of
from orchestrator.programs.slot_variables import mistake_in_name
from orchestrator.programs.template_folders import files_of
from orchestrator.values.typed_numbers import typed_count, typed_number
from orchestrator.wire.credentials import KEY_FILE_VARIABLE, Credentials, credentials_given

LOGS: Final = Path("logs")


@dataclass(frozen=True)
class WorkerOptions:
    """How a worker is started.

    ``connect``: the orchestrator's address. ``evaluators``: the names (``module:function``) it offers; the
    orchestrator names one of them. ``command``: a program with placeholders to offer instead or as well;
    ``templates``: the files that it reads, with the template of each on this machine.
    ``each``: environment variables of the evaluations, each with a value for every slot, in the slots' order.
    ``name``: unique in a run; None for ``host-pid``. ``directory``: where the outbox and unfinished output
    live; by default ``logs/worker-<name>``, and without a name the first of ``logs/worker-<host>-1``, ``-2``
    … that no running worker holds, so that a successor finds what its predecessor could not deliver.
    ``trials``: where ``<run>/NNNN/`` are kept, or ``NNNN/`` by a worker of ``one_run``; by default
    ``<directory>/trials``. ``exit_with_parent``: standard input is a pipe held by the parent; at its end the
    worker kills its children and exits.
    ``grace_s``: seconds between SIGTERM and SIGKILL. ``wait_s``: seconds without an orchestrator after which
    it leaves. ``credentials``: what it proves itself with, where the orchestrator wants keys.
    """

    connect: str
    evaluators: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    templates: tuple[tuple[str, str], ...] = ()
    name: str | None = None
    slots: int = 1
    each: Mapping[str, Sequence[str]] = field(default_factory=dict)
    directory: Path | None = None
    trials: Path | None = None
    one_run: bool = False
    exit_with_parent: bool = False
    grace_s: float = 2.0
    wait_s: float = math.inf
    credentials: Credentials | None = None

    @property
    def offered(self) -> list[str]:
        """The evaluators named in the hello."""
        names = list(dict.fromkeys(self.evaluators))
        if self.command and COMMAND_EVALUATOR not in names:
            names.append(COMMAND_EVALUATOR)
        return names

    @property
    def worker_name(self) -> str:
        """The name given, or host and process."""
        return self.name or f"{_host()}-{os.getpid()}"

    def own_of(self, *slots: int) -> dict[str, str]:
        """What the evaluations of a slot, the first of which is 0, have of their own: variables by name. One
        that takes several has the values of all, each once, with commas between them.
        """
        of_slots = {name: [values[slot] for slot in slots] for name, values in self.each.items()}
        return {name: ",".join(dict.fromkeys(values)) for name, values in of_slots.items()}

    @property
    def own_of_all(self) -> dict[str, str]:
        """The same, as far as it is the same for all slots."""
        return {name: values[0] for name, values in self.each.items() if len(set(values)) == 1}

    def check(self) -> None:
        """Raises `UsageError` for what cannot work whatever the orchestrator says."""
        # Imported here because `--help` must not wait for it.
        from orchestrator.wire.messages import SLOTS_LIMIT

        if not self.connect:
            raise UsageError(
                "expected --connect with an address such as tcp://192.168.0.7:5555, got nothing; the script"
                " of a job has it in $ORCHESTRATOR_ADDRESS, where its queue hands the environment on"
            )
        if not self.offered:
            raise UsageError("expected --evaluator module:function or --command program …, got neither")
        for name in self.evaluators:
            module, _, function = name.partition(":")
            if not module or not function:
                raise UsageError(f"expected --evaluator module:function, got `{name}`")
        if self.name is not None and not self.name.strip():
            raise UsageError(
                f"expected --name with a name that is unique in a run, got {self.name!r}; without --name it "
                "is host and process"
            )
        try:
            "".join((self.worker_name, *self.evaluators)).encode()
        except UnicodeEncodeError:
            raise UsageError("expected names in UTF-8, got bytes that are none; write them again") from None
        if not 1 <= self.slots <= SLOTS_LIMIT:
            raise UsageError(f"expected --slots of 1 to {SLOTS_LIMIT:,}, got {self.slots}")
        if not 0.0 <= self.grace_s < math.inf:
            raise UsageError(f"expected --grace of 0 seconds or more, got {self.grace_s:g}")
        if not self.wait_s > 0.0:
            raise UsageError(f"expected --wait of more than 0 seconds, got {self.wait_s:g}")
        if self.templates:
            self._check_templates()
        self._check_each()

    def _check_each(self) -> None:
        for name, values in self.each.items():
            if mistake := mistake_in_name(name):
                raise UsageError(f"--each: {mistake}")
            if len(values) != self.slots:
                one = f", `{values[0]}`" if len(values) == 1 else ""
                raise UsageError(
                    f"expected as many --each {name}=VALUE as there are --slots, {self.slots}, got "
                    f"{len(values)}{one}"
                )

    def _check_templates(self) -> None:
        if not self.command:
            raise UsageError("expected --command program … after --template, whose file it reads, got none")
        templates = dict(self.templates)
        if len(templates) < len(self.templates):
            raise UsageError("expected each FILE of --template FILE=PATH once, got one again")
        try:
            for path in files_of(templates_of({"templates": templates})).values():
                read_template(path)
        except TemplateError as error:
            raise UsageError(f"--template: {error}") from None


def _host() -> str:
    return socket.gethostname().split(".")[0] or "worker"


def default_directories(options: WorkerOptions) -> list[Path]:
    """Where the worker may keep its files, in order of preference."""
    if options.directory is not None:
        return [options.directory]
    if options.name:
        return [LOGS / f"worker-{options.name.replace(os.sep, '-')}"]
    return [LOGS / f"worker-{_host()}-{n}" for n in range(1, 1000)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The worker's arguments, for this command and for `orchestrator worker`."""
    parser.add_argument("--connect", required=True, metavar="ADDRESS", help="such as tcp://host:5555")
    parser.add_argument(
        "--evaluator",
        action="append",
        default=[],
        metavar="MODULE:FUNCTION",
        help="what it offers to evaluate by; may be repeated",
    )
    parser.add_argument(
        "--template",
        action="append",
        default=[],
        metavar="FILE=PATH",
        help="a file that the program of --command reads, and the template it is made of, or a folder, as"
        " .=case; may be repeated",
    )
    parser.add_argument("--name", help="unique in a run (default: host and process)")
    parser.add_argument("--slots", type=typed_count, default=1, help="evaluations at a time (default: 1)")
    parser.add_argument(
        "--each",
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="an environment variable of the evaluations in one slot; as many as --slots, in their order; the"
        " run records them, so no secrets",
    )
    parser.add_argument(
        "--directory", type=Path, help="where undelivered results are kept (default: logs/worker-NAME)"
    )
    parser.add_argument(
        "--trials",
        type=Path,
        help="where the files of evaluations are kept, by run and trial (default: DIRECTORY/trials)",
    )
    parser.add_argument("--one-run", action="store_true", help="keep them there by trial, being of one run")
    parser.add_argument("--exit-with-parent", action="store_true", help="end when standard input ends")
    parser.add_argument(
        "--grace",
        type=typed_number,
        default=2.0,
        metavar="SECONDS",
        help="from SIGTERM to SIGKILL (default: 2)",
    )
    parser.add_argument(
        "--wait",
        type=typed_number,
        default=math.inf,
        metavar="SECONDS",
        help="leave where no orchestrator has answered for so long (default: wait for ever)",
    )
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help=f"made by `orchestrator keys new` (default: the file named by ${KEY_FILE_VARIABLE})",
    )
    parser.add_argument(
        "--command",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="PROGRAM",
        help="a program with its arguments, the rest of the line, with placeholders such as {x1} and {seed}",
    )


def options_from(parsed: argparse.Namespace) -> WorkerOptions:
    """The options from what `add_arguments` parsed. Raises `OrchestratorError` for what is no such option."""
    return WorkerOptions(
        connect=parsed.connect,
        evaluators=tuple(parsed.evaluator),
        command=tuple(parsed.command),
        templates=tuple(_file_and_path(given) for given in parsed.template),
        name=parsed.name,
        slots=parsed.slots,
        each=_values_by_name(parsed.each),
        directory=parsed.directory,
        trials=parsed.trials,
        one_run=parsed.one_run,
        exit_with_parent=parsed.exit_with_parent,
        grace_s=parsed.grace,
        wait_s=parsed.wait,
        credentials=credentials_given(parsed.key),
    )


def _file_and_path(given: str) -> tuple[str, str]:
    file, _, path = given.partition("=")
    if not file or not path:
        raise UsageError(f"expected --template FILE=PATH, such as wing.in=wing.in.template, got `{given}`")
    return file, path


def _values_by_name(given: Iterable[str]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise UsageError(f"expected --each NAME=VALUE, such as CUDA_VISIBLE_DEVICES=0, got `{one}`")
        values.setdefault(name, []).append(value)
    return values
