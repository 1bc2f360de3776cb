"""How many threads the numerical libraries of a child process may use, where the user has not said."""

from __future__ import annotations

import os

from orchestrator.system.blas_threads import VARIABLES


def environment_for(processes: int) -> dict[str, str]:
    """This process's environment, with the machine's cores shared among so many equal processes.

    Left alone, each of them would start a thread a core, and they would fight for the cores.
    """
    share = str(max(1, (os.cpu_count() or 1) // max(1, processes)))
    return {**dict.fromkeys(VARIABLES, share), **os.environ}
