"""The views of a run: the card, the tabs, what can be done with their plots."""
