"""The optimiser's process: what is said to it, what it keeps, and how it refits beside its asks."""
