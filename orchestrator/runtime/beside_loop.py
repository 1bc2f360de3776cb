"""What takes long is called in a thread beside the loop; in the loop itself, where there is no thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import anyio.to_thread

from orchestrator.system.refused_start import is_refused_thread

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


async def beside_loop(function: Callable[[*Arguments], T], *arguments: *Arguments) -> T:
    """What ``function`` returns.

    A thread counts as a process does, and a system may have none to give for a while: the loop stands still
    meanwhile, and nothing else comes of it.
    """
    try:
        return await anyio.to_thread.run_sync(function, *arguments)
    except RuntimeError as error:
        if not is_refused_thread(error):
            raise
    return function(*arguments)
