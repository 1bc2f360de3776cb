"""The scheduler, a pure state machine: an event goes in, commands come out."""
