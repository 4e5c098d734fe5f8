"""Throw-away servers on loopback, for stores that have none here.

A recipe (`core.lab.recipe`) says what is fetched, how it is built and how it is started; the rest
of the room carries that out.  One file per server stands in `core/lab/servers`.
"""
