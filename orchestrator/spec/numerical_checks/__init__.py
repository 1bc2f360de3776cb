"""What only algorithms and numpy's arithmetic can tell of a spec."""
