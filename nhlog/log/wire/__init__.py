"""Encoding and decoding of a log's bytes: header, lines of the body, blobs in them, and splitting bytes into lines.

Values only, no I/O: must not import what opens or locks files, nor anything else of `nhlog.log`.
"""
