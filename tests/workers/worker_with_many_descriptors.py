"""A worker as one with hundreds of slots is: whatever it opens from now on has a number above a thousand.

    python -m worker_with_many_descriptors …

The rest of the line is the worker's.
"""

from __future__ import annotations

import os
import resource
import sys

from evaluators import worker

BEYOND_SELECT = 1_024
"""What `select` is told of at most, however many files a process may have open."""

if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * BEYOND_SELECT, most))
    while os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) < BEYOND_SELECT:
        pass
    sys.exit(worker.main())
