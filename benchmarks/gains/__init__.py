"""Runs in which a model says what is left to gain, and what came true of it."""
