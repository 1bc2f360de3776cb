"""Units in which a function's values are learned: standardised, and warped where tails are heavy."""
