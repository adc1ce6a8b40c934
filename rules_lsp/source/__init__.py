"""Text with positions: YAML trees, Markdown sections, spans and edits. Knows nothing of rules."""
