"""Runs that others work on: found, followed, and how they stand, as whoever works on one writes it."""
