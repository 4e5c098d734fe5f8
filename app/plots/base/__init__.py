"""What all plots are made of."""
