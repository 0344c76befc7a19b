"""Epilogues of pairs of columns, on every shape of an edge.

usage: run_pairs.py [--case=N]

The reference is compared with numpy: of a product with scales, C and bias whose
sums are exact, SwiGLU of each pair of columns. Then kernels with the reference:
each case is a chip, types of operands and result, and a schedule or none, with an
operand of each kind behind the pairs. Prints a line for each case; fails if one of
them fails.
"""

import sys

import numpy as np
import run_program

REFERENCE = """
func.func @f(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %c: tensor<?x?xf32>, %x: tensor<?xf32>,
             %r: tensor<?x?xf32>, %d: tensor<?x?xf32>, %m: tensor<f32>)
    -> (tensor<?x?xf32>, tensor<f32>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>)
      beta(2.0) c(%c : tensor<?x?xf32>) bias(%x : tensor<?xf32>, n)
      outs(%d : tensor<?x?xf32>) amax(%m : tensor<f32>) transpose_b
      epilogue(%gate, %up, %y = %r : tensor<?x?xf32>) {
        %one = arith.constant 1.0 : f32
        %minus = arith.negf %gate : f32
        %e = math.exp %minus : f32
        %sum = arith.addf %e, %one : f32
        %silu = arith.divf %gate, %sum : f32
        %product = arith.mulf %silu, %up : f32
        %result = arith.addf %product, %y : f32
        lpgemm.yield %result : f32
      } -> tensor<?x?xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<f32>
}
"""
PROGRAM = """
func.func @f(%a: tensor<?x?x{a}>, %b: tensor<?x?x{a}>, %x: tensor<?xf32>, %r: tensor<?x?xbf16>,
             %s: tensor<?xf32>, %d: tensor<?x?x{d}>, %o: tensor<?x?xf8E8M0FNU>, %m: tensor<f32>)
    -> {types} {{
  %0:{count} = lpgemm.matmul ins(%a, %b : tensor<?x?x{a}>, tensor<?x?x{a}>)
      bias(%x : tensor<?xf32>, n) outs(%d : tensor<?x?x{d}>) {scale_outs}
      amax(%m : tensor<f32>) transpose_b {schedule}
      epilogue(%gate, %up, %y = %r : tensor<?x?xbf16>,
               %z = %s : tensor<?xf32> by affine_map<(m, n) -> (n)>) {{
        %difference = arith.subf %gate, %up : f32
        %scaled = arith.mulf %difference, %z : f32
        %y32 = arith.extf %y : bf16 to f32
        %result = arith.addf %scaled, %y32 : f32
        lpgemm.yield %result : f32
      }} -> {results}
  return {values} : {results}
}}
"""
MX16, MX32 = "mfma_scale_f32_16x16x128_f8f6f4", "mfma_scale_f32_32x32x64_f8f6f4"
FP8_16, FP8_32 = "mfma_f32_16x16x32_fp8", "mfma_f32_32x32x16_fp8"
SCHEDULE = "schedule(<tile = [{}], waves = [{}], instr = {}, home = <a = shared, b = shared>, {}>)"
# Chip, types of operands and result, schedule.
CASES = [
    ("gfx950", "f8E4M3FN", "bf16", ""),
    ("gfx950", "f8E4M3FN", "bf16", SCHEDULE.format("64, 64, 128", "2, 2", MX16, "stages = 2")),
    ("gfx950", "f8E4M3FN", "f32", SCHEDULE.format("64, 64, 128", "2, 2", MX16, "stages = 1, epilogue = staged")),
    ("gfx950", "f8E4M3FN", "f16", SCHEDULE.format("64, 64, 128", "2, 1", MX32, "stages = 2, epilogue = staged")),
    ("gfx950", "f8E4M3FN", "f8E5M2", SCHEDULE.format("64, 128, 64", "1, 2", MX32, "stages = 1, epilogue = staged")),
    ("gfx950", "f8E4M3FN", "f8E4M3FN", SCHEDULE.format(
        "128, 256, 128", "2, 4", MX16, "stages = 2, strategy = ping_pong, epilogue = staged")),
    ("gfx950", "f8E4M3FN", "mx f8E4M3FN", SCHEDULE.format("64, 128, 128", "2, 2", MX16, "stages = 2")),
    ("gfx950", "f8E4M3FN", "mx f4E2M1FN", SCHEDULE.format("64, 128, 128", "2, 1", MX16, "stages = 1, epilogue = staged")),
    ("gfx942", "f8E4M3FNUZ", "bf16", ""),
    ("gfx942", "f8E4M3FNUZ", "bf16", SCHEDULE.format("64, 96, 64", "2, 3", FP8_16, "stages = 2, epilogue = staged")),
    ("gfx942", "f8E4M3FNUZ", "f8E4M3FNUZ", SCHEDULE.format("64, 64, 64", "2, 1", FP8_32, "stages = 1")),
]  # fmt: skip
# No tile has a number of columns that divides 322.
SIZES = ["130x128x160", "65x322x128", "17x30x0"]


def check_reference(folder, rng):
    """Sums of small integers are exact; the rest differs by the roundings of f32."""
    m, n, k = 5, 14, 24
    a, b = (rng.integers(-3, 4, (rows, k)).astype(np.float16) for rows in (m, n))
    c, x = rng.integers(-4, 5, (m, n)).astype(np.float32), rng.integers(-4, 5, n).astype(np.float32)
    r = rng.normal(size=(m, n // 2)).astype(np.float32)
    (folder / "program.mlir").write_text(REFERENCE)
    arrays = {str(i): array for i, array in enumerate([a, b, c, x, r])}
    found, error = run_program.run(folder, arrays, [], ["d", "amax"])
    if error:
        return error
    t = a.astype(np.float64) @ b.astype(np.float64).T + 2 * c + x
    gate, up = t[:, 0::2], t[:, 1::2]
    expected = gate / (1 + np.exp(-gate)) * up + r
    result, amax = found
    if not np.allclose(result, expected, rtol=1e-5, atol=1e-5):
        return f"expected\n{expected}\ngot\n{result}"
    return "" if amax == np.abs(result).max() else f"amax {amax}, not {np.abs(result).max()}"


def make_program(a, d, schedule):
    mx, d = d.startswith("mx "), d.removeprefix("mx ")
    results = [f"tensor<?x?x{d}>"] + ["tensor<?x?xf8E8M0FNU>"] * mx + ["tensor<f32>"]
    return PROGRAM.format(
        a=a,
        d=d,
        schedule=schedule,
        scale_outs="scale_outs(%o : tensor<?x?xf8E8M0FNU>, <mx>, rceil)" if mx else "",
        types=f"({', '.join(results)})",
        results=", ".join(results),
        count=len(results),
        values=", ".join(f"%0#{i}" for i in range(len(results))),
    ).replace("" if mx else ", %o: tensor<?x?xf8E8M0FNU>", "")


def check_kernel(case, folder):
    text = make_program(*case[1:])
    errors = (run_program.compare(folder / "program.mlir", text, case[0], size) for size in SIZES)
    return next(filter(None, errors), "")


def main():
    checks = [("reference", lambda folder: check_reference(folder, np.random.default_rng(1)))]
    checks += [(", ".join(case), lambda folder, case=case: check_kernel(case, folder)) for case in CASES]
    return run_program.run_cases(checks)


if __name__ == "__main__":
    sys.exit(main())
