"""What results, and points that a run starts from, have to be, whoever brings them."""
