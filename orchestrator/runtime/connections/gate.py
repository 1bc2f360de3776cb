"""The gate before the broker: only authorised keys come in, and each message is known by its key."""

from __future__ import annotations

import zmq
from zmq.auth.thread import ThreadAuthenticator

from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.runtime.farewell import let_go


class Gate:
    """Makes a ROUTER socket a CURVE server, and answers ZeroMQ's question of who may connect.

    Attributes:
        keyring: who may.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], keyring: Keyring) -> None:
        """Raises `KeyFileError` if the orchestrator has no keys of its own."""
        self.keyring = keyring
        self._server = keyring.server()
        self._authenticator = ThreadAuthenticator(context)
        self._authenticator.start()
        self._authenticator.configure_curve_callback(credentials_provider=self)

    def guard(self, socket: zmq.Socket[bytes]) -> None:
        """To be called before the socket is bound."""
        socket.curve_server = True
        socket.curve_publickey = self._server.public.encode()
        socket.curve_secretkey = self._server.secret.encode()

    def callback(self, domain: str, key: bytes) -> bool:
        """Whether a key, in Z85, may connect; called in the authenticator's thread."""
        del domain
        public = key.decode()
        allowed = self.keyring.name_of(public) is not None
        if not allowed:
            self.keyring.turn_away(public)
            self.keyring.refused += 1
        return allowed

    def lets_in(self, frame: zmq.Frame) -> bool:
        """Whether a message came under a key that is authorised still."""
        try:
            public = str(frame.get("User-Id"))
        except zmq.ZMQError:
            return False
        allowed = self.keyring.name_of(public) is not None
        if not allowed:
            self.keyring.turn_away(public)
        return allowed

    def close(self) -> None:
        """Stop answering. pyzmq's thread is waited for so long and no longer."""
        let_go(self._authenticator.stop)
