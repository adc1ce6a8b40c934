"""A model that says what a script tells it: it speaks as Anthropic's, OpenAI's and Google's do, on loopback alone."""
