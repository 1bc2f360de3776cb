"""The file that a search from Python is kept in: what it holds, and how it is written and read."""
