"""Optimisers of other projects behind the same protocol, so that anyone can compare under one roof.

They need the extra ``[compare]``; `registry.load` says so where it is missing. See `offered`.
"""
