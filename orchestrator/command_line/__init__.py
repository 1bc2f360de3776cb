"""The commands of `orchestrator`: their options, what each does, and their exit codes."""
