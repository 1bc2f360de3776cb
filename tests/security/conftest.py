"""Lets the tests of this folder import what they throw, and the laboratory of real runs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "runtime"))
