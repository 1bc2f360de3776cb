"""A number as programs write it."""

from __future__ import annotations

import re
from typing import Final

_FORTRAN_EXPONENT: Final = re.compile(r"(?<=[0-9.])[dD](?=[-+]?[0-9])")


def read_number(written: str) -> float | None:
    """The number that a text is, be it NaN or infinite; None if it is none. Fortran writes 1.5D-03."""
    for text in (written, _FORTRAN_EXPONENT.sub("e", written)):
        try:
            return float(text)
        except ValueError:
            continue
    return None
