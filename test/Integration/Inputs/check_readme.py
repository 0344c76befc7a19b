"""Holds the README against what the tools do.

usage: check_readme.py README PROGRAM DATA

The program in the README is PROGRAM; the session in it, run in a folder with
the files of DATA, prints what it says; and each row of the table of what works
does what its cells say.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


def call(command, folder):
    """Whether a command succeeds, and what it prints."""
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode == 0, done.stdout


def check_session(block, folder):
    """Each `$ command` is followed by all that it prints."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        ok, output = call(shlex.split(command), folder)
        if not ok or output != expected:
            yield f"{command}\nexpected:\n{expected}\ngot:\n{output}"


def make_program(row, program):
    """The program with the types, storage and scales of a row of the table."""
    text = program.replace("%b: tensor<?x?xf8E4M3FN>", f"%b: tensor<?x?x{row['rhs']}>")
    text = text.replace(
        "ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)",
        f"ins(%a, %b : tensor<?x?x{row['lhs']}>, tensor<?x?x{row['rhs']}>)",
    )
    text = text.replace("%a: tensor<?x?xf8E4M3FN>", f"%a: tensor<?x?x{row['lhs']}>")
    text = text.replace("tensor<?x?xf32>", f"tensor<?x?x{row['result']}>")
    if row["rhs stored"] == "K x N":
        text = text.replace(" transpose_b", "")
    if row["scales"] == "none":
        text = re.sub(r" *[lr]hs_scale\(.*\n", "", text)
    return text


def parse_table(text):
    """The rows of the table under "What works", by the names of its columns."""
    lines = re.search(r"## What works\n\n((?:\|.*\n)+)", text).group(1).splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[2:]]


def check_row(row, program, folder):
    (folder / "row.mlir").write_text(make_program(row, program))
    run = ["lpgemm-run", "row.mlir", "--init=normal:1", "--size=5x7x40"]
    compile = ["lpgemm-compile", "row.mlir", "-o", "row.out"]
    for column, command in [
        ("reference", run + ["--device=reference"]),
        ("gfx950", compile + ["--chip=gfx950", "--emit=binary"]),
        ("gfx950", run + ["--chip=gfx950", "--device=emulate", "--compare=reference"]),
    ]:
        ok, output = call(command, folder)
        # A refusal is an error at a place in the program.
        refused = re.search(r"row.mlir:\d+:\d+: error: ", output)
        outcome = "yes" if ok else "refused" if refused else "broken"
        if outcome != row[column]:
            yield f"{row}: {column} says {row[column]}, but {command} printed:\n{output}"


def main():
    readme, program, data = (pathlib.Path(p) for p in sys.argv[1:])
    text, program_text = readme.read_text(), program.read_text()
    errors = []
    if f"```mlir\n{program_text}```" not in text:
        errors.append(f"the program in the README is not {program}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for source in [program, *data.glob("*.npy")]:
            shutil.copy(source, folder)
        block = re.search(r"```\n(\$ lpgemm-quantize.*?)```", text, flags=re.S).group(1)
        errors += check_session(block, folder)
        rows = parse_table(text)
        for row in rows:
            errors += check_row(row, program_text, folder)
    for error in errors:
        print(f"README: {error}", file=sys.stderr)
    print(f"{len(rows)} rows checked")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
