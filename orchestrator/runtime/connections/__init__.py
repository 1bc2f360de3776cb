"""Workers at the other end of a socket: who may connect, who is there, what they say."""
