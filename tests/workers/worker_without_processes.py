"""A worker on a machine that has no process to give: the first REFUSED times, it is told so.

    python -m worker_without_processes …

with ``REFUSED`` in the environment; the rest of the line is the worker's.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import Any

from evaluators import worker
from evaluators.worker_process import slot


class RefusedPopen(subprocess.Popen[bytes]):
    left = int(os.environ["REFUSED"])

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if RefusedPopen.left > 0:
            RefusedPopen.left -= 1
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        super().__init__(*arguments, **options)


if __name__ == "__main__":
    subprocess.Popen = RefusedPopen  # type: ignore[misc]
    slot.START_AGAIN_AFTER_S = 0.05
    sys.exit(worker.main())
