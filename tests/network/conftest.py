"""Lets the tests of this folder import the wires, and the laboratory of real runs."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "runtime")]
