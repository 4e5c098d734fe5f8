"""What everything in the window looks like."""
