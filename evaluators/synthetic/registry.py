"""The synthetic functions by name. Numbers at the end of a name are its dimensions: `rastrigin-20` works."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Mapping

from evaluators.synthetic.definition import SyntheticFunction
from evaluators.synthetic.dials import dials
from evaluators.synthetic.embedding import embedded
from evaluators.synthetic.mixed import machines, mixed_ackley, mixed_rastrigin
from evaluators.synthetic.overlapping import overlapping_chain, overlapping_ring
from evaluators.synthetic.peaks import hartmann, shekel
from evaluators.synthetic.rugged import ackley, ackley_unit, drop_wave, eggholder, griewank
from evaluators.synthetic.separable import levy, michalewicz, rastrigin, schwefel, styblinski_tang
from evaluators.synthetic.trimodal import trimodal
from evaluators.synthetic.valleys import camel, powell, rosenbrock, zakharov
from orchestrator.errors import UsageError

FAMILIES: Mapping[str, Callable[..., SyntheticFunction]] = {
    "ackley": ackley,
    "ackley-unit": ackley_unit,
    "camel": camel,
    "camel-in": lambda dimension: embedded(camel(), dimension),
    "dials": dials,
    "drop-wave": drop_wave,
    "eggholder": eggholder,
    "griewank": griewank,
    "hartmann": hartmann,
    "hartmann-6-in": lambda dimension: embedded(hartmann(6), dimension),
    "levy": levy,
    "machines": machines,
    "michalewicz": michalewicz,
    "mixed-ackley": mixed_ackley,
    "mixed-rastrigin": mixed_rastrigin,
    "overlapping-chain": overlapping_chain,
    "overlapping-ring": overlapping_ring,
    "powell": powell,
    "rastrigin": rastrigin,
    "rosenbrock": rosenbrock,
    "schwefel": schwefel,
    "shekel": shekel,
    "styblinski-tang": styblinski_tang,
    "trimodal": trimodal,
    "zakharov": zakharov,
}

NAMES: tuple[str, ...] = (
    # DuMBO, Table 2
    "camel",
    "hartmann-6",
    "powell-24",
    "rastrigin-100",
    # DEC-HBO, Table 1 (and Hartmann-6)
    "shekel",
    "michalewicz-10",
    # Add-GP-UCB, Figures 3 and 4
    "trimodal-10-3-3",
    "trimodal-24-6-4",
    "trimodal-24-11-2",
    "trimodal-40-5-8",
    "trimodal-40-18-2",
    "trimodal-40-35-1",
    "trimodal-96-5-19",
    "trimodal-96-29-3",
    "trimodal-120-55-2",
    # EGP-TS, Figures 1, 2 and 5; Ackley also on its usual box
    "ackley-unit",
    "ackley-5",
    "zakharov-4",
    "drop-wave",
    "eggholder",
    # BOO, Figure 3 (and Shekel)
    "hartmann-3",
    "schwefel-3",
    # what the papers lack
    "griewank-6",
    "levy-10",
    "rosenbrock-10",
    "styblinski-tang-10",
    "overlapping-chain-13",
    "overlapping-ring-12",
    "camel-in-50",
    "hartmann-6-in-50",
    "machines",
    "mixed-ackley-10",
    "mixed-rastrigin-8",
    "dials-8-5",
)
"""The functions of the papers and of the comparison, as they are used there."""


def synthetic(name: str) -> SyntheticFunction:
    """The function of this name, any of `NAMES` or a family in other dimensions; UsageError otherwise."""
    match = re.fullmatch(r"(.+?)((?:-\d+)*)", name)
    for cut in range(len(match[2].split("-")) if match else 0):
        # `hartmann-6-in-50` and `ackley-5` differ in which numbers belong to the family's name.
        parts = name.split("-")
        family, numbers = "-".join(parts[: len(parts) - cut]), parts[len(parts) - cut :]
        if family in FAMILIES:
            return _built(name, FAMILIES[family], [int(number) for number in numbers])
    close = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.6)
    hint = f"; did you mean `{close[0]}`?" if close else f"; expected one of {', '.join(NAMES)}"
    raise UsageError(f"no synthetic function is called `{name}`{hint}")


def _built(name: str, build: Callable[..., SyntheticFunction], numbers: list[int]) -> SyntheticFunction:
    wanted = list(inspect.signature(build).parameters)
    if len(wanted) != len(numbers):
        needed = f"its numbers ({', '.join(wanted)}) at the end" if wanted else "no numbers"
        raise UsageError(f"synthetic function `{name}`: expected {needed}, got {len(numbers)}")
    try:
        return build(*numbers)
    except ValueError as error:
        raise UsageError(f"synthetic function `{name}`: {error}") from None
