"""The kinds of work that Sluice measures: one folder each, found by `core.vocabulary.registry`."""
