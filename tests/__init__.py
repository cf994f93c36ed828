"""Tests mirror the tree; `corpus` finds the recordings that are too large to ship."""
