"""Parsers of commands, and the arguments that several of them have."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from orchestrator.errors import UsageError

FORMATS = ("table", "json", "csv")
_LACKING: Final = "the following arguments are required: "
"""What argparse says before the names of arguments that are missing."""

Perform: TypeAlias = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Raises where argparse would print and exit."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # From Python 3.14 on help has colours where standard output is a terminal. Errors quote the usage, go
        # elsewhere, and find options that were meant in the help.
        self.color = False
        # Of its own argparse takes -3.2 for a number, and -1e-9 for an option.
        self._negative_number_matcher = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$", re.IGNORECASE)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """What there may be several of, as settings, stands before options and after them; argparse takes it
        from one place.
        """
        parsed, unknown = super().parse_known_args(args, namespace)
        if any(argument.startswith("-") for argument in unknown):
            return parsed, unknown
        for action in self._get_positional_actions():
            if unknown and action.nargs == "*" and action.type is None:
                setattr(parsed, action.dest, [*getattr(parsed, action.dest), *unknown])
                unknown = []
        return parsed, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As argparse does, in the words of what else is refused, with a near miss."""
        if action.choices is not None and value not in action.choices:
            from orchestrator.spelling import did_you_mean, listed

            words = [str(choice) for choice in action.choices]
            near = did_you_mean(str(value), words)
            raise argparse.ArgumentError(action, f"expected {listed(words)}, got `{value}`{near}")

    def error(self, message: str) -> NoReturn:
        if message.startswith(_LACKING):
            message = f"expected {message.removeprefix(_LACKING)}, got none"
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


def add_run(parser: argparse.ArgumentParser, also: str = "") -> None:
    """A run, by its folder or its name, and ``also`` what else may be named so."""
    which = f"a run's folder or name (default: the latest){also}"
    parser.add_argument("run", nargs="?", metavar="RUN", help=which)
    add_logs(parser)


def add_kept(parser: argparse.ArgumentParser) -> None:
    """A run, or the file of a search from Python."""
    add_run(parser, ", or the file of a search from Python")


def add_logs(parser: argparse.ArgumentParser) -> None:
    """Where runs lie."""
    parser.add_argument(
        "--logs", type=Path, default=Path("logs"), metavar="DIR", help="where runs lie (default: logs)"
    )


def add_faces(parser: argparse.ArgumentParser) -> None:
    """How a run is shown while it goes on."""
    faces = parser.add_mutually_exclusive_group()
    faces.add_argument("--plain", action="store_true", help="plain lines, as where there is no terminal")
    faces.add_argument(
        "--quiet", action="store_true", help="nothing but errors, and the run's folder at the end"
    )
    faces.add_argument("--json", action="store_true", help="the events, one JSON object a line")


def add_output(parser: argparse.ArgumentParser) -> None:
    """A file to write to."""
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there instead of standard output")


def with_output(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser, with the form that is written, and where to."""
    parser.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    add_output(parser)
    return parser
