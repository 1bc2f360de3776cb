"""Commands for people to copy, as a shell reads them: what has spaces or signs of the shell's is quoted."""

from __future__ import annotations

import shlex


def shell_line(*words: object) -> str:
    """``orchestrator`` and what stands behind it."""
    return shlex.join(("orchestrator", *map(str, words)))
