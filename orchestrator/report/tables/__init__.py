"""Tables of a run, each for people and for programs."""
