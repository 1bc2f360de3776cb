"""Single values, as people, files and other libraries give them: which are numbers, and which the same."""
