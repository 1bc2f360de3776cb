"""What the search by values and derivatives is put together from."""
