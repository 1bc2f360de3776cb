"""What may go wrong, and how often: each seed draws which faults it has, and their rates."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from formulas import values_are_amended
from person import a_person_amends, a_person_decides

from orchestrator.scheduler.leases import lease_name
from orchestrator.wire.codec import MalformedMessage, decode_from_worker, encode
from orchestrator.wire.messages import (
    PROTOCOL,
    Acknowledge,
    Evaluate,
    Failure,
    Heartbeat,
    Hello,
    Message,
    Reject,
    Result,
    Welcome,
)

if TYPE_CHECKING:
    from laboratory import Laboratory
    from virtual_worker import Host, WorkerProcess

Fault = Callable[["Laboratory"], None]


def _a_worker(lab: Laboratory) -> WorkerProcess | None:
    living = [host.worker for host in lab.hosts if host.worker is not None and host.worker.alive]
    return lab.chance.choice(living) if living else None


def _its_host(lab: Laboratory, worker: WorkerProcess) -> Host:
    return next(host for host in lab.hosts if host.worker is worker)


# -- the orchestrator ---------------------------------------------------------------------------------------


def orchestrator_dies(lab: Laboratory) -> None:
    """At a moment between two steps."""
    lab.orchestrator.die()


def orchestrator_dies_in_a_call(lab: Laboratory) -> None:
    """In the middle of a step: in a write, a sync, between two messages."""
    lab.orchestrator.calls_left = lab.chance.randint(0, 12)


def orchestrator_loses_power(lab: Laboratory) -> None:
    """At a moment, or in the middle of a step."""
    if lab.chance.random() < 0.3:
        lab.cut_power()
    else:
        lab.orchestrator.takes_along = lab.cut_power
        orchestrator_dies_in_a_call(lab)


def orchestrator_is_stopped(lab: Laboratory) -> None:
    """SIGSTOP, then SIGCONT."""
    lab.orchestrator.pause(40.0 * lab.chance.random() ** 2)


def orchestrator_is_interrupted(lab: Laboratory) -> None:
    """Ctrl-C, and perhaps once more."""
    # Nobody is waited for who may come back tomorrow.
    lab.orchestrator.do(lambda: lab.orchestrator.interrupt(now=lab.by_hand))
    if lab.chance.random() < 0.5:
        lab.world.after(3.0, lambda: lab.orchestrator.do(lambda: lab.orchestrator.interrupt(now=True)))


def stopped_and_read_again(lab: Laboratory) -> None:
    """At once, while a worker is cut off that works on, and comes back once outputs are read otherwise: where
    they are.
    """
    a_worker_is_cut_off(lab)
    lab.orchestrator.do(lambda: lab.orchestrator.interrupt(now=True))
    lab.world.after(lab.chance.random(), values_are_amended, lab)


def orchestrator_clock_jumps(lab: Laboratory) -> None:
    """As after a suspension."""
    lab.orchestrator.jump(60.0 * lab.chance.random())


# -- its disk -----------------------------------------------------------------------------------------------


def disk_is_full(lab: Laboratory) -> None:
    """For a while, after a few more bytes."""
    lab.machine.room = lab.chance.randint(0, 2000)
    lab.world.after(20.0 * lab.chance.random(), lab.machine.heal)


def disk_fails_to_sync(lab: Laboratory) -> None:
    """For a while; perhaps it cannot even cut a file off, and perhaps the machine dies of it."""
    lab.machine.sync_fails = 0.5
    lab.machine.cut_fails = 0.5 if lab.chance.random() < 0.3 else 0.0
    seconds = 10.0 * lab.chance.random()
    lab.world.after(seconds, lab.machine.heal)
    if lab.chance.random() < 0.5:
        lab.world.after(seconds, lab.cut_power)


def disk_is_slow(lab: Laboratory) -> None:
    """Commits take seconds, or longer than silence may last, and writes come short."""
    lab.machine.delay_s = lab.chance.choice([8.0, 30.0])
    lab.machine.short_writes = 0.5
    lab.world.after(20.0 * lab.chance.random(), lab.machine.heal)


# -- the optimiser ------------------------------------------------------------------------------------------


def optimiser_dies(lab: Laboratory) -> None:
    """In its next ask, tell, refit or estimate of what is left to gain, or right now."""
    optimiser = lab.orchestrator.optimiser
    if optimiser is not None and optimiser.process is not None:
        # An estimate is rare and short: where there are any, they are what is aimed at.
        foresees = lab.witness.books.enough is not None
        where = lab.chance.choice(["ask", "ask", "tell", "refit", "", *["gain"] * (6 if foresees else 0)])
        optimiser.process.dies_in = where
        if not where:
            optimiser.process.die()


# -- workers ------------------------------------------------------------------------------------------------


def worker_dies(lab: Laboratory) -> None:
    """At a moment: before, during or after an evaluation."""
    worker = _a_worker(lab)
    if worker is not None:
        worker.die()


def worker_dies_in_a_call(lab: Laboratory, worker: WorkerProcess | None = None) -> None:
    """After it kept a result and before it sent it, after it sent it, and so on."""
    worker = worker or _a_worker(lab)
    if worker is not None:
        worker.calls_left = lab.chance.randint(0, 8)


def worker_loses_power(lab: Laboratory) -> None:
    """And with it what was not synced."""
    worker = _a_worker(lab)
    if worker is not None:
        host = _its_host(lab, worker)
        if lab.chance.random() < 0.3:
            host.cut_power()
        else:
            worker.takes_along = host.cut_power
            worker_dies_in_a_call(lab, worker)


def worker_is_stopped(lab: Laboratory) -> None:
    """It hangs, for less or more than a silence that is borne."""
    worker = _a_worker(lab)
    if worker is not None:
        worker.pause(60.0 * lab.chance.random() ** 2)


def worker_is_interrupted(lab: Laboratory) -> None:
    """Once to end in order, or twice."""
    worker = _a_worker(lab)
    if worker is not None:
        worker.do(worker.interrupt)
        if lab.chance.random() < 0.3:
            lab.world.after(1.0, worker.do, worker.interrupt)


def worker_clock_jumps(lab: Laboratory) -> None:
    """As after a suspension."""
    worker = _a_worker(lab)
    if worker is not None:
        worker.jump(60.0 * lab.chance.random())


def worker_disk_fails(lab: Laboratory) -> None:
    """Full, or failing, for a while."""
    host = lab.chance.choice(lab.hosts)
    if lab.chance.random() < 0.5:
        host.machine.room = lab.chance.randint(0, 300)
    else:
        host.machine.sync_fails = host.machine.cut_fails = 0.5
    lab.world.after(20.0 * lab.chance.random(), host.machine.heal)


# -- the network --------------------------------------------------------------------------------------------


def a_connection_breaks(lab: Laboratory) -> None:
    """And both ends find out, or only one does, late."""
    connections = lab.network.connections()
    if connections:
        lab.network.sever(lab.chance.choice(connections))


def a_worker_is_cut_off(lab: Laboratory) -> None:
    """For a while nothing passes, though the connection looks alive."""
    worker = _a_worker(lab)
    if worker is not None:
        name = worker.name
        lab.network.cut_off.add(name)
        lab.world.after(40.0 * lab.chance.random(), lab.network.cut_off.discard, name)


def the_network_misbehaves(lab: Laboratory) -> None:
    """For a while."""
    network, chance = lab.network, lab.chance
    network.loss = chance.choice([0.0, 0.1, 0.4])
    network.duplication = chance.choice([0.0, 0.2])
    network.reordering = chance.choice([0.0, 0.3])
    network.delay_s = chance.choice([0.01, 1.0, 6.0])
    network.forgotten = chance.choice([0.0, 0.5])
    lab.world.after(30.0 * chance.random(), lab.calm_network)


def a_stranger_speaks(lab: Laboratory) -> None:
    """Results of another run and of leases that never were, without a hello or after one, and noise."""
    listener = lab.network.listener
    if listener is None:
        return
    chance = lab.chance
    trial = chance.randint(1, 4)
    lease = lease_name(trial, chance.randint(1, 3))
    unknown = lease_name(trial, chance.choice([0, 97]))
    run, ours = lab.run_name, [lab.evaluator]
    frames: list[Message | bytes] = [
        Hello(protocol=PROTOCOL, worker="stranger", session="s", evaluators=ours, leases=[unknown, "?"]),
        Hello(protocol=PROTOCOL, worker="w0", session="s", evaluators=ours),
        Hello(protocol=PROTOCOL, worker="stranger", session="s", evaluators=ours, slots=0),
        Hello(protocol=PROTOCOL, worker="stranger", session="s", evaluators=["another"]),
        Hello(protocol=PROTOCOL + 1, worker="stranger", session="s", evaluators=ours),
        Result(run=run, lease=unknown, trial=trial, value=1.0, variance=-1.0),
        *(Result(run="another", lease=lease_name(k, 1), trial=k, value=1e6) for k in range(1, 9)),
        Failure(run="another", lease=lease, trial=trial, kind="error", message="of another run"),
        Result(run=run, lease=unknown, trial=trial, value=1e6),
        Failure(run=run, lease=unknown, trial=trial, kind="error", message="never given"),
        Heartbeat(leases=[lease]),
        b'{"type":"result"',
        b"\xff\x00",
    ]
    greets = chance.random() < 0.7
    for frame in frames if greets else frames[1:]:
        if chance.random() < 0.7 or (greets and frame is frames[0]):
            listener.arrived(b"stranger", frame if isinstance(frame, bytes) else encode(frame))


def another_run_takes_the_address(lab: Laboratory) -> None:
    """The orchestrator is gone, and one of another run answers in its place, for a while.

    Its leases have the same names, and its trials other parameters.
    """
    lab.orchestrator.die()
    network, chance = lab.network, lab.chance

    def arrived(peer: bytes, frame: bytes) -> None:
        try:
            message = decode_from_worker(frame)
        except MalformedMessage:
            return
        answers: list[Message] = []
        if isinstance(message, Hello):
            answers.append(
                Welcome(
                    protocol=PROTOCOL,
                    run="another",
                    experiment="another",
                    evaluator=lab.evaluator,
                    options={"another": True},
                    heartbeat_s=4.0,
                )
            )
            answers += [
                Evaluate(
                    run="another",
                    lease=lease_name(trial, 1),
                    trial=trial,
                    attempt=1,
                    parameters={"x": 3.0 + trial},
                    seed=trial,
                    timeout_s=60.0,
                )
                for trial in range(1, chance.randint(1, 4))
            ]
        elif isinstance(message, Heartbeat):
            answers.append(Heartbeat())
        elif isinstance(message, Result | Failure) and message.run != "another":
            answers.append(Reject(code="run", reason="this is run another", lease=message.lease))
        elif isinstance(message, Result | Failure) and chance.random() < 0.5:
            answers.append(Acknowledge(lease=message.lease))
        for answer in answers:
            network.send_to(listener, peer, encode(answer))

    listener = network.listen(arrived)
    lab.world.after(30.0 * chance.random(), network.stop_listening, listener)


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        orchestrator_dies,
        orchestrator_dies_in_a_call,
        orchestrator_loses_power,
        orchestrator_is_stopped,
        orchestrator_is_interrupted,
        orchestrator_clock_jumps,
        a_person_amends,
        a_person_decides,
        disk_is_full,
        disk_fails_to_sync,
        disk_is_slow,
        optimiser_dies,
        worker_dies,
        worker_dies_in_a_call,
        worker_loses_power,
        worker_is_stopped,
        worker_is_interrupted,
        worker_clock_jumps,
        worker_disk_fails,
        a_connection_breaks,
        a_worker_is_cut_off,
        the_network_misbehaves,
        a_stranger_speaks,
        another_run_takes_the_address,
    )
}


def drawn(chance: Random) -> list[tuple[Fault, float]]:
    """The faults of a seed, each with its weight: a few, again and again, or half of all, now and then.

    So no one fault hides another, and rare meetings of two are not rare in some seeds.
    """
    few = chance.sample(list(FAULTS.values()), chance.choice([1, 2, 3, 4, 12]))
    return [(fault, 0.2 + chance.random()) for fault in few]
