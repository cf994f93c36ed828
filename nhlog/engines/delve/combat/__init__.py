"""Damage: blows, missiles and their effects, and death.

Must not import `monsters`, `hero` or anything above them: decisions are made there.
"""
