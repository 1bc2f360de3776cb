"""Runs of the real orchestrator, started as a user would, and loads on them."""
