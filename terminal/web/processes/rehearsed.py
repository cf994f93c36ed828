"""Imported where processes of terminals are forked from: what an emulator looks up when it begins is there for all."""

from nhlog.emulator.worker import prepare

prepare()
