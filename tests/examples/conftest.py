"""The packages' own tests need the packages: `test_examples` installs them, and runs these tests."""

collect_ignore_glob = ["*/tests/*"]
