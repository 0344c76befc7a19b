"""Makes a folder in which ROCm's linker is LLVM's.

usage: make_toolkit.py FOLDER
"""

import pathlib
import shutil
import sys

folder = pathlib.Path(sys.argv[1], "llvm", "bin")
folder.mkdir(parents=True, exist_ok=True)
(folder / "ld.lld").symlink_to(shutil.which("ld.lld"))
