"""The core for callers of Python: an `Optimiser` that is asked and told, and a whole search in one call."""
