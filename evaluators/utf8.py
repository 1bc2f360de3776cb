"""What can be written down, in frames and in files: both are UTF-8, and text of Python need not be."""

from __future__ import annotations


def is_utf8(name: object) -> bool:
    """Whether it is text, and none that stands for bytes which are no UTF-8, as some names of files do."""
    if not isinstance(name, str):
        return False
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
