"""The doors for agents: the Python API, and what other programs obey."""
