"""Whether an orchestrator can be reached from here, and would let a worker in: `doctor --connect`."""

from __future__ import annotations

import time
from functools import partial
from threading import Thread

import zmq

from evaluators.readiness.needs import Lack
from orchestrator.report.doctor.findings import Finding
from orchestrator.wire.codec import MalformedMessage, decode_from_orchestrator, encode
from orchestrator.wire.credentials import Credentials
from orchestrator.wire.dealer import Dealer
from orchestrator.wire.messages import Heartbeat
from orchestrator.wire.reached import why_not_reached
from orchestrator.wire.unanswered import Unanswered, place_of

WITHIN_S = 5.0
TO_LOOK_S = 2.0
TO_HANG_UP_S = 0.5
_UNKNOWN_WHY = (
    "does the run go on there, at an address that other machines reach (`workers: listen` in its spec), and "
    "does no firewall stand between?"
)


def examine_connection(address: str, credentials: Credentials | None) -> Finding:
    """The orchestrator at an address. Raises `UsageError` for what is no address or key."""
    key = "without a key" if credentials is None else f"with the key of {credentials.name}"
    why = why_unreachable(address, credentials, WITHIN_S)
    about = f"an orchestrator that workers dial, {key}"
    return Finding(address, about, "", [Lack(why, "")] if why else [])


def why_unreachable(address: str, credentials: Credentials | None, within_s: float) -> str:
    """Why no worker with such credentials would get in from here, in a sentence; nothing if one would.

    No worker comes and goes on this account: a heartbeat without a hello is answered, and forgotten.
    Raises `UsageError` for what is no address or key.
    """
    dealer = Dealer(address, credentials)
    poller = zmq.Poller()
    poller.register(dealer.socket, zmq.POLLIN)
    poller.register(dealer.monitor, zmq.POLLIN)
    until = time.monotonic() + within_s
    unanswered = Unanswered(address, time.monotonic())
    asked = False
    try:
        while (left := until - time.monotonic()) > 0.0:
            poller.poll(int(1000.0 * left) + 1)
            if refusals := dealer.refusals():
                return refusals[0]
            if dealer.connected and not asked:
                asked = dealer.send(encode(Heartbeat()))
            if frames := dealer.receive():
                decode_from_orchestrator(frames[0])
                return ""
    except MalformedMessage:
        return f"expected an orchestrator at {address}, got an answer that is none of its messages"
    finally:
        _hang_up(dealer)
    if unanswered.unknown:
        return unanswered.unknown
    if unanswered.looked_up:
        return (
            f"where `{unanswered.looked_up}` in {address} is has not been found out within {within_s:g} s:"
            " does the name server answer? An address in numbers needs none"
        )
    if dealer.connections:
        return f"whoever listens at {address} did not answer within {within_s:g} s: is it an orchestrator?"
    place = place_of(address)
    found = "" if place is None else why_not_reached(*place, TO_LOOK_S)
    return f"nobody was reached at {address} within {within_s:g} s: {found or _UNKNOWN_WHY}"


def _hang_up(dealer: Dealer) -> None:
    """ZeroMQ would wait for a name that it has looked up, as long as that takes."""
    thread = Thread(target=partial(dealer.hang_up, linger=False), daemon=True)
    thread.start()
    thread.join(TO_HANG_UP_S)
