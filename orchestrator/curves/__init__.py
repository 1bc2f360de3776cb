"""Curves of what evaluations report while they run, and what they say of the values at their ends."""
