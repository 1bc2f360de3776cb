"""The command line's entry: which command is meant, and the exit code; `command_line` has the commands.

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
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from orchestrator.command_line.arguments import command_parser
from orchestrator.command_line.files import DONE, FAILED, INTERRUPTED, say
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.system.refused_start import what_is_refused
from orchestrator.system.standard_streams import open_closed_streams
from orchestrator.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the process's exit code. ``arguments`` are the process's own by default."""
    open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark, and the run goes on.
        if isinstance(stream, TextIOWrapper):
            with suppress(ValueError):
                stream.reconfigure(errors="replace")
    try:
        code = _command(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has read enough. Nothing is left to be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        say("interrupted\n", sys.stderr)
        return INTERRUPTED
    except OrchestratorError as error:
        say(f"{error}\n", sys.stderr)
        return error.exit_code
    except ModuleNotFoundError as error:
        if (sentence := _not_installed(error)) is None:
            return _bug()
        say(f"{sentence}\n", sys.stderr)
        return UsageError.exit_code
    except Exception as error:
        if not (what := what_is_refused(error)):
            return _bug()
        say(
            f"expected {what}, and the machine gives no more, or no more to this process (ulimit -a). "
            "Nothing that was acknowledged is lost: a run can be continued with `orchestrator resume`\n",
            sys.stderr,
        )
        return FAILED
    return code


def _bug() -> int:
    """Say of the exception that is being handled that it is ours."""
    import traceback

    traceback.print_exc()
    print(
        f"\nThis is a bug in orchestrator {__version__}, not in your spec. Nothing that was acknowledged "
        "is lost: a run can be continued with `orchestrator resume`. Please report the lines above.",
        file=sys.stderr,
    )
    return FAILED


def _not_installed(error: ModuleNotFoundError) -> str | None:
    """What to do where this Python lacks a package that we need; None where it is a module of ours."""
    package = (error.name or "").partition(".")[0]
    if not package or package == __package__.partition(".")[0] or package == "evaluators":
        return None
    if package in sys.stdlib_module_names:
        return (
            f"expected a Python whose standard library has `{package}`, and {sys.executable} does not: on "
            "Windows, run it in WSL, which has all of Linux; elsewhere, take another Python"
        )
    return (
        f"expected the package `{package}`, which {sys.executable} does not have: `make run`, in the"
        " project's folder, sets up an environment of its own, .venv, with all of them; or: pip install -e ."
    )


def _command(arguments: list[str]) -> int:
    parser, commands = command_parser(arguments)
    named = next((argument for argument in arguments if not argument.startswith("-")), None)
    if named is not None and named not in commands:
        from orchestrator.command_line.commands_elsewhere import command_elsewhere
        from orchestrator.spelling import did_you_mean, listed

        meant = command_elsewhere(named) or did_you_mean(named, commands)
        raise UsageError(f"expected a command: {listed(commands)}; got `{named}`{meant}")
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown and arguments[0] == unknown[0]:
        from orchestrator.spelling import did_you_mean

        near = did_you_mean(unknown[0], ("--help", "--version"))
        raise UsageError(f"expected the command before {unknown[0]}{near}\n{parser.format_usage().strip()}")
    if named is None:
        parser.print_help(sys.stderr)
        return UsageError.exit_code
    if unknown:
        _refuse(unknown, commands[named])
    _refuse_nowhere()
    if _is_for_programs(parsed) and not sys.stdout.isatty() and isinstance(sys.stdout, TextIOWrapper):
        # As our files are, and read back; by the locale's encoding texts might be lost.
        sys.stdout.reconfigure(encoding="utf-8")
    command: Callable[[argparse.Namespace], int] = parsed.perform
    return command(parsed)


def _is_for_programs(parsed: argparse.Namespace) -> bool:
    form = getattr(parsed, "format", None)
    return form in ("json", "csv", "semicolons") or getattr(parsed, "json", False)


def _refuse_nowhere() -> None:
    """Runs, specs and evaluators are looked for from the current folder, which may have been deleted."""
    try:
        os.getcwd()
    except OSError as error:
        raise UsageError(
            f"expected a current folder, got: {error.strerror}. It was deleted, or made anew: cd to it "
            "again, or to another"
        ) from None


def _refuse(unknown: Sequence[str], parser: argparse.ArgumentParser) -> NoReturn:
    from orchestrator.spelling import did_you_mean

    help_text = parser.format_help()
    options = re.findall(r"(?<!\w)--[a-z-]+", help_text)
    near = did_you_mean(unknown[0], options)
    if unknown[0] in options:
        near = " (options come before `--`)"
    if unknown[0] in ("--json", "--csv") and "--format" in help_text:
        near = f" (did you mean `--format {unknown[0][2:]}`?)"
    raise UsageError(f"expected none of {' '.join(unknown)}{near}\n{parser.format_usage().strip()}")


if __name__ == "__main__":
    sys.exit(main())
