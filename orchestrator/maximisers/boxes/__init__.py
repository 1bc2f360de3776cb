"""Maximising within a box about a point, which is stretched to a unit cube of its own."""
