"""``python -m orchestrator``, for when the script is not on the path."""

import sys

from orchestrator.cli import main

if __name__ == "__main__":
    sys.exit(main())
