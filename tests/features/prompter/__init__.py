"""What an editor shows of the rules of Auto Prompter."""
