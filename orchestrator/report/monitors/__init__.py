"""Monitors of a run that are no screen: lines for people, lines for programs, and almost nothing."""
