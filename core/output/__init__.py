"""Results told to others: the card's text, reports, exports, imports of what was written before."""
