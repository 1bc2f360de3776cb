"""What workers and the orchestrator say to each other: messages, their bytes, addresses and keys."""
