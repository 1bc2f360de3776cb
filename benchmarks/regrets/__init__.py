"""Runs of algorithms on synthetic functions: what each found, kept, and as a table."""
