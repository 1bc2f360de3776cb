"""The core as a Python object: ask for points, tell their values, in the parameters' own units.

For a loop of one's own. The command line's runs have workers, a journal and recovery besides.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, SupportsFloat

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Algorithm, Noise, Refit
from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.arrays import FloatArray
from orchestrator.numerics.floating_errors import numpys_own_errors
from orchestrator.parameters.space import Space
from orchestrator.python_interface.answers import Asked
from orchestrator.python_interface.asking import refuse_to_hold, trials_wanted
from orchestrator.python_interface.blocks import ToldBlocks
from orchestrator.python_interface.candidates import Candidates
from orchestrator.python_interface.candidates import Rows as CandidateRows
from orchestrator.python_interface.derivatives import DifferentiatedBy
from orchestrator.python_interface.experiment import Experiment, Told
from orchestrator.python_interface.found import Found
from orchestrator.python_interface.kept import pickled, unpickled
from orchestrator.python_interface.options import options_of
from orchestrator.python_interface.outcomes import ToldGoal
from orchestrator.python_interface.plan import Plan
from orchestrator.python_interface.record import has_begun, record_of, replay
from orchestrator.python_interface.reference import reference_of, reference_times_of
from orchestrator.python_interface.related import ToldRelated
from orchestrator.python_interface.said_in_python import said_in_python
from orchestrator.python_interface.sensitivity import ToldResults
from orchestrator.python_interface.shown import InRows
from orchestrator.python_interface.taught import Taught
from orchestrator.python_interface.trials import Left, Trials
from orchestrator.python_interface.unknown_arguments import OF_AN_OPTIMISER, OF_ASKING, says_what_is_meant
from orchestrator.values.over import ToldOver

__all__ = ["Optimiser", "Plan"]


class Optimiser(Taught):
    """Asks for points, is told what they gave, and asks better.

    The same calls with the same ``seed`` and ``plan`` give the same points: those of a run of such a spec,
    where that has one trial at a time. Threads may share one: their calls take turns. A pickled one goes on
    as this one would, with the same version, except for the tree searches, which raise UsageError. One that
    is interrupted, as by Ctrl-C, can be asked and told on. While a call takes, the process's linear algebra
    has one thread, unless the environment says how many, as by ``OMP_NUM_THREADS``.

    Args:
        parameters: by name, as ``(0.0, 1.0)``, the bounds of a float, or a mapping with a ``type``:
            ``{"type": "int", "bounds": [2, 9]}``, perhaps with ``"scale": "log"`` or a ``"step"``;
            ``{"type": "choice", "values": [...]}``, or ``"ordered"`` where their order means something, or a
            mapping of values to mappings of numbers, by which some are alike;
            ``{"type": "fixed", "value": ...}``; or, of one that follows from others,
            ``{"type": "computed", "value": "100 - resin"}``. With ``"when"`` one counts only where others
            are so (`Space.from_description`); with ``"travel"`` it goes only so far from one trial to the
            next, and with ``"tolerance"`` what is built may be so much off: sought is what is best on
            average; with ``"promising"``, as ``{"mean": 1e-3, "factor": 3}``, the search begins there. Or a
            Space.
        goal: of the value, ``maximise`` or ``minimise``.
        algorithm: its name, as in a spec.
        options: the algorithm's own, as in a spec.
        factors: known additive structure, lists of names of parameters.
        seed: 0 or more; all that is random follows from it.
        noise: ``unknown``, the standard deviation of an evaluation (0 for none), or ``reported``: a variance
            comes with every value.
        plan: how many trials there will be, and how many run at a time, as far as that is known.
        constraints: inequalities, as ``["inner < outer"]``, that hold of every trial; or of the best one,
            where they name an outcome; and linear equalities, by each of which a parameter is computed.
        outcomes: names of numbers that are told beside the value.
        value: how the value is computed from ``outcomes``, and perhaps from parameters, a formula as
            ``"lift / drag"``: outcomes alone are told, and each has a model of its own.
        fit: what outcomes are to be, as ``{"lift": {"value": 3.2, "error": 0.1}, "drag": 1}``: the value is
            the sum of the squares by which they are off, each in units of its error, or of 1.
        covariance: of the errors of ``fit``, where they hang together: an array of a row and a column for
            each number that is fitted, in their order, of a curve for each of its points.
        reference: today's settings, of all parameters: the first trial that is asked for. Constraints may be
            relative to what outcomes have there, as ``"heat <= 1.05 * reference(heat)"``, on average where it
            is told several times. Until it is told, nothing is known to satisfy them.
        reference_times: how many of the first trials are of them: in noise one says little of what limits are
            relative to.
        objectives: names of outcomes that are optimised too, each with its goal: then there is a `front`,
            and no `best`.
        fidelity: which parameter says how closely an evaluation looks, and what that costs, as
            ``{"parameter": "cells", "cost": "cells ** 2"}``, with ``"full"`` where its first value is full
            fidelity and not its last. Trials may then look less closely, and are no best. Without its
            ``"cost"``, that is learned from the ``seconds`` that `tell` is told. With ``"continues": True``
            one may go on from what an earlier one left, and costs the difference.
        clock: the parameter that is the time, where what is best drifts: each ask holds it where it is then,
            and most trials are of what is believed best by then. No result is the best; `recommend` says.
        blocks: whether results come in blocks that differ by an offset, as plates do: each says which
            ``block`` it is of. Where that is ``"day"``, one that does not say it is of the day on which its
            evaluation began. What is best without its offset `best` says, and `recommend`.
        over: beside parameters that vary in use, as ``{"type": "float", "bounds": [0, 20], "in_use": {"mean":
            8, "deviation": 3}}``, how a design of the others is to be best over these: on ``average``,
            ``{"worst": 0.1}``, on average over the worst tenth, ``{"quantile": 0.1}`` or in the ``worst``. No
            result is the best; `recommend` has the design. Or ``each``: each condition has best settings of
            its own, and `recommend` those of the one that it holds.
        threshold: no best point is sought, but in which part of the domain the value is above this: each
            trial is where its result is expected to take most of the doubt of that. `insight` says which
            share that is believed to be, and `predict` how likely it is at points.
        derivatives: whether derivatives of the value are told beside it, or a list of the parameters by which
            they are: see `tell`. They say as much as several values do.
        related: results of another experiment with the same parameters, or most of them, as `learn_all` takes
            them, or a list of up to four such tables. They are no results of this one; hypotheses that its
            values are multiples of those, and something smooth besides, are weighed against all others.
        candidates: the only combinations that may be tried, as ``[{"mass": 3, "dose": 0.1}, ...]``, a mapping
            of columns, a table of pandas, or `Candidates` where there is more to say of them. Their columns
            are parameters, which ``parameters`` need not name; each row is tried once.
        stop_when: which evaluations are not worth their ends, by what they `watch`, as in a spec:
            ``{"quantity": "loss", "chance_below": 0.1}``.
        store: the path of a file that keeps all that is asked and told, line by line, before it counts. A
            new Optimiser of the same problem goes on there, whatever became of this one: what was asked for
            and not told is handed out again, first of all. One at a time writes to it; a later one of this
            process takes it over.

    Raises SpecError or UsageError for anything in these that is wrong, and StoreError for a file that cannot
    be gone on with; once there is one, so does whatever is to be kept and cannot be, and then did not happen.
    """

    @says_what_is_meant(OF_AN_OPTIMISER)
    def __init__(
        self,
        parameters: Mapping[str, object] | Space,
        *,
        goal: ToldGoal = "maximise",
        algorithm: str = "auto",
        options: Mapping[str, object] | None = None,
        factors: Sequence[Sequence[str]] | None = None,
        seed: int = 0,
        noise: Noise | SupportsFloat | Literal["unknown", "reported"] = "unknown",
        plan: Plan | None = None,
        constraints: Sequence[str] | None = None,
        outcomes: Sequence[str] | None = None,
        value: str | None = None,
        fit: Mapping[str, object] | None = None,
        covariance: Sequence[Sequence[float]] | FloatArray | None = None,
        reference: Mapping[str, object] | None = None,
        reference_times: int = 1,
        objectives: Mapping[str, ToldGoal] | None = None,
        fidelity: Mapping[str, object] | None = None,
        clock: str | None = None,
        blocks: ToldBlocks = False,
        over: ToldOver = "average",
        threshold: SupportsFloat | None = None,
        derivatives: DifferentiatedBy = False,
        related: ToldRelated | None = None,
        candidates: Candidates | CandidateRows | None = None,
        stop_when: Mapping[str, object] | None = None,
        store: str | PathLike[str] | None = None,
    ) -> None:
        told = Told(
            parameters=parameters,
            goal=goal,
            algorithm=algorithm,
            options=options,
            factors=factors,
            seed=seed,
            noise=noise,
            plan=plan,
            constraints=constraints,
            outcomes=outcomes,
            value=value,
            fit=fit,
            covariance=covariance,
            reference=reference,
            reference_times=reference_times,
            objectives=objectives,
            fidelity=fidelity,
            clock=clock,
            blocks=blocks,
            over=over,
            threshold=threshold,
            derivatives=derivatives,
            related=related,
            candidates=candidates,
            stop_when=stop_when,
        )
        with said_in_python(["held", *(one.name for one in fields(told))]):
            self._begin(Experiment.of(told, has_begun=has_begun(store)), store)

    def _begin(self, experiment: Experiment, store: str | PathLike[str] | None) -> None:
        """Where a file keeps some of it, with what that has."""
        told, sought = experiment.told, experiment.sought
        self._plan, self._stopping = sought.plan, experiment.stopping
        self._name = told.algorithm
        with numpys_own_errors():
            options = options_of(self._name, told.options)
            self._algorithm = registry.build(self._name, experiment.problem, options)
        self._options = options
        if experiment.clock is not None or sought.space.changes:
            refuse_to_hold(self._algorithm, self._name)
        self._reading = experiment.reading(type(self._algorithm))
        self._trials = Trials(machine=MachineTime(dict(sought.space.changes)))
        self._found = Found(self._sign, drift=experiment.names_no_best)
        self._told_results = ToldResults(self._sign, dict(sought.further))
        self._turn = threading.Lock()
        self._reading = replace(self._reading, reference=reference_of(told.reference, self._reading))
        said = experiment.to_json()
        if self._reading.reference is not None:
            there = self._reading.reference.parameters
            # Without what follows from others, and what does not count there.
            said["reference"] = {name: there[name] for name in self._space.names if name in there}
        self._reference_times = reference_times_of(told.reference_times, self._reading)
        if self._reference_times > 1:
            said["reference_times"] = self._reference_times
        self._record, kept = record_of(store, self._space, said, self._plan)
        with self._calculating():
            replay(kept, self._adopt, self._reading, self._trials, self._learn)
            self._relate()
            while self._trials.following <= self._reference_times and self._reading.reference is not None:
                self._trials.leave(Left(self._attached(self._reading.reference), {}))

    def _built(self) -> Algorithm:
        with numpys_own_errors():
            return registry.build(self._name, self._problem, self._options)

    def _adopt(self, refit: Refit) -> None:
        self._relate()
        self._algorithm.adopt(refit)

    def __getstate__(self) -> dict[str, Any]:
        with self._turn:
            algorithm = pickled(self._algorithm, self._name)
            held = {name: value for name, value in vars(self).items() if name != "_turn"}
            # Other threads go on with these, while what this returns is being written.
            return held | {
                "_algorithm": algorithm,
                "_trials": self._trials.copied(),
                "_reading": self._reading.copied(),
                "_found": replace(self._found),
                "_told_results": self._told_results.copied(),
                "_stopping": None if self._stopping is None else self._stopping.copied(),
                "_record": self._record.unkept(),
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        algorithm = unpickled(state["_algorithm"], state["_name"])
        vars(self).update(state, _algorithm=algorithm, _turn=threading.Lock())

    @property
    def plan(self) -> Plan:
        """What is planned."""
        return self._plan

    @property
    def pending(self) -> tuple[int, ...]:
        """The trials asked and not yet told."""
        with self._turn:
            return tuple(self._trials.pending)

    @property
    def stops_by(self) -> str | None:
        """The quantity by whose reports evaluations are stopped that are not worth their ends, if any are."""
        return None if self._stopping is None else self._stopping.rule.quantity

    @property
    def is_computed(self) -> bool:
        """Whether values are computed from outcomes, which alone are told."""
        return self._reading.is_computed

    @property
    def continues(self) -> bool:
        """Whether trials may go on from what others left that looked less closely."""
        return self._problem.fidelity is not None and self._problem.fidelity.continues

    @property
    def takes_derivatives(self) -> bool:
        """Whether derivatives are told beside values."""
        return bool(self._problem.derivatives)

    @property
    def derivatives_by(self) -> tuple[str, ...]:
        """The parameters by which derivatives are told, if they are."""
        return tuple(self._space.names[j] for j in self._problem.derivatives)

    @property
    def store(self) -> Path | None:
        """The file that keeps it, if there is one."""
        return self._record.path

    def close(self) -> None:
        """Let others have the file that keeps it: nothing more can be asked or told here. What is pending is
        asked for again by whoever goes on.
        """
        with self._turn:
            self._record.close()

    @says_what_is_meant(OF_ASKING)
    def ask(
        self, n: int = 1, *, held: Mapping[str, object] | None = None, sharing: Sequence[str] = ()
    ) -> InRows[Asked]:
        """The next n trials. A refit that is due is computed first, here, which can take seconds.

        ``held``: what is not to be chosen this time, as ``{"temperature": 21.5}``, a context; the rest is
        chosen to be best beside it, by all that was told. Beside a clock the time is among it. ``sharing``:
        the parameters that all of them are to have in common, as samples in one oven its temperature; the
        first of them settles what that is.

        Fewer where no more points are left that are worth it: of a finite space with exact values, or of the
        part of one where what is held is, each is tried once.

        Raises UsageError for an n that is not a whole number above 0, where no point is left, where an
        algorithm cannot hold parameters, or share them, or the time is not said, and where they may travel
        only so far and it is not one trial after the other, or nobody knows from where; SpecError for held
        or shared ones that are wrong; and OptimiserError for what an algorithm of one's own suggests that is
        no point.
        """
        return self._asked(trials_wanted(n), held, sharing)
