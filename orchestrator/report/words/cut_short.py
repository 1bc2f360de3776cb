"""What is to be done where a journal holds less than was known of its run, in words."""

from __future__ import annotations

from typing import Final

PUT_A_COPY_BACK: Final = (
    "what is missing is not in the file: put a copy back, if there is one, before a resume goes on"
)
