"""The kit's own tests, in folders that mirror the package."""
