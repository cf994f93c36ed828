"""Reading datafiles and the maps in them: `datafile` opens the container, `map` gives its items their meaning.

Must not import `writing`, `operations` or `replay`.
"""
