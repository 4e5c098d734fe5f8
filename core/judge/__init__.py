"""What results say: statistics, scaling, causes, comparisons, advice."""
