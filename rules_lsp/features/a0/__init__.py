"""What an editor shows of the files of an Agent Zero project: a room for each of them."""
