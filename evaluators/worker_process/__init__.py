"""What a worker is made of: it speaks with the orchestrator, and has child processes evaluate."""
