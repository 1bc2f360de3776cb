"""What each event does to the state, and the commands that it gives: the parts of the machine."""
