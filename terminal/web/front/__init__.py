"""The first page: all games and recordings, and small pictures of the games that are played.

`lobby` sends rows and pictures to all who have the page open, `glances` has the pictures made.  Must not
import a format.
"""
