"""What one factor of a sum knows of its own function, and how that is told to its node."""
