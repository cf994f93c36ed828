"""What is kept of a log in the user's cache: the index of its lines, and saves on the way.

Disposable, and never trusted further than it fits the log.  Imported by who has a log that is worth it.
"""
