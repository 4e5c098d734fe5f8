"""What is said to people: quantities, translation, text from outside."""
