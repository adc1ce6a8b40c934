"""What an editor shows at a cursor or on a file: plain data with spans, no type of any protocol."""
