"""Where the page of a benchmark goes: into a file, or where it is printed."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_page(parser: argparse.ArgumentParser) -> None:
    """The option that says so."""
    parser.add_argument("--page", type=Path, help="where the page goes; printed, if left out")


def hand_over(words: str, page: Path | None) -> None:
    """Write it there, or print it."""
    if page is None:
        print(words, end="")
    else:
        page.write_text(words, encoding="utf-8")
