"""Nodes really started, as on other machines, and a team that they dial; all gone when a test ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from forked_life import Nursery
from run_lab import PATIENCE_S, Life, eventually

from benchmarks.running.free_port import free_port
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor, gaussian_factors
from orchestrator.maximisers.message_passing.exchange import Exchange
from orchestrator.maximisers.sums.admm import Admm
from orchestrator.numerics.rng import stream
from orchestrator.runtime.nodes.hub import HubSettings
from orchestrator.runtime.nodes.team import NodeTeam, TeamSettings
from orchestrator.surrogates.covariances.kernel_families import MATERN_52
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain((Coordinate(), Coordinate("categorical", (0.0, 0.5, 1.0)), Coordinate(), Coordinate()))
GRAPH = FactorGraph(((0, 1), (1, 2), (2, 3, 0)), 4)
NAMES = ("wing", "tail", "flap", "keel")
QUICK = Admm(restarts=6, iterations=8, polish=15)


def factors(coupled: bool, values: int = 30) -> Sequence[GaussianFactor]:
    """Of `GRAPH`, learned from so many values."""
    hyperparameters = AdditiveHyperparameters(GRAPH.factors, (0.4, 0.5, 0.6, 0.7), (0.3, 0.4, 0.3), 1e-3)
    posterior = AdditiveGP(DOMAIN, GRAPH, MATERN_52, hyperparameters)
    rng = stream(0, "values", values)
    X = DOMAIN.sample(values, rng)
    posterior.append(X, np.sin(5 * X).sum(axis=1) + 0.1 * rng.standard_normal(values))
    return gaussian_factors(posterior, [1.0, 1.2, 1.4], coupled)


def choice(exchange: Exchange) -> tuple[list[float], float]:
    """The point that is chosen, and its value."""
    found = QUICK.maximise(exchange, DOMAIN, stream(1, "admm"))
    return found.point.tolist(), found.value


@dataclass
class NodeLab:
    """Starts nodes, and listens for them where it always does.

    Attributes:
        said: what the teams said.
    """

    directory: Path
    nursery: Nursery
    address: str = field(default_factory=lambda: f"tcp://127.0.0.1:{free_port()}")
    said: list[str] = field(default_factory=list)
    _nodes: list[Life] = field(default_factory=list)
    _teams: list[NodeTeam] = field(default_factory=list)

    def node(self, name: str, *arguments: str, **environment: str) -> Life:
        """`orchestrator node` in a process of its own."""
        words = self.directory / f"{name}-{len(self._nodes)}.txt"
        line = ["-m", "orchestrator", "node", "--connect", self.address, "--name", name, *arguments]
        with words.open("w") as said:
            process = self.nursery.forked(line, {**os.environ, **environment}, Path.cwd(), said.fileno())
        self._nodes.append(Life(process, words))
        return self._nodes[-1]

    def team(self, wait_s: float = PATIENCE_S, silence_s: float = PATIENCE_S, **hub: Any) -> NodeTeam:
        """Listens for nodes."""
        settings = TeamSettings(HubSettings(self.address, silence_s, **hub), "missing", wait_s)
        self._teams.append(NodeTeam(settings, self._say, NAMES))
        return self._teams[-1]

    def _say(self, sentence: str, *, waiting: bool = False) -> None:
        self.said.append(f"waiting: {sentence}" if waiting else sentence)

    def has_said(self, words: str) -> bool:
        return any(words in sentence for sentence in self.said)

    def await_peers(self, team: NodeTeam, *names: str) -> None:
        """Attend until exactly these are there."""

        def there() -> bool:
            team.attend()
            return sorted(peer.name for peer in team.hub.peers) == sorted(names)

        eventually(there, why=lambda: "\n".join(node.said for node in self._nodes))

    def attend_until(self, team: NodeTeam, holds: Callable[[], bool]) -> None:
        """Attend until something is true."""

        def attended() -> bool:
            team.attend()
            return holds()

        eventually(attended, why=lambda: "\n".join([*self.said, *(node.said for node in self._nodes)]))

    def close(self) -> None:
        for team in self._teams:
            team.close()
        for node in self._nodes:
            if node.process.poll() is None:
                node.signal(signal.SIGCONT)
                node.kill()
