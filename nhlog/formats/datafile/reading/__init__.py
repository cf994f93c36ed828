"""Reading of datafiles and the maps in them: `datafile` opens the container, `map` interprets its items.

Must not import `writing`, `operations` or `replay`.
"""
