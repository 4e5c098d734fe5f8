"""What is shown: the command line, the card, tables, reports, exports and imports, the guide."""
