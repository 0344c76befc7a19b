"""Compares the programs that a document shows with the files that it links to.

usage: check_programs.py DOCUMENT

A link `[`name`](path)` and a block behind it belong together. The comment at the
head of a file is not shown. Prints the names of the programs.
"""

import pathlib
import re
import sys


def main():
    document = pathlib.Path(sys.argv[1])
    pairs = re.findall(
        r"\[`[^`]+`\]\(([^)]+)\)[^`]*```\w+\n(.*?)```", document.read_text(), flags=re.S
    )
    for path, shown in pairs:
        text = (document.parent / path).read_text()
        if shown != re.sub(r"\A(?:(?://|#).*\n)+\n*", "", text):
            sys.exit(f"{document.name}: the program shown is not {path}")
        print(pathlib.Path(path).name)


if __name__ == "__main__":
    main()
