"""The dictionary of kernels that an ensemble mixes, as a spec writes it.

Either a list of names, ``[rbf, rbf-ard, matern-3/2, matern-5/2]``, or ``{rbf-grid: [-4, 6]}``: RBF kernels
with length-scales 10^-4 to 10^6 (Lu et al. 2022, sections 6.1 and 6.3).
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, Discriminator, Field, Tag

from orchestrator.algorithms.plain_options import exactly_two
from orchestrator.spelling import did_you_mean
from orchestrator.surrogates.covariances.kernel_families import MATERN_12, MATERN_32, MATERN_52, RBF
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate

FAMILIES = {"rbf": RBF, "matern-1/2": MATERN_12, "matern-3/2": MATERN_32, "matern-5/2": MATERN_52}
NAMES = tuple(name + suffix for name in FAMILIES for suffix in ("", "-ard"))


def _known(name: str) -> str:
    if name not in NAMES:
        raise ValueError(f"expected a kernel ({', '.join(NAMES)}){did_you_mean(name, NAMES)}")
    return name


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise ValueError("expected each kernel once")
    return names


def _rising(ends: tuple[int, int]) -> tuple[int, int]:
    if not -12 <= ends[0] <= ends[1] <= 12:
        raise ValueError("expected two exponents of ten [low, high], from -12 to 12, with low <= high")
    return ends


class RbfGrid(BaseModel):
    """RBF kernels with length-scales 10^low, ..., 10^high in the unit cube; ``{rbf-grid: [low, high]}``."""

    model_config = {"extra": "forbid", "frozen": True, "populate_by_name": True}

    ends: Annotated[
        tuple[int, int], BeforeValidator(exactly_two), AfterValidator(_rising), Field(alias="rbf-grid")
    ]


KernelNames = Annotated[
    tuple[Annotated[str, AfterValidator(_known)], ...], Field(min_length=1), AfterValidator(_distinct)
]


def _form(told: Any) -> str:
    return "spaced" if isinstance(told, dict | RbfGrid) else "named"


Kernels: TypeAlias = Annotated[
    Annotated[KernelNames, Tag("named")] | Annotated[RbfGrid, Tag("spaced")], Discriminator(_form)
]
"""A list of names, or the mapping of a grid."""


def templates(kernels: Kernels) -> tuple[KernelTemplate, ...]:
    """(M,) what is to be fitted. ``-ard`` has a length-scale for each parameter, the others share one."""
    if isinstance(kernels, RbfGrid):
        low, high = kernels.ends
        return tuple(
            KernelTemplate(f"rbf 1e{c:+d}", RBF, shared=True, fixed_length_scale=10.0**c)
            for c in range(low, high + 1)
        )
    return tuple(
        KernelTemplate(name, FAMILIES[name.removesuffix("-ard")], shared=not name.endswith("-ard"))
        for name in kernels
    )
