"""The node agent: one process a machine, which runs the workers of its platform. Python's standard library only."""
