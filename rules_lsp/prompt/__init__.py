"""What an agent reads, and the edits that it hands back."""
