"""A whole laboratory of one seed: an orchestrator, its optimiser, workers, a network, disks, and bad luck.

For a while everything fails that the seed says may fail. Then it stops, one worker at least lives, whatever
died is started again, and the run must end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import broad
import faults
import forgetting
import formulas
import holding
import hunches
import ovens
import person
import plates
import trying
import tying
from drawn_spec import drawn_spec
from virtual_child import Habits
from virtual_desk import VirtualDesk
from virtual_disk import Machine
from virtual_network import Network
from virtual_optimiser import VirtualOptimiser
from virtual_orchestrator import FOLDER, OrchestratorProcess
from virtual_worker import Host
from virtual_world import Broken, World
from witness import Witness

from orchestrator.errors import JournalError
from orchestrator.scheduler.words.story import story
from orchestrator.spec.policy_of_spec import policy_of

PATIENCE_S = 1_000.0
"""Virtual seconds after the last fault in which the run must end."""
STEPS_LIMIT = 60_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a seed went: its steps, the scheduler's events, the virtual seconds, the orchestrator's lives."""

    steps: int
    events: int
    seconds: float
    lives: int
    ending: str
    journal: bytes


class Laboratory:
    """Of one seed. `run` it once."""

    def __init__(self, seed: int, *, tracing: bool = False) -> None:
        self.seed = seed
        self.world = World(seed, tracing=tracing)
        self.chance = chance = self.world.chance
        self.network = Network(self.world)
        self.machine = Machine(self.world)
        self.desk = VirtualDesk(self.world)
        self.by_hand = chance.random() < 0.1
        self.spec = drawn_spec(chance, self.by_hand)
        self.holder = holding.stream(seed)
        if self.holder is not None:
            self.spec = holding.with_second(self.spec, self.holder)
            if (hunch := hunches.stream(seed)) is not None:
                self.spec = hunches.begun_with_parts(self.spec, hunch)
            if (oven := ovens.stream(seed)) is not None:
                self.spec = ovens.in_ovens(self.spec, oven)
        self.run_name = FOLDER.name
        self.local = chance.random() < 0.25 and not self.by_hand
        self.lives = 0
        self.over = False
        self._calm = False
        self._faults = faults.drawn(chance)
        if self.holder is not None:
            self._faults.append((person.a_person_amends, 2.0))
        self.forgetful = forgetting.stream(seed)
        if self.forgetful is not None:
            self._faults.append((forgetting.what_gave_no_value_is_forgotten, 2.0))
        self.hopeful = trying.stream(seed)
        if self.hopeful is not None:
            self._faults.append((trying.points_are_added, 2.0))
        self.plating = plates.stream(seed)
        if self.plating is not None:
            self.spec = plates.in_plates(self.spec)
            self._faults.append((plates.another_plate_lies_there, 2.0))
        self.tying = tying.stream(seed)
        if self.tying is not None:
            self._faults.append((tying.constraints_are_amended, 2.0))
        self.valuing = formulas.stream(seed)
        if self.valuing is not None:
            self.spec = formulas.valued(self.spec, self.valuing, self.by_hand)
            self._faults.append((formulas.values_are_amended, 3.0))
            self._faults.append((faults.orchestrator_is_interrupted, 0.3))
            if not self.spec.objective.is_computed:
                self._faults.append((faults.stopped_and_read_again, 1.0))
        self.broad = None if self.by_hand else broad.stream(seed)
        if self.broad is not None:
            self.spec = broad.broadened(self.spec, self.broad)
        self.evaluator = self.spec.evaluation.evaluator
        self.witness = Witness(self.world, self.spec)
        self._pause_s = chance.choice([1.0, 3.0, 10.0])
        self._ask_s = chance.choice([0.01, 1.0, 10.0])
        # Where the run may end by it, what is left to gain is asked for after each.
        foresees = self.spec.budget.expected_gain is not None
        self._refit_every = chance.choice([1, 1, 2] if foresees else [0, 0, 1, 2, 3])
        self._points = chance.choice([1_000_000] * 5 + [3])
        self.hosts = [self._host(number) for number in range(chance.choice([1, 1, 2, 2, 3, 5]))]
        self.orchestrator = self._new_orchestrator()

    def _host(self, number: int) -> Host:
        chance = self.chance

        def perhaps(probability: float) -> float:
            return probability if chance.random() < 0.4 else 0.0

        habits = Habits(
            seconds=chance.choice([0.03, 1.0, 6.0]),
            fails=perhaps(0.2),
            crashes=perhaps(0.2),
            hangs=perhaps(0.1),
            stubborn=perhaps(0.3),
            reports=perhaps(0.3),
            dies_loading=perhaps(0.2) if number else 0.0,
            outcomes=self.spec.objective.is_computed,
        )
        if (rule := self.spec.evaluation.stop_when) is not None and rule.chance_below is not None:
            habits.reports = 0.9
        slots = chance.choice([1, 1, 1, 2])
        return Host(
            self.world,
            self.network,
            f"w{number}",
            slots if self.broad is None or number else broad.MOST,
            habits,
            Path(f"/worker-{number}"),
        )

    # -- its life ---------------------------------------------------------------------------------------

    def run(self) -> Outcome:
        """To the end of the run. Raises `Broken`, with the seed, the step and the story."""
        try:
            self._run()
        except Exception as failure:
            raise Broken(self._report(failure)) from failure
        journal = self.machine.names.get(FOLDER.journal)
        return Outcome(
            steps=self.world.steps,
            events=self.witness.events,
            seconds=self.world.now,
            lives=self.lives,
            ending=self.witness.state.end.why,
            journal=bytes(journal.visible) if journal is not None else b"",
        )

    def _run(self) -> None:
        world = self.world
        if self.chance.random() < 0.1:
            self.chance.choice([faults.disk_is_full, faults.disk_fails_to_sync])(self)
        self._start_orchestrator()
        for host in self.hosts:
            world.after(self.chance.random(), self._start_worker, host)
        if self._faults:
            world.after(self._pause_s * self.chance.random(), self._something_fails)
        world.after(1.0, self._look_after)
        calm_at = self.calm_at = 10.0 + 110.0 * self.chance.random()
        world.after(calm_at, self._calm_down)
        while not self.over:
            world.step()
            if world.now > calm_at + PATIENCE_S or world.steps > STEPS_LIMIT:
                raise Broken(
                    f"all was well from {calm_at:.0f} s on, and the run has not ended by {world.now:.0f} s"
                )
        self.witness.ended()
        if self.desk.requests:
            raise Broken(f"the run is over, and nobody has answered {next(iter(self.desk.requests))}")

    def _something_fails(self) -> None:
        if self._calm:
            return
        kinds, weights = zip(*self._faults, strict=True)
        fault = self.chance.choices(kinds, weights)[0]
        self.world.note("--- %s", fault.__name__)
        fault(self)
        self.world.after(self.chance.expovariate(1.0 / self._pause_s), self._something_fails)

    def _calm_down(self) -> None:
        """The faults stop. One worker lives on; of the others, some never come back."""
        self.world.note("--- no more faults")
        self._calm = True
        self.machine.heal()
        self.calm_network()
        self.orchestrator.calls_left = None
        for host in self.hosts:
            host.machine.heal()
            host.habits.hangs = host.habits.crashes = host.habits.fails = host.habits.stubborn = 0.0
            host.habits.dies_loading = 0.0
            if host.worker is not None:
                host.worker.calls_left = None
        for host in self.hosts[1:]:
            if host.worker is not None and self.chance.random() < 0.5:
                host.worker.die()

    @property
    def at_rest(self) -> bool:
        """Whether nobody works on the run, which was stopped in order."""
        return not self.orchestrator.alive and self.witness.is_finished

    def calm_network(self) -> None:
        """The network behaves again."""
        self.network.heal()

    def cut_power(self) -> None:
        """Of the orchestrator's machine, and so of its own workers'."""
        self.world.note("the power fails")
        self.orchestrator.die()
        self.machine.cut_power()
        self.desk.cut_power()
        if self.local:
            for host in self.hosts:
                host.cut_power()

    # -- who starts what is not running -------------------------------------------------------------------

    def _look_after(self) -> None:
        """Whoever looks after the laboratory: starts what died, approves what waits."""
        chance = self.chance
        if not self.orchestrator.alive and not self.over and (self._calm or chance.random() < 0.3):
            self.orchestrator = self._new_orchestrator()
            self._start_orchestrator()
        if self.over:
            # Whatever is asked of it from now on is asked of a run that has ended.
            return
        for number, host in enumerate(self.hosts):
            if not host.busy and (chance.random() < 0.2 if not self._calm else number == 0):
                self._start_worker(host)
        if self.spec.evaluation.approval and (self._calm or chance.random() < 0.2):
            person.approves(self)
        if self.by_hand and chance.random() < 0.4:
            person.evaluates(self)
        if self._calm and chance.random() < 0.3:
            person.wants_an_end(self)
        self.world.after(1.0, self._look_after)

    def _new_orchestrator(self) -> OrchestratorProcess:
        self.lives += 1
        process = OrchestratorProcess(
            self.lives, self.spec, self.machine, self.desk, self.network, self.witness, self.local
        )
        process.prepare = self._prepare
        process.gone = self._orphan_local_workers
        return process

    def _orphan_local_workers(self) -> None:
        """Workers that an orchestrator started end with it, a moment later."""
        for host in self.hosts if self.local else ():
            if host.worker is not None:
                self.world.after(self.chance.random(), host.worker.do, host.worker.orphan)

    def _prepare(self, optimiser: VirtualOptimiser) -> None:
        optimiser.ask_s = self._ask_s
        optimiser.refit_every = self._refit_every
        optimiser.points = self._points
        optimiser.parameters = tuple(self.spec.parameters)
        optimiser.held = self.spec.held

    def _start_orchestrator(self) -> None:
        process = self.orchestrator
        self.world.note("%s is started", process.name)
        try:
            process.do(process.start)
        except JournalError as error:
            self.world.note("%s could not start: %s", process.name, error)
            if "damaged" in str(error):
                raise
            process.die()
        self.over = process.over

    def _start_worker(self, host: Host) -> None:
        if host.busy or self.by_hand:
            return
        if self.local:
            # Its own workers know its address, and nobody starts them but it.
            if not self.orchestrator.alive or not self.orchestrator.listening:
                return
            host.address = self.orchestrator.address
            host.start()
            return
        name = host.name
        if not self._calm and self.chance.random() < 0.2:
            name = f"{host.name}-{host.births}"
            if self.chance.random() < 0.5:
                host.directory = Path(f"/{name}")
        host.start(name)

    # -- a broken promise ---------------------------------------------------------------------------------

    def _report(self, failure: Exception) -> str:
        lines = [
            f"seed {self.seed}, step {self.world.steps}, {self.world.now:.3f} s: "
            f"{type(failure).__name__}: {failure}",
            f"replay it: python -m tests.simulation --seed {self.seed}",
        ]
        about = re.search(r"\b(?:trial|lease) '?(\d+)", str(failure))
        trial = int(about.group(1)) if about else None
        for whose, books in (("last", self.witness.last_life), ("present", self.witness.books)):
            lines.append(
                f"the story of {f'trial {trial}' if trial else 'the run'}, as the {whose} life knows it:"
            )
            try:
                lines += story(policy_of(self.spec), books.events, trial)
            except Exception as error:
                lines.append(f"(and no further: {type(error).__name__}: {error})")
        if self.world.tracing:
            lines += ["what happened last:", *self.world.trace[-400:]]
        return "\n".join(lines)
