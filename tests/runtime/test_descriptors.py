"""As many workers as the system lets come, and not only as many as a shell's first limit on open files."""

from __future__ import annotations

import resource

import zmq
from run_lab import RunLab, eventually, spec

from orchestrator.runtime.descriptors import ENOUGH, room_for_connections
from orchestrator.wire.codec import decode_from_orchestrator, encode
from orchestrator.wire.messages import PROTOCOL, Hello, Welcome


def test_more_workers_than_open_files_were_allowed_at_first_are_all_welcomed(lab: RunLab) -> None:
    begun_with, workers = 64, 100
    run = lab.run(
        spec("quick", budget={"trials": 1000}, workers={"local": 0, "listen": "tcp://127.0.0.1:*"}),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (begun_with, 512)),
    )
    address = run.opened()["address"]
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    wires = []
    for number in range(workers):
        wire = context.socket(zmq.DEALER)
        wire.connect(address)
        name = f"worker-{number}"
        wire.send(encode(Hello(PROTOCOL, worker=name, session=name, evaluators=["workloads_for_runs:quick"])))
        wires.append(wire)
    waiting = list(wires)

    def all_welcomed() -> bool:
        for wire in list(waiting):
            if wire.poll(10) and isinstance(decode_from_orchestrator(wire.recv()), Welcome):
                waiting.remove(wire)
        return not waiting

    try:
        eventually(all_welcomed)
    finally:
        context.destroy(linger=0)
    run.kill()


def test_the_limit_is_afterwards_what_it_was() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = (min(200, before[0]), before[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, low)
    try:
        with room_for_connections():
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            assert soft == min(ENOUGH, hard)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == low
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
