"""What others write beside a recording while they watch it: the mail to its player, and the talk of them all.

Modules: `file` (a file beside a recording), `mail`, `talk`.  Must not import what reads recordings.
"""
