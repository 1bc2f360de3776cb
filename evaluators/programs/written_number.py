"""A number as programs write it."""

from __future__ import annotations

import math
import re
from typing import Final

_FORTRAN_EXPONENT: Final = re.compile(r"(?<=[0-9.])[dD](?=[-+]?[0-9])")
_WITHOUT_ITS_LETTER: Final = re.compile(r"^\s*([-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+))([-+][0-9]{3})\s*$")
"""An exponent of three digits takes the place of its letter in a field of Fortran's."""
_NOT_A_NUMBER: Final = re.compile(r"\s*[-+]?(?:nan\(\w*\)|1\.#(?:QNAN|SNAN|IND)0*)\s*", re.IGNORECASE)
"""As C's libraries write it, those of Windows in their own way."""
_THOUSANDS: Final = re.compile(r"\s*[-+]?[0-9]{1,3}(?:_[0-9]{3})+(?:\.[0-9]*)?\s*")
"""Set apart as programs in Python write them; with underscores elsewhere it is a name."""
_INFINITE: Final = re.compile(r"\s*([-+]?)1\.#INF0*\s*", re.IGNORECASE)


def read_number(written: str) -> float | None:
    """The number that a text is, be it NaN or infinite, or None. Fortran writes 1.5D-03, and 1.5-103; Windows
    1.#QNAN, and 1.#INF.
    """
    if "_" in written and not (_THOUSANDS.fullmatch(written) or _NOT_A_NUMBER.fullmatch(written)):
        return None
    try:
        return float(written)
    except ValueError:
        pass
    for text in (_FORTRAN_EXPONENT.sub("e", written), _WITHOUT_ITS_LETTER.sub(r"\1e\2", written)):
        try:
            return float(text)
        except ValueError:
            continue
    if _NOT_A_NUMBER.fullmatch(written):
        return math.nan
    infinite = _INFINITE.fullmatch(written)
    return None if infinite is None else float(f"{infinite[1]}inf")
