"""Dispatch: evaluations a second through the whole path, beside a bare echo and dask.distributed.

    python -m benchmarks.dispatch [--trials 20000]

Closed loop, 8 evaluations in flight, each returning at once. Ours: journal on disk, 8 local workers,
`random`. The echo: one pyzmq ROUTER and one DEALER in two processes, 8 messages in flight, nothing else.
dask: 8 single-threaded worker processes, `submit` and `as_completed`. Each is measured between its first
and last tenth, so that nobody's start counts.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from multiprocessing.connection import Connection

from benchmarks.running.runs import run_spec, workplace

IN_FLIGHT = 8
WORKLOAD = "def at_once(parameters):\n    return parameters['x1']\n"
SPEC = """\
experiment: dispatch
objective: {{name: y, goal: maximise}}
parameters:
  x1: {{type: float, bounds: [0, 1]}}
  x2: {{type: float, bounds: [0, 1]}}
algorithm: {{name: random}}
budget: {{trials: {trials}}}
evaluation: {{evaluator: "workload:at_once"}}
workers: {{local: 8}}
"""


def ours(trials: int) -> tuple[float, float]:
    """Evaluations a second, and bytes of journal for each."""
    with workplace(WORKLOAD) as folder:
        finished = run_spec(folder, SPEC.format(trials=trials))
    return _middle_rate([event.at for event in finished.results()]), finished.journal_bytes / trials


def bare_echo(messages: int) -> float:
    """Round trips a second of a ROUTER and a DEALER."""
    import zmq

    context = multiprocessing.get_context("spawn")
    ours_end, theirs = context.Pipe()
    echoing = context.Process(target=_echo, args=(theirs,), daemon=True)
    with zmq.Context() as zmq_context, zmq_context.socket(zmq.ROUTER) as router:
        port = router.bind_to_random_port("tcp://127.0.0.1")
        echoing.start()
        ours_end.send(port)
        peer, _ = router.recv_multipart()
        payload = b'{"type":"evaluate","lease":"1.1","parameters":{"x1":0.25,"x2":0.75}}'
        for _ in range(IN_FLIGHT):
            router.send_multipart([peer, payload])
        moments = []
        for _ in range(messages):
            peer, _ = router.recv_multipart()
            moments.append(time.perf_counter())
            router.send_multipart([peer, payload])
        echoing.kill()
    return _middle_rate(moments)


def _echo(pipe: Connection) -> None:
    import zmq

    port = pipe.recv()
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.connect(f"tcp://127.0.0.1:{port}")
        dealer.send(b"hello")
        while True:
            dealer.send(dealer.recv())


def dask(tasks: int) -> float | None:
    """Tasks a second of dask.distributed; None where it is not installed."""
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError:
        return None
    cluster = LocalCluster(
        n_workers=IN_FLIGHT, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, Client(cluster) as client:
        moments = []
        flying = as_completed([client.submit(_identity, k, pure=False) for k in range(IN_FLIGHT)])
        for sent, _ in enumerate(flying, start=IN_FLIGHT):
            moments.append(time.perf_counter())
            if sent < tasks:
                flying.add(client.submit(_identity, sent, pure=False))
    return _middle_rate(moments)


def _identity(value: float) -> float:
    return value


def _middle_rate(moments: list[float]) -> float:
    tenth = len(moments) // 10
    first, last = moments[tenth], moments[-tenth - 1]
    return (len(moments) - 2 * tenth - 1) / (last - first)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20_000)
    trials = parser.parse_args().trials
    echo = bare_echo(5 * trials)
    rate, journal = ours(trials)
    peer = dask(max(500, trials // 10))
    print(f"bare ROUTER/DEALER echo      {echo:9.0f} a second")
    print(f"orchestrator, whole path     {rate:9.0f} a second   {rate / echo:.3f} of the echo")
    if peer is None:
        print("dask.distributed             not installed: pip install -e '.[bench]'")
    else:
        print(f"dask.distributed             {peer:9.0f} a second   ours is {rate / peer:.1f} times that")
    print(f"journal                      {journal:9.0f} bytes a trial")


if __name__ == "__main__":
    main()
