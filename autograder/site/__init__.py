"""The course as a static site: JupyterLite with the released parts, for students who can install nothing.

build.py makes it; pieces.py fetches what it consists of from the package registries; interpreter.py puts the browser's
Python together; start_page.py writes our own page. Nothing here may take a file from anywhere but release/.
"""

from autograder.site.build import Site, build_site

__all__ = ["Site", "build_site"]
