"""Readers of bytes that are no recordings: a module each, with `mutant`, `act`, and the rules of its own."""
