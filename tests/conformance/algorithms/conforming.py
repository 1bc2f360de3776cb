"""Which algorithms have to conform: those of the project, and those that other installed packages offer."""

from __future__ import annotations

from orchestrator.algorithms import registry
from orchestrator.algorithms.peers.offered import PEERS

# Those of a fit alone are held against this in `test_outcomes_composed`, those of trainings in pieces in
# `test_trainings_in_pieces`, those of a fidelity alone in `test_halving_by_rungs`.
APART = {*PEERS, *registry.OF_A_FIT, *registry.IN_PIECES, *registry.BY_RUNGS}
NAMES = tuple(name for name in registry.names() if name not in APART)
# One suggests by another acquisition than `gp-ei`, the other by other hyperparameters than `gp-ts`, and by
# nothing else of their own: what these show of turns, exclusions, regions and streams, they show of both.
ALIKE = ("gp-ucb", "gp-ts-bayes")
