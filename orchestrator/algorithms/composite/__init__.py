"""What the search is put together from whose objective is a known function of outcomes."""
