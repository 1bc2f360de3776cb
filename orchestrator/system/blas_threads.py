"""One thread for the linear algebra of a search, in a process that computes other things as well."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""By which a person says how many threads there are to be.

The last is that of macOS's own library, which crashes in a forked copy, as the optimiser makes of itself,
where it has more than one.
"""

_LIMITED = threading.Lock()


@contextmanager
def one_thread(environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Linear algebra has one thread inside, unless a variable of the ``environment`` says how many.

    The matrices of a search are small, so that further threads bring little; and where the cores are busy
    otherwise, they wait for one another far longer than they calculate. How many there are is the process's:
    whoever comes while another of Python's threads is inside changes nothing.
    """
    if any(name in environment for name in VARIABLES) or not _LIMITED.acquire(blocking=False):
        yield
        return
    try:
        with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
            yield
    finally:
        _LIMITED.release()


@lru_cache(maxsize=1)
def _libraries(_modules: int) -> ThreadpoolController:
    """Looked for again once there are more modules, with which libraries come: that takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
