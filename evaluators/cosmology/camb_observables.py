"""A CosmoSIS module: from the constants to the five observables of CMASS, by CAMB.

CosmoSIS loads this file by its path and calls `setup` once and `execute` for each set of constants.
Options: ``redshift``, and ``wavenumbers_to``, the largest wavenumber that CAMB follows (1/Mpc).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import camb
from cosmosis.datablock import option_section

from evaluators.cosmology.constants import COSMOLOGY, GALAXIES, Inconsistent, check_matter

OUTPUT = "cmass"
_HELIUM = 0.245  # The mass fraction: CAMB's own table of it ends within the prior of the baryons.
_REFUSED = 1


@dataclass
class Known:
    """What stays from one call to the next. ``refusal`` says why the last call failed, if it did."""

    redshift: float
    wavenumbers_to: float
    refusal: str = ""


def setup(options: Any) -> Known:
    """CosmoSIS's: reads the options of this module's section."""
    return Known(
        options.get_double(option_section, "redshift"), options.get_double(option_section, "wavenumbers_to")
    )


def execute(block: Any, known: Known) -> int:
    """CosmoSIS's: 0, and the observables in section ``cmass`` of the block; 1 for an impossible universe."""
    known.refusal = ""
    try:
        results = camb.get_results(_universe(block, known))
        amplitude, growth = float(results.get_sigma8()[0]), float(results.get_fsigma8()[0])
    except Inconsistent as why:
        known.refusal = str(why)
        return _REFUSED
    except (camb.CAMBError, camb.CAMBValueError) as error:
        known.refusal = f"CAMB refuses these constants: {' '.join(str(error).split())}"
        return _REFUSED
    hubble = block[COSMOLOGY, "h0"]
    block[OUTPUT, "expansion_rate"] = float(results.hubble_parameter(known.redshift))
    block[OUTPUT, "angular_distance"] = float(results.angular_diameter_distance(known.redshift))
    block[OUTPUT, "matter_density"] = block[COSMOLOGY, "omega_m"] * hubble**2
    block[OUTPUT, "galaxy_amplitude"] = block[GALAXIES, "bias"] * amplitude
    block[OUTPUT, "growth_amplitude"] = growth
    return 0


def _universe(block: Any, known: Known) -> Any:
    """CAMB's parameters. Raises its errors for what it does not accept, and `Inconsistent`."""
    constants = {name: block[COSMOLOGY, name] for _, name in block.keys(COSMOLOGY)}
    squared = constants["h0"] ** 2
    matter, baryons = constants["omega_m"] * squared, constants["omega_b"] * squared
    universe = camb.CAMBparams(WantCls=False)
    universe.set_cosmology(
        H0=100.0 * constants["h0"], ombh2=baryons, mnu=constants["mnu"], omk=constants["omega_k"], YHe=_HELIUM
    )
    # Matter is baryons, neutrinos and the rest; CAMB knows how dense neutrinos of this mass are.
    check_matter(constants["omega_m"], constants["omega_b"], universe.omnuh2 / squared)
    universe.omch2 = matter - baryons - universe.omnuh2
    universe.InitPower.set_params(As=constants["a_s"], ns=constants["n_s"])
    universe.set_dark_energy(w=constants["w"])
    universe.set_matter_power(redshifts=[known.redshift], kmax=known.wavenumbers_to)
    return universe
