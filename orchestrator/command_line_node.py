"""The command that lends a run a node: `orchestrator node`."""

from __future__ import annotations

import argparse
import os


def node(parsed: argparse.Namespace) -> int:
    from orchestrator.runtime.node_options import options_from
    from orchestrator.runtime.threads import environment_for

    options = options_from(parsed)
    # As in the optimiser's own process, and before numpy is there: with another number of threads the same
    # sum is rounded otherwise.
    os.environ.update(environment_for(os.cpu_count() or 1))
    from orchestrator.runtime.node_process import run_node

    return run_node(options)
