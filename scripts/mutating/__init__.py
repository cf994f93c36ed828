"""The tester of tests behind `scripts/mutate`: one small change in a source file, and do the tests notice?

`changes` makes the changes, `trees` the copy of the project that they are made in, and finds the tests of a module;
`sessions` runs tests there, and `plugin` is what it gives to their pytest.  Nobody's own files are touched.

What it proves: a change that survives is a behaviour that the tests which ran do not hold.  What it does not: that
anybody should hold it (some changes only make the same slower, or change what cannot be seen at all), that no other
test does (`--tests` gives more of them a try), or that a module without survivors is right: tests that hold what the
code does hold its mistakes, too, and a change of one place is the smallest part of what can be wrong.
"""
