# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver, through ctypes. It is loaded by the first Driver."""

import contextlib
import ctypes
import functools

LIBRARY = "libcuda.so.1"

Handle = ctypes.c_void_p
Int = ctypes.c_int
UInt = ctypes.c_uint
Pointer = ctypes.POINTER

# The arguments of each function (CUDA driver API); all return a CUresult.
SIGNATURES = {
    "cuInit": (UInt,),
    "cuGetErrorName": (Int, Pointer(ctypes.c_char_p)),
    "cuGetErrorString": (Int, Pointer(ctypes.c_char_p)),
    "cuDeviceGet": (Pointer(Int), Int),
    "cuDeviceGetAttribute": (Pointer(Int), Int, Int),
    "cuDevicePrimaryCtxRetain": (Pointer(Handle), Int),
    "cuCtxGetCurrent": (Pointer(Handle),),
    "cuCtxGetDevice": (Pointer(Int),),
    "cuCtxPushCurrent_v2": (Handle,),
    "cuCtxPopCurrent_v2": (Pointer(Handle),),
    "cuModuleLoadData": (Pointer(Handle), ctypes.c_char_p),
    "cuModuleGetFunction": (Pointer(Handle), Handle, ctypes.c_char_p),
    "cuFuncSetAttribute": (Handle, Int, Int),
    "cuLaunchKernel": (Handle, *(UInt,) * 7, Handle, Pointer(Handle), Pointer(Handle)),
    "cuTensorMapEncodeTiled": (
        Handle,
        Int,
        UInt,
        Handle,
        Pointer(ctypes.c_uint64),
        Pointer(ctypes.c_uint64),
        Pointer(ctypes.c_uint32),
        Pointer(ctypes.c_uint32),
        *(Int,) * 4,
    ),
}

# CUdevice_attribute.
MULTIPROCESSOR_COUNT = 16
COMPUTE_CAPABILITY_MAJOR = 75
COMPUTE_CAPABILITY_MINOR = 76
# CUfunction_attribute.
MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
# CUtensorMapInterleave, CUtensorMapL2promotion, CUtensorMapFloatOOBfill.
INTERLEAVE_NONE = 0
L2_PROMOTION_128B = 2
FILL_ZEROS = 0


class DriverError(RuntimeError):
    """A call of the driver that failed: its name, and what it returned."""

    def __init__(self, call, text, name=None):
        super().__init__(f"{call}: {text}")
        self.call, self.name = call, name


def _open_library():
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise DriverError("cannot load the CUDA driver", str(error)) from None


class Driver:
    """Functions of the driver. A failure is a DriverError."""

    def __init__(self, library=None):
        self._library = _open_library() if library is None else library
        for name, arguments in SIGNATURES.items():
            function = self._find(name)
            function.restype, function.argtypes = Int, arguments
        self._launch = self._find("cuLaunchKernel")
        self._contexts = {}
        self.call("cuInit", 0)

    def _find(self, name):
        try:
            return getattr(self._library, name)
        except AttributeError:
            raise DriverError(name, "the CUDA driver is too old") from None

    def call(self, name, *arguments):
        status = self._find(name)(*arguments)
        if status:
            self._fail(name, status)

    def _fail(self, call, status):
        texts = []
        for query in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            known = self._find(query)(status, ctypes.byref(text)) == 0
            texts.append(text.value.decode() if known and text.value else None)
        name, description = texts
        text = f"{name}: {description}" if name else f"unknown error {status}"
        raise DriverError(call, text, name)

    def _query(self, result, name, *arguments):
        self.call(name, ctypes.byref(result), *arguments)
        return result.value

    def current_device(self):
        """The ordinal of the current context's device; 0 without a context."""
        if not self._query(Handle(), "cuCtxGetCurrent"):
            return 0
        return self._query(Int(), "cuCtxGetDevice")

    def attribute(self, ordinal, attribute):
        device = self._query(Int(), "cuDeviceGet", ordinal)
        return self._query(Int(), "cuDeviceGetAttribute", attribute, device)

    def context(self, ordinal):
        """The primary context of a device, which others in the process share."""
        if ordinal not in self._contexts:
            device = self._query(Int(), "cuDeviceGet", ordinal)
            context = self._query(Handle(), "cuDevicePrimaryCtxRetain", device)
            self._contexts[ordinal] = context
        return self._contexts[ordinal]

    @contextlib.contextmanager
    def current(self, context):
        self.call("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            self.call("cuCtxPopCurrent_v2", ctypes.byref(Handle()))

    def load_module(self, image):
        return self._query(Handle(), "cuModuleLoadData", image)

    def function(self, module, name):
        return self._query(Handle(), "cuModuleGetFunction", module, name.encode())

    def set_dynamic_shared_memory(self, function, size):
        self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED_SIZE_BYTES, size)

    def encode_tensor_map(
        self, block, data_type, address, extents, strides, box, swizzle
    ):
        """Writes a tensor map at `block`, 128 bytes aligned to 64."""
        rank = len(extents)
        self.call(
            "cuTensorMapEncodeTiled",
            block,
            data_type,
            rank,
            address,
            (ctypes.c_uint64 * rank)(*extents),
            (ctypes.c_uint64 * (rank - 1))(*strides),
            (ctypes.c_uint32 * rank)(*box),
            (ctypes.c_uint32 * rank)(*[1] * rank),
            INTERLEAVE_NONE,
            swizzle,
            L2_PROMOTION_128B,
            FILL_ZEROS,
        )

    def launch(self, function, grid, block, shared_bytes, stream, parameters):
        """In the current context."""
        status = self._launch(
            function, *grid, *block, shared_bytes, stream, parameters, None
        )
        if status:
            self._fail("cuLaunchKernel", status)


@functools.lru_cache(maxsize=None)
def default():
    """The driver of this process."""
    return Driver()
