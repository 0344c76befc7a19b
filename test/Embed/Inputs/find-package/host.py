# Compiles a module in a Python program.

import pathlib
import sys

import lpgemm

try:
    source = pathlib.Path(sys.argv[1]).read_text()
    artifact = lpgemm.compile(source, chip="gfx950", emit="isa")
except lpgemm.CompileError as error:
    for diagnostic in error.diagnostics:
        print(diagnostic.line, diagnostic.message, *diagnostic.notes, file=sys.stderr)
    sys.exit(error.reason)
print(artifact.text, end="")
