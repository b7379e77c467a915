"""The formgrader in JupyterLab, as a TA meets it: a real server, a real Chromium."""
