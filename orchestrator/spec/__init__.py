"""Specs: read from YAML with every error at its place, checked as a whole, and built into parts."""
