"""The entry of the process, as the script ``orchestrator`` and as ``python -m orchestrator``."""

import gc
import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command of the process's arguments; its exit code."""
    try:
        # Who interrupts a command before it is there is as little interested in where as one who does later.
        import signal

        for number in (signal.SIGTERM, signal.SIGHUP):
            # Not where it is ignored, as under nohup. What takes it up in order does so once that is there.
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
        from orchestrator.cli import main as command_line

        return command_line()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        # The process ends: to look through all that it imported for what is garbage is a tenth of a command.
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
