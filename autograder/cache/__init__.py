"""What the judge has said already: verdicts and single tests, kept under the hashes of all they were made of."""
