"""Evaluates the host code of a lowered module: what it launches, and which of
its assertions fail, for given operands."""

import re


class Operand:
    """A memref."""

    def __init__(self, sizes, strides, base, offset):
        self.sizes = sizes
        self.strides = strides
        self.base = base
        self.offset = offset


def ceildiv(x, y):
    return -(-x // y)


BINARY = {
    "arith.addi": lambda x, y: x + y,
    "arith.muli": lambda x, y: x * y,
    "arith.ori": lambda x, y: x | y,
    "arith.divui": lambda x, y: x // y,
    "arith.ceildivui": ceildiv,
    "arith.minui": min,
}
COMPARE = {
    "eq": lambda x, y: x == y,
    "ule": lambda x, y: x <= y,
    "ugt": lambda x, y: x > y,
}
# The value of the operand as it is.
COPIES = ("arith.index_cast", "llvm.inttoptr")


class Launch:
    def __init__(self, kernel, grid, block, arguments, types):
        self.kernel = kernel
        self.grid = grid
        self.block = block
        self.arguments = arguments
        self.types = types


class HostModel:
    """Runs @function of `text`, as --emit=mlir prints it. A failed assertion
    does not end it. An argument is an Operand or a number."""

    def __init__(self, text, function, arguments):
        body = re.search(rf"func\.func @{function}\((.*?)\n  }}", text, flags=re.S).group(1)
        self.values = {f"%arg{i}": a for i, a in enumerate(arguments)}
        self.launches = []
        self.failures = []
        for line in body.splitlines()[1:]:
            self.step(line.strip())

    def get(self, names):
        return [self.values[name] for name in re.findall(r"%[\w#]+", names)]

    def step(self, line):
        result, _, rest = line.rpartition(" = ") if line.startswith("%") else ("", "", line)
        op, _, operands = rest.partition(" ")
        operands = operands.split(" : ")[0] if op != "gpu.launch_func" else operands
        if op == "arith.constant":
            self.values[result] = int(operands)
        elif op == "arith.cmpi":
            predicate, _, operands = operands.partition(",")
            self.values[result] = COMPARE[predicate](*self.get(operands))
        elif op in BINARY:
            self.values[result] = BINARY[op](*self.get(operands))
        elif op in COPIES:
            (self.values[result],) = self.get(operands)
        elif op == "memref.dim":
            operand, dim = self.get(operands)
            self.values[result] = operand.sizes[dim]
        elif op == "memref.extract_aligned_pointer_as_index":
            self.values[result] = self.get(operands)[0].base
        elif op == "memref.extract_strided_metadata":
            self.extract(result, self.get(operands)[0])
        elif op == "cf.assert":
            if not self.get(operands)[0]:
                self.failures.append(re.search('"(.*)"', operands).group(1))
        elif op == "gpu.launch_func":
            self.launch(operands)
        elif op not in ("scf.if", "return", "}"):
            raise ValueError(f"no model of: {line}")

    def extract(self, result, operand):
        _, offset, *parts = (r.split(":")[0].strip() for r in result.split(","))
        self.values[offset] = operand.offset
        for name, values in zip(parts, (operand.sizes, operand.strides)):
            self.values[name] = values[0]
            self.values.update({f"{name}#{i}": v for i, v in enumerate(values)})

    def launch(self, text):
        kernel, grid, block, arguments = re.match(
            r"\s*@\w+::@(\w+) blocks in \((.*?)\) threads in \((.*?)\)\s+args\((.*)\)", text
        ).groups()
        types = re.findall(r" : ([^,]+)", arguments)
        self.launches.append(
            Launch(kernel, self.get(grid), self.get(block), self.get(arguments), types)
        )
