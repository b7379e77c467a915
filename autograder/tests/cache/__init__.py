"""What is kept of the judge's answers, and when it no longer counts."""
