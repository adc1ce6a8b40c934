"""Structured edits: checked by rule and text, made all or not at all, ended after a crash.

`checking.check_edits`, `applying.apply_structured_edits` and `recovering.recover_structured_edits` are the doors.
"""
