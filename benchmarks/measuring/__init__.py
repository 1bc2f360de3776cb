"""By which clock, in which process and on which machine a measurement is made."""
