"""What people call commands that are called otherwise here, or are something else."""

from __future__ import annotations

from collections.abc import Mapping

_MEANT: Mapping[str, tuple[str, ...]] = {
    "`orchestrator run SPEC`": ("start", "begin", "optimise", "optimize", "minimise", "maximise"),
    "a spec is a YAML file of your own, which `orchestrator validate` checks": ("init", "new", "create"),
    "`orchestrator validate SPEC`": ("check", "lint", "verify", "dry-run"),
    "`orchestrator resume`": ("continue", "restart", "recover"),
    "a run is stopped by Ctrl-C where it goes on, or SIGTERM; `orchestrator amend --pause` lets it wait": (
        "stop",
        "kill",
        "cancel",
        "quit",
        "pause",
    ),
    "`orchestrator amend --forget TRIAL --reason REASON`": ("forget", "delete", "remove"),
    "`orchestrator amend --retry TRIAL --reason REASON`": ("retry",),
    "`orchestrator runs`": ("list", "ls", "history"),
    "`orchestrator status`": ("show", "info", "ps"),
    "`orchestrator trials`": ("results", "data", "table"),
    "`orchestrator report`": ("plot", "page", "html", "charts", "analyse", "analyze"),
    "`orchestrator watch`": ("monitor", "dashboard", "follow", "attach"),
    "`orchestrator explain TRIAL`": ("why",),
    "`orchestrator --help`": ("help",),
    "`orchestrator --version`": ("version",),
}
"""What to write here, with what is written for it elsewhere."""
_WORDS = {word: here for here, words in _MEANT.items() for word in words}


def command_elsewhere(word: str) -> str:
    """What to say behind the word: ``; here that is `orchestrator runs` ``, or nothing."""
    here = _WORDS.get(word.casefold())
    if here is None:
        return ""
    return f"; here that is {here}" if here.startswith("`") else f"; {here}"
