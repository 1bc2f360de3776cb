"""`python -m evaluators.synthetic NAME`: the function's parameters, ready for a spec."""

from __future__ import annotations

import argparse
import sys

from evaluators.synthetic.registry import NAMES, synthetic
from evaluators.synthetic.shifting import shifted_and_permuted
from evaluators.synthetic.spec_block import factors_block, parameters_block
from orchestrator.errors import UsageError


def main(arguments: list[str] | None = None) -> int:
    """Print the blocks; without a name, the names. The exit code: 0, or 2 for a name that does not exist."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluators.synthetic",
        description="Print the parameters of a synthetic function as a block of a spec.",
    )
    parser.add_argument("name", nargs="?", help="the function; without it, all names are listed")
    parser.add_argument("--factors", action="store_true", help="print the known decomposition as well")
    parser.add_argument("--shift-seed", type=int, metavar="SEED", help="of the shifted and permuted copy")
    asked = parser.parse_args(arguments)
    if asked.name is None:
        print("\n".join(NAMES))
        return 0
    try:
        function = synthetic(asked.name)
    except UsageError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    if asked.shift_seed is not None:
        if asked.shift_seed < 0:
            parser.error(f"--shift-seed: expected a whole number of at least 0, got {asked.shift_seed}")
        function = shifted_and_permuted(function, asked.shift_seed)
    print(parameters_block(function), end="")
    if asked.factors:
        print(factors_block(function), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
