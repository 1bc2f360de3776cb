"""The entry of the process, as the script ``orchestrator`` and as ``python -m orchestrator``."""

import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command of the process's arguments; its exit code."""
    try:
        # Who interrupts a command before it is there is as little interested in where as one who does later.
        from orchestrator.cli import main as command_line
    except KeyboardInterrupt:
        return INTERRUPTED
    return command_line()


if __name__ == "__main__":
    sys.exit(main())
