"""What models of results say: which parameters matter, how far settings may be off, what to expect."""
