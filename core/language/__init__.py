"""Text for people: quantities, translation, text from outside."""
