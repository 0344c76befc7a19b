"""Checks that each key of a manifest has a row in a table of a document.

usage: check_keys.py MANIFEST DOCUMENT
"""

import json
import pathlib
import re
import sys


def collect_keys(value):
    if isinstance(value, list):
        return set().union(*map(collect_keys, value))
    if isinstance(value, dict):
        return set(value).union(*map(collect_keys, value.values()))
    return set()


manifest, document = (pathlib.Path(path).read_text() for path in sys.argv[1:])
rows = re.findall(r"^\| ((?:`\w+`,? ?)+)\|", document, flags=re.M)
described = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
missing = collect_keys(json.loads(manifest)) - described
if missing:
    sys.exit(f"not described: {sorted(missing)}")
