"""A search from Python that is kept in a file, and goes on where it stood."""
