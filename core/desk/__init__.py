"""What a person does: prepare, look before the start, compare, take the next step."""
