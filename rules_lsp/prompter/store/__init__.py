"""What outlives a process: snapshots, counters, approvals (SQLite), and the audit (JSON lines)."""
