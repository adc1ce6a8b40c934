"""Auto Prompter: rules that act while an agent works. `rules_lsp.prompter.gate.PolicyGate` is the door."""
