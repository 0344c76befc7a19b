"""Runs products with random epilogues on random shapes, and compares.

usage: run_epilogues.py [--chip=CHIP] [--count=N] [--seed=S]

Each case has a type of the result, C, bias, factors and a region, each by
chance, whose operands have random types and maps. The kernel runs in the
emulator under NaN in the padding and is compared with the reference. Prints a
line for each case; a case that fails can be run alone by its seed.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

FP8 = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"]
WIDE = ["f32", "bf16", "f16"]
EXTENTS = [1, 2, 15, 16, 17, 33, 64, 65, 100]
K_EXTENTS = [0, 1, 32, 33, 128, 130]
# Shape and map of an operand of the region.
MAPS = [
    ("?x?", "(m, n)"),
    ("?x?", "(n, m)"),
    ("?", "(m)"),
    ("?", "(n)"),
    ("?x1", "(m, 0)"),
    ("1x?", "(0, m)"),
    ("?x1", "(n, 0)"),
    ("1x?", "(0, n)"),
    ("1x1", "(0, 0)"),
    ("1", "(0)"),
    ("", "()"),
]
# What becomes of %t, in terms of itself.
FUNCTIONS = [
    ["%0 = arith.maximumf %t, %zero : f32"],
    ["%0 = math.tanh %t FLAGS : f32"],
    ["%0 = math.erf %t : f32"],
    ["%fa = math.absf %t : f32", "%0 = math.log1p %fa : f32"],
    ["%fa = math.fma %t, %t, %one : f32", "%0 = math.rsqrt %fa : f32"],
    [
        "%fa = arith.negf %t : f32",
        "%fb = math.exp %fa FLAGS : f32",
        "%fc = arith.addf %fb, %one : f32",
        "%0 = arith.divf %t, %fc FLAGS : f32",
    ],
    ["%fa = math.tanh %t : f32", "%0 = math.exp2 %fa : f32"],
    ["%fa = arith.minimumf %t, %one : f32", "%0 = math.expm1 %fa FLAGS : f32"],
]


def make_region(rng):
    """Arguments of the function, operands of the region, and its text."""
    arguments, operands, lines = [], [], []
    for i in range(rng.randrange(4)):
        shape, results = rng.choice(MAPS)
        element = rng.choice(WIDE)
        type_ = f"tensor<{shape + 'x' if shape else ''}{element}>"
        arguments.append(f"%x{i}: {type_}")
        operands.append(f"%y{i} = %x{i} : {type_} by affine_map<(m, n) -> {results}>")
        value = f"%y{i}"
        if element != "f32":
            lines.append(f"%w{i} = arith.extf {value} : {element} to f32")
            value = f"%w{i}"
        last = f"%s{i - 1}" if i else "%0"
        lines.append(f"%s{i} = math.fma {last}, {value}, {value} : f32")
    flags = rng.choice(["", "fastmath<afn, arcp>"])
    function = [line.replace("FLAGS", flags) for line in rng.choice(FUNCTIONS)]
    constants = ["%zero = arith.constant 0.0 : f32", "%one = arith.constant 1.0 : f32"]
    last = f"%s{len(operands) - 1}" if operands else "%0"
    body = constants + function + lines + [f"lpgemm.yield {last} : f32"]
    text = "".join(f"        {line}\n" for line in body)
    return arguments, f"epilogue({', '.join(['%t'] + operands)}) {{\n{text}      }}"


def make_program(rng):
    """A product with random clauses, and what a case is called."""
    arguments, clauses, behind = [], [], ""

    def add(chance, clause, *types):
        if rng.random() < chance:
            arguments.extend(types)
            clauses.append(clause)

    d = rng.choice(FP8 + WIDE)
    kinds = rng.choice([("", ""), ("tensor", "tensor"), ("row", "column")])
    types = {"tensor": "tensor<f32>", "row": "tensor<?xf32>", "column": "tensor<?xf32>"}
    if kinds[0]:
        add(1, f"lhs_scale(%sa : {types[kinds[0]]}, <{kinds[0]}>)", f"%sa: {types[kinds[0]]}")
        add(1, f"rhs_scale(%sb : {types[kinds[1]]}, <{kinds[1]}>)", f"%sb: {types[kinds[1]]}")
    add(0.4, "alpha(%alpha)", "%alpha: f32")
    if rng.random() < 0.6:
        c = rng.choice(FP8 + WIDE)
        add(0.5, "beta(%beta)", "%beta: f32")
        add(1, f"c(%c : tensor<?x?x{c}>)", f"%c: tensor<?x?x{c}>")
        add(0.5, "c_scale(%sc : tensor<f32>)", "%sc: tensor<f32>")
    axis, bias = rng.choice("mn"), rng.choice(WIDE)
    add(0.6, f"bias(%bias : tensor<?x{bias}>, {axis})", f"%bias: tensor<?x{bias}>")
    if d in FP8:
        add(0.6, "d_scale(%ds : tensor<f32>)", "%ds: tensor<f32>")
        behind = rng.choice(["", "overflow = nosat"])
    region = ""
    if rng.random() < 0.7:
        extra, region = make_region(rng)
        arguments += extra
    name = f"{d} {' '.join(c.split('(')[0] for c in clauses)} {behind}"
    operands = "tensor<?x?xf8E4M3FN>"
    program = f"""
func.func @f(%a: {operands}, %b: {operands},
             {''.join(a + ', ' for a in arguments)}%d: tensor<?x?x{d}>)
    -> tensor<?x?x{d}> {{
  %0 = lpgemm.matmul ins(%a, %b : {operands}, {operands})
      {' '.join(clauses)}
      outs(%d : tensor<?x?x{d}>) transpose_b {behind}
      {region} -> tensor<?x?x{d}>
  return %0 : tensor<?x?x{d}>
}}
"""
    return program, f"{name}{', region' if region else ''}"


def run_case(seed, chip, folder):
    """The lines of one case, and whether it is right."""
    rng = random.Random(seed)
    program, name = make_program(rng)
    module = folder / "program.mlir"
    module.write_text(program)
    size = f"{rng.choice(EXTENTS)}x{rng.choice(EXTENTS)}x{rng.choice(K_EXTENTS)}"
    command = ["lpgemm-run", module, f"--chip={chip}", "--device=emulate"]
    command += [f"--init=normal:{seed}", f"--size={size}", "--poison"]
    done = subprocess.run(
        command + ["--compare=reference"], capture_output=True, text=True
    )
    output = (done.stdout + done.stderr).strip()
    if done.returncode != 0:
        output += "\n" + program
    return f"seed {seed}: {name}, {size}: {output}", done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chip", default="gfx950")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            line, ok = run_case(seed, args.chip, pathlib.Path(folder))
            print(line)
            failures += not ok
    print(f"{args.count - failures} of {args.count} right")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
