"""The checks of `.auto-prompter.yaml` alone, each one file."""
