"""What an evaluation process is made of: it loads an evaluator, calls it, and reads what that returns."""
