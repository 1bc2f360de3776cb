"""What is to be seen of a run at a moment, as plain values, whoever draws or writes them."""
