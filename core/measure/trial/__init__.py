"""One trial: a parent, its child processes, and what they share."""
