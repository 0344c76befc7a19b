"""Holds the manifest of a program against its launches, its kernels, what the
assembly says of their resources, and what LLVM says of their occupancy.

usage: check_manifest.py PROGRAM FUNCTION SHAPES DOCUMENT [CHIP]

SHAPES has the extents of each argument of the function, such as "M,K N 1 f32"
or "batch_0,M,K 1,N"; B is ceil(K / 32), K4 and K6 the bytes of K packed
elements, XY the tiles of Y in X, 1 alone a single element in memory, f32 a
number. DOCUMENT is the text that explains each key.
"""

import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from host_model import HostModel, Operand

TYPES = {"address": "!llvm.ptr", "i32": "i32", "i64": "i64", "f32": "f32"}
BYTES = {"address": 8, "i32": 4, "i64": 8, "f32": 4}
PACKED_BITS = {"f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}
ELEMENT_BYTES = {"f8E4M3FN": 1, "f8E5M2": 1, "f8E8M0FNU": 1, "bf16": 2, "f16": 2, "f32": 4}
ELEMENT_BYTES.update(dict.fromkeys(PACKED_BITS, 1))
# Sections of the document that are not about chips of AMD.
OF_NVIDIA = ("A tensor map", "Resources of a chip of NVIDIA")
# Keys of the code object, in .amdgpu_metadata of the assembly.
RESOURCES = {
    "vector_registers": ".vgpr_count",
    "accumulation_registers": ".agpr_count",
    "scalar_registers": ".sgpr_count",
    "vector_spills": ".vgpr_spill_count",
    "scalar_spills": ".sgpr_spill_count",
    "shared_memory_bytes": ".group_segment_fixed_size",
    "scratch_bytes": ".private_segment_fixed_size",
    "wave_size": ".wavefront_size",
}


def compile(program, emit, chip, folder):
    """The artifact, as bytes, and its manifest."""
    output = pathlib.Path(folder) / emit
    command = ["lpgemm-compile", program, f"--emit={emit}", f"--chip={chip}"]
    command += ["-o", output, "--quiet"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return output.read_bytes(), json.loads(pathlib.Path(f"{output}.json").read_text())


def evaluate(text, values):
    return eval(text, {"ceil": math.ceil, "floor": math.floor}, values)


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: found {found}, expected {expected}")


def without_resources(manifest):
    kernels = [{**k, "resources": None} for k in manifest["kernels"]]
    return {**manifest, "kernels": kernels, "emit": None}


def check_signature(kernel, text):
    """The argument list and attributes of the lowered kernel."""
    arguments, attributes = re.search(
        rf"llvm\.func @{kernel['name']}\((.*?)\) attributes (.*)", text
    ).groups()
    types = re.findall(r"%\w+: ([^,]+)", arguments)
    expect("types", [TYPES[a["type"]] for a in kernel["arguments"]], types)
    block = re.search(r"known_block_size = array<i32: (.*?)>", attributes).group(1)
    expect("block", kernel["block"], [int(b) for b in block.split(",")])


def check_resources(kernel, isa):
    """The assembly, which has the same data as text."""
    entries = re.split(r"\n  - ", isa[isa.index("amdhsa.kernels:") :])
    (entry,) = [e for e in entries if re.search(rf"\.name: +{kernel['name']}\n", e)]

    def field(key):
        return int(re.search(rf"\{key}: +(\d+)", entry).group(1))

    for name, key in RESOURCES.items():
        expect(name, kernel["resources"][name], field(key))
    sizes = [int(s) for s in re.findall(r"\.size: +(\d+)", entry)]
    expect("sizes", [BYTES[a["type"]] for a in kernel["arguments"]], sizes)


def check_occupancy(kernels, chip, bitcode_text):
    """What LLVM's compiler writes into commented assembly."""
    command = ["llc", f"-mcpu={chip}", "-o", "-"]
    text = subprocess.run(command, input=bitcode_text, capture_output=True, check=True)
    lines = text.stdout.decode()
    expected = {}
    for name, occupancy in re.findall(
        r"\.amdhsa_kernel (\w+)\n.*?; Occupancy: (\d+)", lines, flags=re.S
    ):
        expected[name] = int(occupancy)
    found = {k["name"]: k["resources"]["occupancy"]["waves_per_simd"] for k in kernels}
    expect("occupancy", found, expected)


def draw_extents(kernels):
    """Small extents, and those at the limits of what the host checks."""
    limits = {c["value"]: c["at_most"] for k in kernels for c in k["checks"]}
    values = {}
    for name in [v for v in limits if re.fullmatch(r"[MNK]|batch_\d", v)]:
        limit = limits[name]
        values[name] = random.choice([0, 1, 2, random.randrange(1000), limit, limit + 1])
    if any(a.get("element_type") in PACKED_BITS for k in kernels for a in k["arguments"]):
        # Bytes do not tell an odd K.
        values["K"] -= values["K"] % 4
    values["B"] = -(-values["K"] // 32)
    values.update({f"K{bits}": values["K"] * bits // 8 for bits in (4, 6)})
    values.update({f"{x}{y}": -(-values[x] // y) for x in "MNB" for y in (4, 128)})
    values.update({str(x): x for x in (1, 4, 32)})
    return values


def is_batch(extent):
    """Whether an extent in a shape is one of the batch, or is broadcast to it."""
    return extent == "1" or extent.startswith("batch_")


def draw_arguments(shapes, extents, kernels):
    limits = [c["at_most"] for k in kernels for c in k["checks"] if "pitch" in c["value"]]
    limits += [limit + 1 for limit in limits]
    for i, shape in enumerate(shapes):
        if shape == "f32":
            yield random.random()
            continue
        names = [] if shape == "1" else shape.split(",")
        sizes = [extents[name] for name in names]
        batch = [random.randrange(1 << 40) for name in names if is_batch(name)]
        rank = len(sizes) - len(batch)
        matrix = [math.prod(sizes[i + 1 :]) for i in range(len(batch), len(sizes))]
        if random.randrange(20 if len(shapes) > 6 else 2) == 0:
            matrix[:1] = [random.choice(limits)][:rank]
        strides = batch + matrix
        yield Operand(sizes, strides, (i + 1) << 40, random.randrange(100))


def check_operand(argument, values, operands):
    name = argument["name"]
    operand = operands[(values[name] >> 40) - 1]
    offset = operand.offset * ELEMENT_BYTES[argument["element_type"]]
    expect("address", values[name], operand.base + offset)
    shape = [evaluate(e, values) for e in argument["shape"]]
    if argument["element_type"] in PACKED_BITS:
        shape[-1] = math.ceil(shape[-1] * PACKED_BITS[argument["element_type"]] / 8)
    expect(f"shape of {name}", shape, operand.sizes)
    matrix = []
    for extent, stride in zip(argument["shape"], operand.strides):
        if not is_batch(extent):
            matrix.append(stride)
        elif extent != "1":
            found = values[f"{name}_stride_{extent.removeprefix('batch_')}"]
            expect(f"stride of {name}", found, stride)
    pitches = [values[name + "_pitch"]] if matrix else []
    expect(f"pitch of {name}", pitches, matrix[:1])


def check_launch(kernel, launch, operands):
    """The arguments, the values of the expressions; whether all checks hold."""
    arguments = kernel["arguments"]
    expect("types", [TYPES[a["type"]] for a in arguments], launch.types)
    values = {a["name"]: v for a, v in zip(arguments, launch.arguments)}
    types = {a["name"]: a["element_type"] for a in arguments if a["kind"] == "operand"}
    for argument in arguments:
        if argument["kind"] == "operand":
            check_operand(argument, values, operands)
        if argument["kind"] in ("pitch", "stride"):
            unit = ELEMENT_BYTES[types[argument["operand"]]]
            expect("unit_bytes", argument["unit_bytes"], unit)
    factors = [values[a["name"]] for a in arguments if a["kind"] == "factor"]
    expect("factors", factors, [o for o in operands if isinstance(o, float)])
    expect("block", kernel["block"], launch.block)
    fits = all(
        evaluate(c["value"], values) <= c["at_most"]
        or (c["unless"] is not None and evaluate(c["unless"], values))
        for c in kernel["checks"]
    )
    if fits:
        expect("grid", [evaluate(e, values) for e in kernel["grid"]], launch.grid)
    return fits


def check_launches(manifest, function, shapes, text):
    kernels = {k["name"]: k for k in manifest["kernels"]}
    outcomes = set()
    for _ in range(400):
        extents = draw_extents(kernels.values())
        operands = list(draw_arguments(shapes, extents, kernels.values()))
        host = HostModel(text, function, operands)
        steps = [s["kernel"] for l in manifest["launches"] for s in l["steps"]]
        expect("launches", steps, [l.kernel for l in host.launches])
        fits = [check_launch(kernels[l.kernel], l, operands) for l in host.launches]
        expect(f"checks, where {host.failures} failed", all(fits), not host.failures)
        outcomes.add(all(fits))
    expect("outcomes", outcomes, {True, False})


def collect_keys(value):
    if isinstance(value, list):
        return set().union(*map(collect_keys, value))
    if isinstance(value, dict):
        return set(value).union(*map(collect_keys, value.values()))
    return set()


def check_document(manifest, document):
    """Each key has a row in a table, and the other way round; strides, tensor
    maps and workspaces have some that other arguments lack."""
    sections = re.split(r"^## ", document, flags=re.M)
    text = "".join(s for s in sections if not s.startswith(OF_NVIDIA))
    rows = re.findall(r"^\| ((?:`\w+`,? ?)+)\|", text, flags=re.M)
    described = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    some = {"bytes", "extent", "box", "swizzle_bytes"}
    expect("keys", described | some, collect_keys(manifest) | some)


def main():
    program, function, shapes, document, chip = (sys.argv[1:] + ["gfx950"])[:5]
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        mlir, lowered = compile(program, "mlir", chip, folder)
        llvm, of_llvm = compile(program, "llvm", chip, folder)
        isa, of_isa = compile(program, "isa", chip, folder)
        _, manifest = compile(program, "binary", chip, folder)
    for other in lowered, of_llvm, of_isa:
        expect("resources", [k["resources"] for k in other["kernels"]], [None] * len(manifest["kernels"]))
        expect("manifest", without_resources(other), without_resources(manifest))
    for kernel in manifest["kernels"]:
        expect("function", kernel["source"]["function"], function)
        check_signature(kernel, mlir.decode())
        check_resources(kernel, isa.decode())
    check_occupancy(manifest["kernels"], chip, llvm)
    check_launches(manifest, function, shapes.split(), mlir.decode())
    check_document(manifest, pathlib.Path(document).read_text())
    print(f"{len(manifest['kernels'])} kernels agree")


main()
