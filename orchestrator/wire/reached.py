"""What a machine answers to whoever dials a port there, by which it shows why nobody is reached.

ZeroMQ dials on and on and does not tell.
"""

from __future__ import annotations

import errno
import os
import socket
from contextlib import closing
from typing import Final

REFUSED: Final = (
    "that machine, or a firewall in its name, answers that nobody listens at this port: does the run go on "
    "there, at this port, and at an address that other machines reach (`listen` in its spec)?"
)
NO_WAY: Final = (
    "no way leads there from here ({why}): is this its address, is it in the network, and does a firewall "
    "turn others away?"
)
SILENT: Final = (
    "nothing comes back, not even that nobody listens there: is this its address, is that machine on, and "
    "does no firewall stand between?"
)
TAKEN: Final = (
    "somebody takes connections there, and does not say what an orchestrator says: was the run stopped, as "
    "by Ctrl-Z, is this another program's port, or is the network very slow?"
)
_NO_WAY: Final = (
    errno.EHOSTUNREACH,
    errno.ENETUNREACH,
    errno.EHOSTDOWN,
    errno.ENETDOWN,
    errno.EACCES,
    errno.EPERM,
)


def dialling_on(sentence: str) -> str:
    """What a worker, or a node, says that nobody takes: why, and that it goes on trying."""
    return f"{sentence} Dialling on." if sentence.endswith("?") else f"{sentence}; dialling on"


def why_not_reached(host: str, port: int, within_s: float) -> str:
    """What dialling a port comes to, in words, where nobody has answered as an orchestrator does.

    ``host`` is a name, looked up at its address of IPv4 as ZeroMQ does, or a number. Takes ``within_s``
    seconds at most, but for looking a name up. Empty where nothing can be said.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
        with closing(socket.socket(family, socket.SOCK_STREAM)) as caller:
            caller.settimeout(within_s)
            caller.connect(found[0][4])
    except ConnectionRefusedError:
        return REFUSED
    except TimeoutError:
        return SILENT
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None)
        return NO_WAY.format(why=os.strerror(number)) if number in _NO_WAY else ""
    return TAKEN
