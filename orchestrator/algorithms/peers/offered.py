"""The peers by the names that a spec uses, and the libraries that each needs.

Nothing of theirs is imported here: torch alone takes seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

EXTRA = "compare"
BOTORCH = ("torch", "botorch")
HERE = "orchestrator.algorithms.peers"


@dataclass(frozen=True)
class Peer:
    """Where the class is, as ``module:Class``, and the modules that have to be importable for it."""

    where: str
    needs: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Those of the modules that this environment lacks, found without importing them."""
        return tuple(module for module in self.needs if _is_missing(module))


PEERS: Mapping[str, Peer] = {
    "ax": Peer(f"{HERE}.ax_default:AxDefault", ("torch", "ax")),
    "botorch-log-ei": Peer(f"{HERE}.botorch_log_ei:BotorchLogEi", BOTORCH),
    "botorch-saasbo": Peer(f"{HERE}.botorch_saasbo:BotorchSaasbo", (*BOTORCH, "jax", "numpyro")),
    "botorch-turbo": Peer(f"{HERE}.botorch_turbo:BotorchTurbo", BOTORCH),
    "optuna-gp": Peer(f"{HERE}.optuna_gp:OptunaGp", ("torch", "optuna")),
    "optuna-tpe": Peer(f"{HERE}.optuna_tpe:OptunaTpe", ("optuna",)),
    "smac": Peer(f"{HERE}.smac_black_box:SmacBlackBox", ("smac",)),
}


def absence(name: str) -> str | None:
    """The sentence on what a peer lacks here, or None if it can be used. KeyError for a name that is none."""
    missing = PEERS[name].missing
    if not missing:
        return None
    libraries = " and ".join(missing) if len(missing) < 3 else ", ".join(missing)
    verb = "is" if len(missing) == 1 else "are"
    return (
        f"algorithm `{name}` needs {libraries}, which {verb} not installed here;"
        f" `pip install -e '.[{EXTRA}]'` in the project's folder brings what it needs"
    )


def _is_missing(module: str) -> bool:
    try:
        return find_spec(module) is None
    except ValueError:  # what `sys.modules` holds under that name was not imported from a file
        return True
