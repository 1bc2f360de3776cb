"""Nodes of a factor graph that hear their neighbours alone, and what they compute together."""
