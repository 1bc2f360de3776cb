"""What the search of `auto` for the best settings of each condition is put together from."""
