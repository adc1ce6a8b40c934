"""The checks of what an agent is told, each one file: instructions, projects of Agent Zero, personas."""
