"""The bank of mistakes: wrong engines by the belief behind them, what the judge sees of each, and the gate."""
