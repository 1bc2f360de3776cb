"""From a journal back to a run, whatever happened to the file."""
