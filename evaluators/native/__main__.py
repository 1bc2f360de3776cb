"""`python -m evaluators.native`: see `launcher`."""

import sys

from evaluators.native.launcher import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
