"""A text that patterns are looked for in: what a program printed, or one of the files that it wrote."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """Such a text, and how it is spoken of."""

    told: str
    """What the program was to do, as to print it."""
    text: str
    nothing: str
    """What is said of it where it is empty."""
    otherwise: str = ""
    """Where else what is not found in it is looked for: standard error, beside standard output."""

    @property
    def texts(self) -> tuple[str, ...]:
        """In the order in which they are looked through."""
        return (self.text, self.otherwise) if self.otherwise else (self.text,)

    @property
    def shown(self) -> str:
        """The one whose end is shown where nothing is found."""
        return self.text if self.text.strip() else self.otherwise
