"""Who evaluates: processes of this machine, and whoever dials the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator

from orchestrator.spec.document.section import Section, refuse, shown
from orchestrator.spec.sections.jobs import JobsSection
from orchestrator.wire.addresses import is_address, is_loopback


@dataclass(frozen=True, slots=True)
class LocalProcesses:
    """``count`` workers of ``slots`` each; ``own`` are by a worker's name the environment variables of its
    evaluations, each with a value for every slot.
    """

    count: int
    slots: int
    own: Mapping[str, Mapping[str, Sequence[str]]]


def local_name(number: int) -> str:
    """What the local worker of this number is called; the first is 1."""
    return f"local-{number}"


def _own_value(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        hint = '; several as one value are one text, such as `"0,1"`' if isinstance(value, list) else ""
        raise refuse(f"expected text or a number, got {shown(value)}{hint}")
    if "\0" in (text := str(value)):
        raise refuse("expected text without a zero byte, which no environment variable can hold, got one")
    return text


_OwnValue = Annotated[str, BeforeValidator(_own_value), WithJsonSchema({"type": ["string", "number"]})]


class Workers(Section):
    """Local workers, and the address where remote ones join."""

    local: Annotated[int, Field(ge=0, le=1024)] = 1
    """Processes that are started and stopped with the run; 0 to wait for remote workers only. Where
    evaluations take several slots, the slots of one."""
    each: dict[str, list[_OwnValue]] = Field(default_factory=dict)
    """What each local worker has of its own: environment variables of its evaluations, with as many values as
    workers."""
    remote: Annotated[int, Field(ge=0, le=65_536)] = 0
    """How many evaluations at a time workers elsewhere are expected to run: the algorithm plans for these and
    the local ones. More or fewer may come; a number beyond the limit is a slip of the keys.
    """
    insecure: bool = False
    """Whether an address that other machines can reach may be used without encryption."""
    keys: str | None = None
    """A folder of CURVE keys, from `orchestrator keys new`: only workers with one of them may connect."""
    listen: str = "tcp://127.0.0.1:*"
    """Where workers dial: `tcp://host:port` (`*`: any free port) or `ipc://path`."""
    jobs: JobsSection | None = None
    """Workers that the run submits as jobs to a cluster's queue, as there is work for them."""

    @property
    def at_a_time(self) -> int:
        """How many evaluations at a time are planned for: those of local workers and of those elsewhere,
        which are at least as many as jobs may be.
        """
        return self.local + max(self.remote, 0 if self.jobs is None else self.jobs.at_most)

    def expected(self, *, several_slots: bool) -> int:
        """How many workers there will be. Where evaluations take ``several_slots`` of one, ``local`` are
        those of one worker, and so may be all that are ``remote``.
        """
        if not several_slots:
            return self.at_a_time
        jobs = 0 if self.jobs is None else self.jobs.at_most
        return min(1, self.local) + max(min(1, self.remote), jobs)

    @property
    def only_local(self) -> bool:
        """Whether nobody from elsewhere is expected. Where the run listens says nothing of that: it may be
        edited in a run that has begun, whose history stays what it was.
        """
        return self.local > 0 and self.remote == 0 and self.jobs is None

    @property
    def own(self) -> dict[str, dict[str, str]]:
        """By a local worker's name, what its evaluations have of their own: environment variables by name."""
        return {
            local_name(place + 1): {name: values[place] for name, values in self.each.items()}
            for place in range(self.local)
        }

    def processes(self, *, several_slots: bool) -> LocalProcesses:
        """Those that are started on this machine: one for each evaluation at a time, or, where these take
        ``several_slots`` of one, one with as many.
        """
        if several_slots and self.local:
            return LocalProcesses(1, self.local, {local_name(1): self.each})
        own = {name: {key: [value] for key, value in one.items()} for name, one in self.own.items()}
        return LocalProcesses(self.local, 1, own)

    @field_validator("listen")
    @classmethod
    def _loopback_unless_told(cls, listen: str, info: ValidationInfo) -> str:
        if not is_address(listen):
            raise refuse(
                f"expected an address such as `tcp://127.0.0.1:5555` (or port *), got {shown(listen)}"
            )
        guarded = info.data.get("insecure", True) or info.data.get("keys") is not None
        if not is_loopback(listen) and not guarded:
            raise refuse(
                f"expected a loopback address such as `tcp://127.0.0.1:5555`, got {shown(listen)}, where"
                " anyone who reaches this machine could send results; make keys (`orchestrator keys new"
                " NAME`) and name their folder as `workers: {keys: FOLDER}`, or, if that network is yours"
                " alone, say `workers: {insecure: true}`"
            )
        return listen
