"""The evaluator: builds the ns-3 program on first use, runs it, reads what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from evaluators.command import run
from evaluators.compiled import Package, Program, built
from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.quantities import Quantity, read_quantities
from evaluators.wlan.layout import PARAMETERS

NAME: Final = "evaluators.wlan:network"
_HERE: Final = Path(__file__).parent

NS3: Final = Package(
    "libns3-dev",
    "ns3/wifi-phy.h",
    ("ns3-wifi", "ns3-network", "ns3-mobility", "ns3-propagation", "ns3-core"),
)
HEADERS: Final = (_HERE / "simulation.hpp", _HERE / "layout.hpp", _HERE / "stations.inc")
SIMULATION: Final = _HERE / "simulation.cpp"
PROGRAM: Final = Program("wlan", (_HERE / "program.cpp", SIMULATION), HEADERS, (NS3,))

# Beyond these no radio would go; the paper's range lies well within.
QUANTITIES: Final = dict.fromkeys(PARAMETERS, Quantity(low=1e-3, high=1e5, unit="mW"))
_LONGEST_S: Final = 1e4


def network(parameters: Mapping[str, Any], *, context: Context, duration: float = 2.0) -> dict[str, Any]:
    """One simulation: `evaluators.wlan:network`. About a second, of which the seed decides the noise.

    Args:
        parameters: ``power_1`` to ``power_12``, the access points' transmit powers in mW. The paper's range
            is 10^0.1 to 10^2.5.
        duration: seconds that are simulated. Much below 2, some stations hear no frame of their own access
            point and count as zero.

    Returns:
        ``value``: the sum of the capacities, in Mb/s; ``factors``: that of each access point; and the extras
        ``station_mbps``, ``sinr_db`` and ``frames``, one for each of the 36 stations: its capacity, the SINR
        of that capacity, and the frames it was measured on (where there are none, both others are 0).

    Raises:
        EvaluationError: (invalid) powers that cannot be; (error) ns-3 or a compiler is missing, or the
            program failed; (killed) it was killed.
    """
    powers = read_quantities(NAME, QUANTITIES, parameters)
    seconds = _duration(duration)
    # Braces in a path are no placeholders.
    program = str(built(PROGRAM)).replace("{", "{{").replace("}", "}}")
    arguments = [f"{{{name}}}" for name in PARAMETERS]
    measured = run(powers, command=[program, "{seed}", repr(seconds), *arguments], context=context)
    if not isinstance(measured, dict) or len(measured.get("factors", ())) != len(PARAMETERS):
        raise EvaluationError(
            "invalid", f"expected a value and {len(PARAMETERS)} factors from {program}, got {measured!r:.200}"
        )
    return measured


def _duration(given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0.0 < given <= _LONGEST_S:
        raise EvaluationError(
            "invalid",
            f"{NAME}: expected seconds above 0 and at most {_LONGEST_S:g} as duration, got {given!r}",
        )
    return float(given)
