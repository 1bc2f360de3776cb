"""A measurement in a process of its own: its memory is its own, and its linear algebra has one thread.

Threads that wait for each other count as seconds of the processor, and how many there are is settled when
numpy is imported.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from orchestrator.system.parent_death import end_with_parent

Result = TypeVar("Result")
# The parallelism is in the processes.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def apart(measure: Callable[..., Result], *told: object) -> Result:
    """What a function that can be imported gives, called in another process. Raises what it raises."""
    context = multiprocessing.get_context("spawn")
    with (
        environment(ONE_THREAD),
        ProcessPoolExecutor(1, context, end_with_parent, (os.getpid(),)) as pool,
    ):
        return pool.submit(measure, *told).result()


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Within the block, this process's variables and those of whatever it starts."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
