"""The table of results and of trials: filtered, grouped, sorted, copied."""
