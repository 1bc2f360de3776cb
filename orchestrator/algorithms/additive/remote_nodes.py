"""What a spec says of nodes on other machines: where they dial, and how long they are waited for."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from orchestrator.wire.addresses import has_fixed_port, is_address, is_loopback


class RemoteNodes(BaseModel):
    """Nodes that dial in, each by `orchestrator node --connect ADDRESS`, from this machine or others."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    insecure: bool = False
    """Whether an address that other machines can reach may be used without encryption."""
    keys: str | None = None
    """A folder of CURVE keys, from `orchestrator keys new`: only nodes with one of them may connect."""
    listen: str
    """Where nodes dial: `tcp://host:port` or `ipc://path`."""
    wait_s: Annotated[float, Field(ge=0.0, le=1e7, allow_inf_nan=False)] = 60.0
    """Seconds to wait for a node for each factor, from when one is missed; then this machine helps out."""
    silence_s: Annotated[float, Field(ge=1.0, le=86_400.0, allow_inf_nan=False)] = 30.0
    """Seconds without an answer after which a node is taken for lost."""

    @field_validator("listen")
    @classmethod
    def _fixed_and_loopback_unless_told(cls, listen: str, info: ValidationInfo) -> str:
        if not is_address(listen):
            raise _refuse(f"expected an address such as `tcp://127.0.0.1:5560`, got `{listen}`")
        if not has_fixed_port(listen):
            raise _refuse(
                "expected a port that nodes can be told beforehand, such as `tcp://127.0.0.1:5560`, got "
                f"`{listen}`"
            )
        guarded = info.data.get("insecure", True) or info.data.get("keys") is not None
        if not is_loopback(listen) and not guarded:
            raise _refuse(
                f"expected a loopback address such as `tcp://127.0.0.1:5560`, got `{listen}`, where anyone "
                "who reaches this machine could steer the choice of points; make keys (`orchestrator keys "
                "new NAME`) and name their folder as `nodes: {keys: FOLDER}`, or, if that network is yours "
                "alone, say `nodes: {insecure: true}`"
            )
        return listen


def _refuse(sentence: str) -> PydanticCustomError:
    # Braces are pydantic's own placeholders, so the text travels as one.
    return PydanticCustomError("sentence", "{sentence}", {"sentence": sentence})
