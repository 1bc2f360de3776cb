"""The one root error. Every message says what was expected, what came, and what to do."""


class OrchestratorError(Exception):
    """Something a person can act on: its text is shown without a traceback.

    ``exit_code`` is the process's exit code when the command line ends with it.
    """

    exit_code = 1


class UsageError(OrchestratorError):
    """The command line asked for something that does not exist or cannot be."""

    exit_code = 2


class SpecError(OrchestratorError):
    """A spec, its data files, or the options of an algorithm are wrong; nothing was started."""

    exit_code = 2


class JournalError(OrchestratorError):
    """The journal of a run cannot be read, written or continued."""


class StoreError(OrchestratorError):
    """The file that a search from Python is kept in cannot be read, written or gone on with."""


class RunLockedError(OrchestratorError):
    """Another orchestrator is writing to this run."""


class AddressError(OrchestratorError):
    """A socket cannot be bound or reached."""


class OptimiserError(OrchestratorError):
    """The optimiser's process failed again and again."""


class KeyFileError(OrchestratorError):
    """A file of CURVE keys is missing, malformed, or open to others."""

    exit_code = 2
