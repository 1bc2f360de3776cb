"""The version of this software, known to all of it."""

from __future__ import annotations

__version__ = "0.1.0"
