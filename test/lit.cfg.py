import os
import subprocess

import lit.formats
from lit.llvm import llvm_config

config.name = "LPGEMM"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lpgemm_obj_root, "test")

llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.add_tool_substitutions(
    ["lpgemm-opt", "lpgemm-quantize"], [config.lpgemm_tools_dir, config.llvm_tools_dir]
)

# The Python of the tests sees the package in python/. In front, to come before
# lit's own %python.
config.substitutions.insert(0, ("%python", config.python_executable))
llvm_config.with_environment(
    "PYTHONPATH", os.path.join(config.lpgemm_src_root, "python"), append_path=True
)
llvm_config.with_environment("PYTHONDONTWRITEBYTECODE", "1")
has_numpy = [config.python_executable, "-c", "import numpy"]
if subprocess.run(has_numpy, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("numpy")
