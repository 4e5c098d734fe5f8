"""The other ends of transfers, looked at by clients of our own."""
