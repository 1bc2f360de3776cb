"""Whether workers can be jobs of a queue: who evaluates is no person, and dials an address that stays."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.section import shown
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.wire.addresses import has_fixed_port


def check_jobs(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong with `workers: {jobs: ...}`, as far as the parts are right."""
    workers, evaluation = parts.get("workers"), parts.get("evaluation")
    if workers is None or workers.jobs is None:
        return
    place = find_key(tree, ("workers", "jobs"))
    if evaluation is not None and evaluation.evaluator == PERSON:
        sentence = "expected no `jobs` where a person evaluates, whom no queue starts; leave `jobs` out"
        yield Complaint(place, sentence)
    if not has_fixed_port(workers.listen):
        yield Complaint(
            place,
            "expected beside `jobs` where workers dial, with a port, as `listen: tcp://0.0.0.0:5556`: jobs"
            f" that wait are to find the run when it was resumed, too; got {shown(workers.listen)}",
        )
