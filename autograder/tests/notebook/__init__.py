"""The notebook as students have it in JupyterLab, in a real browser."""
