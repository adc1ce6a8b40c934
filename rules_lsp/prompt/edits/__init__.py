"""Structured edits: checked by rule and text, made all or not at all, recovered after a crash."""
