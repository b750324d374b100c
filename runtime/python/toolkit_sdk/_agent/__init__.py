"""The node agent: one process per machine, which runs the platform's workers there. Uses only the standard library."""
