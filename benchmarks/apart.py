"""A measurement in a process of its own: its memory is its own, and its linear algebra has one thread.

Threads that wait for each other count as seconds of the processor, and how many there are is settled when
numpy is imported.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from benchmarks.regret_store import ONE_THREAD, environment
from orchestrator.runtime.parent_death import end_with_parent

Result = TypeVar("Result")


def apart(measure: Callable[..., Result], *told: object) -> Result:
    """What a function that can be imported gives, called in another process. Raises what it raises."""
    context = multiprocessing.get_context("spawn")
    with (
        environment(ONE_THREAD),
        ProcessPoolExecutor(1, context, end_with_parent, (os.getpid(),)) as pool,
    ):
        return pool.submit(measure, *told).result()
