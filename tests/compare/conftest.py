"""The conformance suite is run here over the optimisers of other projects, so it has to be importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "conformance" / "algorithms"))
