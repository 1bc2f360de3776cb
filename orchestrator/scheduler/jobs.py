"""The jobs of a run that its queue has, as the scheduler knows them, and how those before them did."""

from __future__ import annotations

from dataclasses import dataclass, field

STAYED_S = 60.0
"""A worker that was connected for as long was worth its job, whatever it got done."""


@dataclass(slots=True)
class Job:
    """A job that was asked for, and is not known to have ended. Times are those of the events; None: not yet.

    ``job`` is its number in the queue's words; empty where it was not heard. ``heard_at`` is when something
    was: then it is ``in_doubt`` without a number, and may never have been taken. ``joined_at`` is when its
    worker first came, ``here`` whether that is connected, ``of_use`` whether it did anything.
    ``called_off_at`` is when the queue was last to drop it, and ``called_off`` how often in all; ``stuck`` is
    why the queue did not let it begin, where it was dropped for that.
    """

    number: int
    worker: str
    name: str
    address: str
    asked_at: float
    job: str = ""
    heard_at: float | None = None
    joined_at: float | None = None
    here: bool = False
    of_use: bool = False
    called_off_at: float | None = None
    called_off: int = 0
    stuck: str = ""

    @property
    def in_doubt(self) -> bool:
        """Whether nobody knows if the queue has it."""
        return self.heard_at is not None and not self.job


@dataclass(slots=True)
class Jobs:
    """All jobs of a run. ``known`` are those that are not known to have ended, by their numbers.

    ``asked`` is the number of the last. ``in_vain`` counts how often in a row jobs came to nothing, each time
    some that were submitted after the time before, ``in_vain_at``; ``last_words`` is the last that one of
    these printed. ``refused`` counts how often in a row the queue took none, the last time ``refused_at``,
    for the reason ``refusal``, and ``refused_in_all`` how often it ever did. ``slots`` is how many
    evaluations at a time the last worker ran that came of one, and ``largest`` how many one of this life ran
    at most, 0 where none came. ``life_began_at`` is when the run was resumed last, and 0 if it was not.
    ``amiss`` counts how many of this life ended as they should not have, by what was amiss, as `job_fates`
    has it: of the last that was ``last_amiss``, it ended ``last_amiss_how`` by the queue's account, and at
    ``last_amiss_at``. ``at_most`` is how many there may be at a time, where a person said so.
    """

    known: dict[int, Job] = field(default_factory=dict)
    asked: int = 0
    in_vain: int = 0
    in_vain_at: float = 0.0
    last_words: str = ""
    refused: int = 0
    refused_at: float = 0.0
    refusal: str = ""
    refused_in_all: int = 0
    slots: int = 1
    largest: int = 0
    life_began_at: float = 0.0
    amiss: dict[str, int] = field(default_factory=dict)
    last_amiss: str = ""
    last_amiss_how: str = ""
    last_amiss_at: float = 0.0
    at_most: int | None = None

    def of_worker(self, name: str) -> Job | None:
        """The job that a worker of this name came of, if one did."""
        for job in self.known.values():
            if job.worker == name:
                return job
        return None

    @property
    def under_way(self) -> Job | None:
        """The one that is being submitted."""
        return next((job for job in self.known.values() if job.heard_at is None), None)
