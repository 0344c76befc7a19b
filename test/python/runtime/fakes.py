"""A CUDA driver that records its calls, tensors without memory, a manifest."""

import copy
import ctypes


class Function:
    """A function of the driver's library; `status` is what it returns."""

    def __init__(self, library, name):
        self.library, self.name, self.status = library, name, 0

    def __call__(self, *arguments):
        self.library.calls.append((self.name, arguments))
        if self.status == 0:
            self.library.answer(self.name, arguments)
        return self.status


class Library:
    """libcuda with devices of one kind; handles are numbers."""

    def __init__(self, capability=(9, 0), multiprocessors=132, without=()):
        self.attributes = {75: capability[0], 76: capability[1], 16: multiprocessors}
        self.calls, self.functions, self.without = [], {}, without
        self.handles = 1000
        self.maps = []

    def __getattr__(self, name):
        if name.startswith("__") or name in self.without:
            raise AttributeError(name)
        return self.functions.setdefault(name, Function(self, name))

    def named(self, name):
        return [arguments for called, arguments in self.calls if called == name]

    def answer(self, name, arguments):
        if name == "cuDeviceGetAttribute":
            arguments[0]._obj.value = self.attributes[arguments[1]]
        elif name == "cuDeviceGet":
            arguments[0]._obj.value = arguments[1]
        elif name in ("cuGetErrorName", "cuGetErrorString"):
            texts = {"cuGetErrorName": b"CUDA_ERROR_X", "cuGetErrorString": b"it broke"}
            arguments[1]._obj.value = texts[name]
        elif name == "cuTensorMapEncodeTiled":
            self.maps.append(describe_map(arguments))
            ctypes.memset(arguments[0], 0xAB, 128)
        elif name in ("cuModuleLoadData", "cuModuleGetFunction"):
            self.handles += 1
            arguments[0]._obj.value = self.handles
        elif name == "cuDevicePrimaryCtxRetain":
            arguments[0]._obj.value = 500 + arguments[1]

    def launches(self):
        """Of each launch: function, grid, block, shared bytes, stream."""
        return [
            (a[0], a[1:4], a[4:7], a[7], a[8]) for a in self.named("cuLaunchKernel")
        ]


def describe_map(arguments):
    rank = arguments[2]
    names = ("type", "rank", "address", "extents", "strides", "box", "steps")
    values = [list(a) if hasattr(a, "__len__") else a for a in arguments[1:8]]
    settings = ("interleave", "swizzle", "promotion", "fill")
    assert arguments[0] % 64 == 0 and rank in (2, 3)
    return dict(zip(names + settings, values + list(arguments[8:12])))


def parameter(launch, position, c_type):
    """The value that a kernel gets for a parameter."""
    return c_type.from_address(launch[9][position]).value


class Device:
    def __init__(self, name):
        self._name = name
        self.type, _, index = name.partition(":")
        self.index = int(index or 0)

    def __str__(self):
        return self._name


class Tensor:
    """What the package uses of a tensor of PyTorch."""

    SIZES = {"float32": 4, "bfloat16": 2, "float16": 2, "int32": 4, "complex64": 8}

    def __init__(self, dtype, shape, strides=None, address=1 << 20, device="cuda:0"):
        self.dtype, self.shape = f"torch.{dtype}", tuple(shape)
        self.device = Device(device)
        self._size, self._address = self.SIZES.get(dtype, 1), address
        self._strides = strides or self._row_major()

    def _row_major(self):
        strides, stride = [], 1
        for extent in reversed(self.shape):
            strides.insert(0, stride)
            stride *= extent
        return tuple(strides)

    def data_ptr(self):
        return self._address

    def stride(self):
        return self._strides

    def element_size(self):
        return self._size


class Interface:
    """An array that has only __cuda_array_interface__."""

    def __init__(self, typestr, shape, address=1 << 20, read_only=False, **more):
        self.__cuda_array_interface__ = {
            "typestr": typestr,
            "shape": shape,
            "data": (address, read_only),
            "version": 3,
            **more,
        }


def operand(name, element_type, shape, scale=None, written=False):
    return {
        "name": name,
        "kind": "operand",
        "type": "address",
        "element_type": element_type,
        "shape": shape,
        "scale": scale,
        "written": written,
    }


def extent(name):
    return {"name": name, "kind": "extent", "type": "i32"}


def pitch(name, unit):
    return {
        "name": f"{name}_pitch",
        "kind": "pitch",
        "type": "i64",
        "operand": name,
        "unit_bytes": unit,
    }


def tensor_map(name, element_type, box, swizzle=128):
    return {
        "name": f"{name}_map",
        "kind": "tensor_map",
        "type": "tensor_map",
        "operand": name,
        "element_type": element_type,
        "box": box,
        "swizzle_bytes": swizzle,
    }


SOURCE = {"op": "lpgemm.matmul", "function": "f", "location": "f.mlir:1:1"}


def kernel(name="f_kernel", **fields):
    """Of a product with scales of blocks, unless fields say something else."""
    result = {
        "name": name,
        "arguments": [
            operand("lhs", "f8E4M3FN", ["M", "K"]),
            operand("rhs", "f8E4M3FN", ["N", "K"]),
            operand("lhs_scale", "f32", ["M", "ceil(K / 128)"]),
            operand("rhs_scale", "f32", ["ceil(N / 128)", "ceil(K / 128)"]),
            operand("init", "bf16", ["M", "N"], written=True),
            *map(extent, "MNK"),
            pitch("lhs", 1),
            pitch("init", 2),
            tensor_map("lhs", "f8E4M3FN", [128, 64]),
            tensor_map("init", "bf16", [64, 16]),
        ],
        "grid": ["2 * ceil(M / 256) * ceil(N / 128)", "1", "1"],
        "block": [384, 1, 1],
        "cluster": [2, 1, 1],
        "persistent": True,
        "dynamic_shared_memory_bytes": 200000,
        "checks": [
            {"value": "M", "at_most": 100000, "unless": None},
            {"value": "lhs_pitch", "at_most": 65536, "unless": "M <= 1"},
        ],
        "source": SOURCE,
        "schedule": None,
        "resources": {
            "registers": 168,
            "spill_store_bytes": 0,
            "spill_load_bytes": 0,
            "stack_bytes": 0,
            "static_shared_memory_bytes": 0,
            "barriers": 2,
        },
    }
    result.update(fields)
    return result


def manifest(*kernels, **fields):
    kernels = kernels or (kernel(),)
    steps = [{"kind": "fill", "kernel": k["name"]} for k in kernels[:-1]]
    steps.append({"kind": "launch", "kernel": kernels[-1]["name"]})
    launch = {**SOURCE, "workspace_bytes": 0, "steps": steps}
    result = {
        "format_version": 3,
        "tool": "lpgemm-compile",
        "tool_version": "1.0",
        "llvm_version": "22.1",
        "chip": "sm_90a",
        "emit": "binary",
        "kernels": list(kernels),
        "launches": [launch],
    }
    result.update(fields)
    return copy.deepcopy(result)


def operands(m=300, n=200, k=256, **replaced):
    blocks = -(-k // 128)
    result = {
        "lhs": Tensor("float8_e4m3fn", (m, k), address=0x10000000),
        "rhs": Tensor("float8_e4m3fn", (n, k), address=0x20000000),
        "lhs_scale": Tensor("float32", (m, blocks), address=0x30000000),
        "rhs_scale": Tensor("float32", (-(-n // 128), blocks), address=0x40000000),
        "init": Tensor("bfloat16", (m, n), address=0x50000000),
    }
    result.update(replaced)
    return result
