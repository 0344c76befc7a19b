"""Holds a document against what the tools do.

usage: check_document.py DOCUMENT ROOT FILES...

The program behind a link to it is that program; the commands of all sessions,
run in a folder with FILES, print what the document says; and each row of the
table of what works, with links from ROOT, does what its cells say.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# The columns of the table that are chips.
CHIPS = ["gfx942", "gfx950", "sm_80", "sm_89", "sm_90a"]


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


def parse_table(text):
    """The rows of the table under "What works", by the names of its columns."""
    lines = re.search(r"## What works\n\n((?:\|.*\n)+)", text).group(1).splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[2:]]


def get_emission(chip):
    """What a row is compiled to: a binary, or what one is made of."""
    can_assemble = shutil.which("ptxas") or pathlib.Path("/usr/local/cuda/bin/ptxas").exists()
    return "isa" if chip.startswith("sm_") and not can_assemble else "binary"


def check_row(row, root):
    """A row does what its cells say with the program that it links to."""
    program = root / re.search(r"\((.*)\)", row["program"]).group(1)
    # The first line of a program says how to run it.
    options = program.read_text().splitlines()[0].split()[2:]
    with tempfile.TemporaryDirectory() as folder:
        run = ["lpgemm-run", program, *options]
        compile = ["lpgemm-compile", program, "-o", f"{folder}/out"]
        commands = [("reference", run + ["--device=reference"])]
        for chip in CHIPS:
            on = [f"--chip={chip}"]
            commands += [
                (chip, compile + on + [f"--emit={get_emission(chip)}"]),
                (chip, run + on + ["--device=emulate", "--compare=reference"]),
            ]
        for column, command in commands:
            ok, output = call(command, folder)
            # A refusal is an error at a place in the program.
            refused = re.search(rf"{program.name}:\d+:\d+: error: ", output)
            outcome = "yes" if ok else "refused" if refused else "broken"
            if outcome != row[column]:
                yield f"{row}: {column} says {row[column]}, but {command} printed:\n{output}"


def check_sessions(text, folder):
    """All blocks that begin with a `$ command`."""
    errors = []
    for block in re.findall(r"```\n(\$ .*?)```", text, flags=re.S):
        errors += check_session(block, folder)
    return errors


def main():
    document, root = (pathlib.Path(p) for p in sys.argv[1:3])
    text = document.read_text()
    errors = []
    for name, program in re.findall(r"\[`[\w-]+\.mlir`\]\((.*?)\).*?```mlir\n(.*?)```", text, flags=re.S):
        if (document.parent / name).read_text() != program:
            errors.append(f"the program shown is not {name}")
    with tempfile.TemporaryDirectory() as folder:
        for source in sys.argv[3:]:
            shutil.copy(source, folder)
        errors += check_sessions(text, pathlib.Path(folder))
    rows = parse_table(text) if "## What works" in text else []
    for row in rows:
        errors += check_row(row, root)
    for error in errors:
        print(f"{document.name}: {error}", file=sys.stderr)
    sessions = len(re.findall(r"^\$ ", text, flags=re.M))
    print(f"{sessions} commands and {len(rows)} rows checked")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
