"""The command line, a module a verb; it stands on the public stages and nothing stands on it."""
