"""Finished games in a store of objects: S3 or any other that fsspec knows, read by ranges and given back byte for byte.

`wire` has the layout, `reading` one archived file, `writing` puts one there, `catalogue` lists all.  Must not
import `terminal`.
"""
