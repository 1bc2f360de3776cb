"""What the safe search of `auto` is put together from."""
