"""Whatever is thrown at a live orchestrator, it goes on, and an honest worker beside is served."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz import EVALUATOR, besiege
from hostile_frames import frame_of, messages, monsters
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.liveness import Liveness
from orchestrator.wire.codec import MalformedMessage, decode_from_worker
from orchestrator.wire.messages import PROTOCOL, FromOrchestrator, Reject, Welcome


def complaint_about(frame: bytes) -> str | None:
    """Why a frame is malformed, if it is."""
    try:
        decode_from_worker(frame)
    except MalformedMessage as complaint:
        return str(complaint)
    return None


@pytest.mark.parametrize(("keys", "count"), [(False, 1_500), (True, 500)], ids=["open", "keys"])
def test_many_hostile_messages_cost_nobody_anything(tmp_path: Path, keys: bool, count: int) -> None:
    damage = besiege(tmp_path, count, seed=1, keys=keys, compared=False)
    assert damage.complaints == []
    assert damage.evaluations > 0


@settings(max_examples=400)
@given(st.one_of(st.binary(max_size=200), messages("run", "a:b").map(frame_of)))
def test_a_frame_is_a_message_or_malformed_and_nothing_else(frame: bytes) -> None:
    assert complaint_about(frame) != ""


@pytest.mark.parametrize("frames", monsters("run"), ids=range(len(monsters("run"))))
def test_so_is_a_monster(frames: list[bytes]) -> None:
    assert len(complaint_about(frames[0]) or "") < 1_000


@given(st.text() | st.from_regex(r"[0-9]{0,30}\.[0-9]{0,30}"))
def test_any_text_is_a_lease_or_is_none(text: str) -> None:
    number = trial_of(text)
    assert number is None or text.startswith(str(number)) or text.lstrip("0").startswith(str(number or ""))


@settings(max_examples=300)
@given(st.lists(messages("run", EVALUATOR).map(frame_of), max_size=12))
def test_what_is_answered_is_small_whatever_was_sent(frames: list[bytes]) -> None:
    """Nobody is made to repeat a megabyte."""
    from orchestrator.runtime.connections.broker import Received
    from orchestrator.runtime.connections.sessions import Sessions

    sent: list[FromOrchestrator] = []
    sessions = Sessions(
        Welcome(protocol=PROTOCOL, run="run", experiment="wing", evaluator=EVALUATOR),
        factors=None,
        liveness=Liveness(timeout_s=None),
        send=lambda _, message: sent.append(message) is None,
        note=lambda _: None,
        progressed=lambda _: None,
        local=lambda _: False,
        was_given=lambda _: True,
        holds=lambda _, __: True,
        turned_away=lambda _: None,
    )
    for frame in frames:
        try:
            received = Received(b"peer", decode_from_worker(frame))
        except MalformedMessage as complaint:
            received = Received(b"peer", None, str(complaint))
        sessions.take(received, 1.0)
    for message in sent:
        if isinstance(message, Reject):
            assert len(message.reason) <= 600
            assert len(message.lease) <= 40
