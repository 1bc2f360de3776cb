"""The nine constants that are tuned, and what is thought possible of each before anything is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COSMOLOGY: Final = "cosmological_parameters"
GALAXIES: Final = "bias_parameters"


@dataclass(frozen=True, slots=True)
class Constant:
    """A flat prior from ``low`` to ``high``, both possible. ``section`` is where CosmoSIS keeps it.

    ``start`` is a universe without surprises. ``unit`` is what a spec gives as the parameter's unit.
    """

    low: float
    start: float
    high: float
    unit: str | None = None
    section: str = COSMOLOGY


CONSTANTS: Final[Mapping[str, Constant]] = {
    "omega_m": Constant(0.05, 0.3, 0.5),
    "h0": Constant(0.55, 0.7, 0.9, "100 km/s/Mpc"),
    "omega_b": Constant(0.01, 0.045, 0.1),
    "n_s": Constant(0.85, 0.96, 1.1),
    "A_s": Constant(1.0e-9, 2.1e-9, 4.0e-9),
    "omega_k": Constant(-0.1, 0.0, 0.1),
    "w": Constant(-1.5, -1.0, -0.5),
    "mnu": Constant(0.0, 0.0, 1.0, "eV"),
    "bias": Constant(1.0, 2.0, 3.0, section=GALAXIES),
}
"""In order: the densities of all matter, the Hubble constant, baryons (densities as fractions of the
critical one), tilt and amplitude of the primordial fluctuations, curvature, dark energy's equation of
state, the sum of the neutrinos' masses, and how much more than matter the galaxies cluster."""


class Inconsistent(Exception):
    """No universe has these constants, or none that the simulator can compute; the message says why."""


def check_matter(omega_m: float, omega_b: float, omega_nu: float) -> None:
    """Raises `Inconsistent` if baryons and neutrinos are more than all matter, which CAMB accepts."""
    if omega_b > omega_m:
        raise Inconsistent(f"the baryons, {omega_b:.4g}, are more than all matter, {omega_m:.4g}")
    if omega_b + omega_nu > omega_m:
        raise Inconsistent(
            f"the baryons, {omega_b:.4g}, and the neutrinos, {omega_nu:.4g}, are more than all matter, "
            f"{omega_m:.4g}"
        )
