"""Personas: templates of prompts in JSON, with what a model is told and the form of its answer."""
