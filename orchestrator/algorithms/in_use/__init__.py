"""What the search of `auto` for a design that is good over what varies in use is put together from."""
