"""Text output: values, records and save diffs as text, for people who read a verb's output.

`words` formats single values, `records.text_output` whole records.  Prints nothing; must not import views or anything
above them.
"""
