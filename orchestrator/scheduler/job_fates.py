"""Whether a job ended as it should not have, and what to do about that, by its queue's words."""

from __future__ import annotations

from collections.abc import Mapping

MEMORY, TIME, NODE, HELD, FAILED = "memory", "time", "node", "held", "failed"
ADVICE: Mapping[str, str] = {
    MEMORY: "ask for more memory in its script (Slurm: --mem, HTCondor: request_memory), for those to come",
    TIME: (
        "ask for more time in its script, or be told earlier that it is up (Slurm: --time, --signal): longer"
        " before than an evaluation takes"
    ),
    NODE: "leave that node out if it happens again (Slurm: --exclude)",
    HELD: "mend what the queue says of it",
    FAILED: "what it printed, which is under jobs in the folder of the run, may say why",
}
"""By what was amiss, what to do about it."""
_BY_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        MEMORY,
        ("OUT_OF_ME", "OutOfMemory", "TERM_MEMLIMIT", "TERM_SWAP", "memory usage exceeded", "memory limit"),
    ),
    (TIME, ("TIMEOUT", "DEADLINE", "TERM_RUNLIMIT", "TERM_CPULIMIT", "execute duration", "job duration")),
    (NODE, ("NODE_FAIL", "BOOT_FAIL", "LAUNCH_FAIL", "TERM_ZOMBIE")),
    (HELD, ("HELD",)),
    (FAILED, ("FAILED", "EXIT")),
)
"""How states and reasons of Slurm, LSF and HTCondor are written, the ones that say most first."""
_SAID_OF_MEMORY = ("memory limit", "oom-kill", "oom_kill", "out-of-memory", "out of memory")
"""What stands in the last that a job printed of which the queue says no more than that it failed."""


def held_words(reason: str) -> str:
    """How a job ended that the queue kept from beginning, for this reason, until it was taken back."""
    return f"HELD ({reason})"


def amiss(how: str, said: str = "") -> str:
    """What was amiss with a job that ended so and ``said`` this last, as `ADVICE` has it; or nothing."""
    found = next((kind for kind, words in _BY_WORDS if any(word in how for word in words)), "")
    if found == FAILED and any(words in said.lower() for words in _SAID_OF_MEMORY):
        return MEMORY
    return found
