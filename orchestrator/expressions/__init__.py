"""What a person writes of parameters and outcomes: arithmetic, inequalities, conditions. Never executed."""
