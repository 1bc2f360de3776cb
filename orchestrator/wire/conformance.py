"""A conformance kit: is this worker, or this orchestrator, one that the other side can rely on?

    python -m orchestrator.wire.conformance worker --evaluator wing:drag --parameters '{"span": 3}' \\
        [--slow '{"span": 1e9}'] [--objective drag] -- ./my_worker {address}
    python -m orchestrator.wire.conformance orchestrator tcp://127.0.0.1:5555 --evaluator wing:drag

For a worker in any language, started by a command line in which ``{address}`` stands for the address to
dial: the kit plays the orchestrator, goes away, comes back, and kills the worker. ``parameters`` are of an
evaluation that takes at most seconds; ``slow`` of one that takes at least a minute, without which
timeouts and cancelling are not looked at; ``objective`` is what the kit calls the value. For an orchestrator
with a run that has some trials to give: the kit plays workers.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from orchestrator.wire.addresses import has_fixed_port, is_address
from orchestrator.wire.conformance_orchestrator import orchestrator_rules
from orchestrator.wire.conformance_worker import WorkerUnderTest, worker_rules
from orchestrator.wire.scripted import Breach

Rule = Callable[[], None]


@dataclass(frozen=True)
class Finding:
    """Whether a rule of the protocol was kept; if not, ``breach`` says what happened instead."""

    rule: str
    breach: str = ""

    @property
    def kept(self) -> bool:
        """No breach."""
        return not self.breach


def check_worker(
    command: Sequence[str],
    evaluator: str,
    parameters: dict[str, object],
    slow: dict[str, object] | None = None,
    objective: str = "",
) -> Iterator[Finding]:
    """Put a worker through its paces. Later rules build on earlier ones: the first breach ends it."""
    with WorkerUnderTest(command, evaluator, parameters, slow, objective) as subject:
        yield from _findings(worker_rules(subject))


def check_orchestrator(address: str, evaluator: str) -> Iterator[Finding]:
    """Put an orchestrator through its paces; it loses a few trials to values of 0.5 and one failure."""
    name = f"conformance-{time.time_ns()}"
    yield from _findings(orchestrator_rules(address, name, evaluator))


def _findings(rules: Iterator[tuple[str, Rule]]) -> Iterator[Finding]:
    for words, rule in rules:
        try:
            rule()
        except Breach as breach:
            yield Finding(words, str(breach))
            return
        yield Finding(words)


def _object(text: str) -> dict[str, object]:
    with suppress(ValueError, RecursionError):
        if isinstance(told := json.loads(text), dict):
            return told
    raise argparse.ArgumentTypeError(f"""expected a JSON object, such as '{{"span": 3}}', got {text}""")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 if every rule was kept."""
    parser = argparse.ArgumentParser(
        prog="python -m orchestrator.wire.conformance",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sides = parser.add_subparsers(dest="side", required=True)
    worker = sides.add_parser("worker", help="check a worker")
    worker.add_argument("--evaluator", required=True)
    worker.add_argument("--parameters", type=_object, default={}, metavar="JSON")
    worker.add_argument("--slow", type=_object, metavar="JSON")
    worker.add_argument("--objective", default="", metavar="NAME")
    worker.add_argument("command", nargs=argparse.REMAINDER)
    orchestrator = sides.add_parser("orchestrator", help="check an orchestrator")
    orchestrator.add_argument("address")
    orchestrator.add_argument("--evaluator", required=True)
    given = parser.parse_args(arguments)
    if given.side == "worker":
        command = given.command[1:] if given.command[:1] == ["--"] else given.command
        if not any("{address}" in argument for argument in command):
            parser.error("expected the worker's command line, with {address} in it, after --")
        if shutil.which(command[0]) is None:
            parser.error(f"expected a program that can be started after --, got {command[0]}")
        if given.slow is None:
            print("not tried, without --slow: leases in heartbeats, cancelling, timeouts, draining at work")
        findings = check_worker(command, given.evaluator, given.parameters, given.slow, given.objective)
    else:
        if not (is_address(given.address) and has_fixed_port(given.address)):
            parser.error(f"expected an address such as tcp://127.0.0.1:5555, got {given.address}")
        findings = check_orchestrator(given.address, given.evaluator)
    kept = True
    for finding in findings:
        kept = kept and finding.kept
        print(f"{'kept  ' if finding.kept else 'BROKEN'}  {finding.rule}")
        if not finding.kept:
            print(f"        {finding.breach}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
