"""The command that has a shell complete the others: a script of what they take, by shtab."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from orchestrator.command_line.files import write

SPECS = ("*.yaml", "*.yml")
SEARCHES = "*.jsonl"
TAKEN_TOO = "from Python"
"""What help has of a command that takes files of searches as well as runs."""
RUNS_NAMED = {
    "bash": """
for journal in logs/*/journal.jsonl; do
  journal=${{journal%/journal.jsonl}}
  [[ -d $journal && ${{journal#logs/}} == "$1"* ]] && printf '%s\\n' "${{journal#logs/}}"
done
{files} "$1"
""",
    "zsh": """
local -a journals
journals=(logs/*/journal.jsonl(N:h:t))
compadd -a journals
{files}
""",
    "fish": """
for journal in logs/*/journal.jsonl
  string replace --regex '^logs/(.*)/journal.jsonl$' '$1' $journal
end
""",
}
"""What names the runs that lie under logs/, and then ``files``; in fish that is beside it."""


def write_completion(
    shell: str, parser: argparse.ArgumentParser, commands: Iterable[argparse.ArgumentParser]
) -> int:
    """A script for a ``shell``, of a parser and those of its commands, each with all its options."""
    import shtab

    specs = shtab.glob(*SPECS)
    # In zsh what stands alone between parentheses, as shtab has it, is no pattern.
    searches = {**shtab.glob(SEARCHES), "zsh": f"_files -g '{SEARCHES}'"}
    a_run = _runs("_orchestrator_run_dirs", shtab.DIRECTORY)
    a_run_or_search = _runs("_orchestrator_kept_dirs", searches)
    for command in commands:
        for action in command._actions:
            named = str(action.metavar)
            if "RUN" in named:
                _complete(action, a_run_or_search if TAKEN_TOO in (action.help or "") else a_run)
            elif named == "SPEC":
                _complete(action, specs)
            elif named in ("FILE", "FILE=PATH"):
                _complete(action, shtab.FILE)
            elif named in ("DIR", "FOLDER"):
                _complete(action, shtab.DIRECTORY)
    return write(shtab.complete(parser, shell), None)


def _complete(action: argparse.Action, by: Mapping[str, Any]) -> None:
    """As shtab has it said."""
    action.complete = by  # type: ignore[attr-defined]


def _runs(function: str, files: Mapping[str, Any]) -> dict[str, Any]:
    """What completes the name of a run under logs/, or such ``files``, by a function of that name."""
    scripts = {
        shell: script.format(files=files[shell]) if shell != "fish" else script
        for shell, script in RUNS_NAMED.items()
    }
    own = {
        "bash": f"{function}() {{\nlocal journal\n{scripts['bash']}}}\n",
        "zsh": f"{function}() {{{scripts['zsh']}}}\n",
        "fish": f"function {function}{scripts['fish']}end\n",
    }
    given = files.get("preamble", {})
    return {
        "bash": function,
        "zsh": function,
        "fish": f"({function}) {files['fish']}",
        "preamble": {shell: given.get(shell, "") + text for shell, text in own.items()},
    }
