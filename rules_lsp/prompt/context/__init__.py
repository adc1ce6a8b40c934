"""Which files a prompt takes in: those to change, those to know, and those that come along by themselves."""
