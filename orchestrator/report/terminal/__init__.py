"""A run on the screen of a terminal."""
