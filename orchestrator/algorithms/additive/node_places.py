"""Where a factor's node can live, as a spec says it, loaded when asked for.

The exchange between processes belongs to the runtime, which the algorithms do not know: as with the
registry of algorithms, a name stands for where it is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any, Literal, Protocol, TypeAlias

from pydantic import Discriminator, Tag, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from orchestrator.algorithms.additive.remote_nodes import RemoteNodes
from orchestrator.maximisers.factors.gaussian_factor import GaussianFactor
from orchestrator.maximisers.message_passing.exchange import Exchange, InProcessExchange, NodeError
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph

TEAMS = "orchestrator.runtime.nodes.team"


def _kind(told: Any) -> str:
    return "elsewhere" if isinstance(told, dict | RemoteNodes) else "here"


def _word(told: Any, known: ValidatorFunctionWrapHandler) -> Any:
    try:
        return known(told)
    except ValidationError:
        # A word misspelt was meant as that word; anything else may have been meant as an address.
        if get_close_matches(str(told), ("in-process", "processes")):
            raise
    raise ValueError(
        "expected `in-process`, `processes` or a mapping with `listen`, the address where nodes dial in"
    )


NodePlace: TypeAlias = Annotated[
    Annotated[Literal["in-process", "processes"], WrapValidator(_word), Tag("here")]
    | Annotated[RemoteNodes, Tag("elsewhere")],
    Discriminator(_kind),
]
"""``in-process``: all in the optimiser's; ``processes``: in some of their own; or who may dial in."""


class Say(Protocol):
    """Takes sentences for people; ``waiting``: the choice of a point does, until the next sentence."""

    def __call__(self, sentence: str, *, waiting: bool = False) -> None: ...


class Team(Protocol):
    """Nodes that can be given factors, again and again."""

    @property
    def descriptor(self) -> int | None:
        """Becomes readable when `attend` has something to do; None if it never has."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """Who held what at the last choice, in words; nothing where it could be nobody else."""
        ...

    def __call__(
        self, graph: FactorGraph, factors: Sequence[GaussianFactor], coupled: bool = False
    ) -> Exchange: ...

    def attend(self) -> None:
        """Look after the nodes between two choices. Returns at once."""
        ...

    def mend(self, error: NodeError, *, alone: bool) -> None:
        """A choice failed and is about to be made again; ``alone``, with nodes of this machine only."""
        ...

    def dismiss(self) -> None:
        """Nothing more will be chosen: the nodes end, wherever they are."""
        ...

    def close(self) -> None:
        """End what was started here; nodes elsewhere wait for whoever listens next."""
        ...


class InProcess:
    """All nodes here."""

    descriptor = None
    notes: Sequence[str] = ()

    def __call__(
        self, graph: FactorGraph, factors: Sequence[GaussianFactor], coupled: bool = False
    ) -> Exchange:
        return InProcessExchange(graph, factors, coupled)

    def attend(self) -> None:
        """Nobody to look after."""

    def mend(self, error: NodeError, *, alone: bool) -> None:
        """Nothing can be lost here, so that the error stands."""
        del alone
        raise error

    def dismiss(self) -> None:
        """Nothing to end."""

    def close(self) -> None:
        """Nothing to end."""


def open_team(place: NodePlace, say: Say, names: Sequence[str]) -> Team:
    """Nodes in that place. Whoever opens it closes it; what it started ends with this process.

    ``names`` are the parameters'. Raises AddressError or KeyFileError where nodes elsewhere cannot be
    listened for.
    """
    if place == "in-process":
        return InProcess()
    teams = import_module(TEAMS)
    if isinstance(place, RemoteNodes):
        team: Team = teams.remote_team(place, say, names)
    else:
        team = teams.local_team(say, names)
    return team
