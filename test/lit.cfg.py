import os
import subprocess

import lit.formats
import lit.util
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "LPGEMM"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lpgemm_obj_root, "test")

llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.lpgemm_tools_dir, append_path=True)

# LPGEMM_VERIFY_ROUNDTRIP=1: every lpgemm-opt of every test also prints what it
# parsed, as text and as bytecode, and compares.
extra_args = {}
if os.environ.get("LPGEMM_VERIFY_ROUNDTRIP"):
    extra_args["lpgemm-opt"] = ["--verify-roundtrip"]
test_programs = ["lpgemm-emulate-test"]
test_programs += ["lpgemm-capi-compile-test", "lpgemm-capi-dialect-test"]
llvm_config.add_tool_substitutions(
    [
        ToolSubst(name, extra_args=extra_args.get(name, []), unresolved="ignore")
        for name in config.lpgemm_tools + test_programs
    ],
    [config.lpgemm_tools_dir],
)

launcher = f" -DCMAKE_CXX_COMPILER_LAUNCHER='{config.cxx_launcher}'"
config.substitutions += [
    ("%lpgemm_src", config.lpgemm_src_root),
    ("%lpgemm_obj", config.lpgemm_obj_root),
    ("%lpgemm_plugin", os.path.join(config.lpgemm_lib_dir, "LPGEMMPlugin.so")),
    ("%lpgemm_capi", os.path.join(config.lpgemm_lib_dir, "libLPGEMM-C.so")),
    ("%cc", config.c_compiler),
    ("%stock_mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%mlir_tblgen", os.path.join(config.llvm_tools_dir, "mlir-tblgen")),
    ("%mlir_include", config.mlir_include_dir),
    # Configures a consumer project with the compiler of this build.
    (
        "%cmake_consumer",
        f"{config.cmake} -G Ninja -DCMAKE_BUILD_TYPE=Release"
        f" -DCMAKE_CXX_COMPILER={config.cxx_compiler}"
        + (launcher if config.cxx_launcher else ""),
    ),
    ("%cmake", config.cmake),
]
# ccache keeps its files below HOME, which lit does not pass on.
llvm_config.with_system_environment(["HOME", "CCACHE_DIR"])

# What a machine may lack; a test that REQUIRES it is then reported as skipped.
for program in ["clang-format-22", "ld.lld", "ninja", "ptxas"]:
    if lit.util.which(program, config.environment["PATH"]):
        config.available_features.add(program)
llvm_config.feature_config(
    [("--targets-built", {"AMDGPU": "amdgpu-registered-target"})]
)
if config.lpgemm_link_mlir_dylib:
    config.available_features.add("mlir-dylib")
# Code with sanitizers cannot be loaded into, or linked to, code without.
if config.sanitizer:
    config.available_features.add("sanitizer")
    # libMLIR has no sanitizers: it does not unpoison what inlined headers of the
    # project poisoned in its allocators. Programs of the tests free nothing.
    # Reports go to a file, for there is a warning at the end of each fiber of the
    # emulator, on a stack that is not the thread's; an error still ends the tool.
    log = os.path.join(config.lpgemm_obj_root, "test", "asan.log")
    config.environment["ASAN_OPTIONS"] = (
        f"allow_user_poisoning=0:detect_leaks=0:log_path={log}"
    )

# The Python of the tests sees the package in python/. In front, to come before
# lit's own %python.
config.substitutions.insert(0, ("%python", config.python_executable))
llvm_config.with_environment(
    "PYTHONPATH", os.path.join(config.lpgemm_src_root, "python"), append_path=True
)
llvm_config.with_environment("PYTHONDONTWRITEBYTECODE", "1")
llvm_config.with_environment(
    "LPGEMM_LIBRARY", os.path.join(config.lpgemm_lib_dir, "libLPGEMM-C.so")
)
# A GPU that runs kernels for sm_90a: compute capability 9.0.
find_gpu = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
major, minor = ctypes.c_int(), ctypes.c_int()
assert cuda.cuInit(0) == 0
assert cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, 0) == 0
assert cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, 0) == 0
assert (major.value, minor.value) == (9, 0)
"""
has_gpu = [config.python_executable, "-c", find_gpu]
if subprocess.run(has_gpu, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("hopper-gpu")
has_numpy = [config.python_executable, "-c", "import numpy"]
if subprocess.run(has_numpy, stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("numpy")
