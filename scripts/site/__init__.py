"""The documents as a site: `pages` puts the pages together, `conf` says how Sphinx shows them.

Nothing of it is kept: the pages of verbs come from their help, those of the library from its docstrings, the beginning
from the README.
"""
