"""Which algorithms have to conform: those of the project, and those that other installed packages offer."""

from __future__ import annotations

from orchestrator.algorithms import registry
from orchestrator.algorithms.peers.offered import PEERS

NAMES = tuple(name for name in registry.names() if name not in PEERS)
