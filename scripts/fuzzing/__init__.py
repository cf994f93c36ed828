"""The structure-aware fuzzer behind `scripts/fuzz`: samples, taken apart, made hostile, put together, looked at.

`mutants` makes hostile recordings, one module a format; `look` does with one all that can be done and says what does
not hold; `workers` bounds memory and CPU of each case; `cases` names, keeps and minimises those that fail.  Nothing in
the project imports it but its tests.
"""
