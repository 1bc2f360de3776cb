"""Searches from Python, as the spec and the events of a run in which the same happened."""
