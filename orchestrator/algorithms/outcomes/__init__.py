"""What is believed of outcomes, and of what is asked of them, in searches without `auto`'s mixture."""
