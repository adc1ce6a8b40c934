"""What checks share: their frame, what they see of a project, and the edits that repair a fault."""
