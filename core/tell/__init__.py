"""Output: the card's text, reports, exports, and imports of exported results."""
