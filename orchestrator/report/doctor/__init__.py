"""What can run on this machine, and what the rest lacks."""
