"""Prints the assembly of the first gpu.object in the module on stdin."""

import re
import sys

match = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', sys.stdin.read())
text = re.sub(
    r"\\(?:([0-9A-Fa-f]{2})|(.))",
    lambda m: chr(int(m[1], 16)) if m[1] else {"n": "\n", "t": "\t"}.get(m[2], m[2]),
    match[1],
)
print(text.rstrip("\0"))
