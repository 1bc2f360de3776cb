"""How a node is started: its options, and the command line that they come from. Light: `--help` reads it."""

from __future__ import annotations

import argparse
import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path

from orchestrator.errors import UsageError
from orchestrator.values.typed_numbers import typed_count
from orchestrator.wire.credentials import KEY_FILE_VARIABLE, Credentials, credentials_given

NODE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class NodeOptions:
    """How a node is started.

    ``connect``: where the optimiser listens for nodes. ``name``: unique among them; None for ``host-pid``.
    ``factors``: how many it holds at most. ``credentials``: what it proves itself with, where the run wants
    keys. ``exit_with_parent``: standard input is a pipe held by the parent; at its end the node ends.
    """

    connect: str
    name: str | None = None
    factors: int = 1
    credentials: Credentials | None = None
    exit_with_parent: bool = False

    @property
    def node_name(self) -> str:
        """The name given, or host and process."""
        host = re.sub(r"[^A-Za-z0-9_.-]", "-", socket.gethostname().split(".")[0])[:40].lstrip("_.-")
        return f"{host or 'node'}-{os.getpid()}" if self.name is None else self.name

    def check(self) -> None:
        """Raises `UsageError` for what cannot work whatever the optimiser says."""
        if not NODE_NAME.fullmatch(self.node_name):
            raise UsageError(f"expected a --name of letters, digits and . _ -, got {self.name!r}")
        if self.factors < 1:
            raise UsageError(f"expected --factors of 1 or more, got {self.factors}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The node's arguments, for `orchestrator node` and for the processes that a run starts."""
    parser.add_argument(
        "--connect",
        required=True,
        metavar="ADDRESS",
        help="where the run listens for nodes, such as tcp://host:5560",
    )
    parser.add_argument("--name", help="unique in a run (default: host and process)")
    parser.add_argument(
        "--factors",
        type=typed_count,
        default=1,
        metavar="N",
        help="how many factors it holds at most (default: 1)",
    )
    parser.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help=f"made by `orchestrator keys new` (default: the file named by ${KEY_FILE_VARIABLE})",
    )
    parser.add_argument("--exit-with-parent", action="store_true", help="end when standard input ends")


def options_from(parsed: argparse.Namespace) -> NodeOptions:
    """The options from what `add_arguments` parsed. Raises `KeyFileError` and `UsageError`."""
    options = NodeOptions(
        connect=parsed.connect,
        name=parsed.name,
        factors=parsed.factors,
        credentials=credentials_given(parsed.key),
        exit_with_parent=parsed.exit_with_parent,
    )
    options.check()
    return options
