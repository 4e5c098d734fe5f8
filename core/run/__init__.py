"""Carries out what was asked for: requests, plans, searches, recording."""
