"""The views of a run: the card, the tabs, and actions on their plots."""
