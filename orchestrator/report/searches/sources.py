"""Where trials of a search come from, beside those of its algorithm."""

from __future__ import annotations

CALLER = "caller"
"""The program that searches attached it: nobody had suggested it."""
