"""Asking configured MCP servers for their tools, and what they said. Nobody is asked unless somebody wants it."""
