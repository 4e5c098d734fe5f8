"""What the floors above use of this one: the one list of it."""
