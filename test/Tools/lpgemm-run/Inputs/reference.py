"""Independent of the project's own code: decodes by formula, sums in float64."""

import sys

import numpy as np

M, N, K, BLOCK = 33, 17, 81, 32
BLOCKS = -(-K // BLOCK)


def decode_e4m3fn(codes):
    codes = codes.astype(np.int64)
    sign = np.where(codes & 0x80, -1.0, 1.0)
    exponent, mantissa = codes >> 3 & 15, codes & 7
    value = np.where(
        exponent == 0, mantissa * 2.0**-9, (8 + mantissa) * 2.0 ** (exponent - 10.0)
    )
    return sign * np.where(codes & 0x7F == 0x7F, np.nan, value)


def decode_e8m0(codes):
    return np.where(codes == 255, np.nan, 2.0 ** (codes.astype(np.float64) - 127))


def operands(seed):
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(0, 256, (r, K), np.uint8) for r in (M, N))
    # NaN codes stay in one row of A and in one of B.
    for matrix, row in ((a, 4), (b, 6)):
        keep = matrix[row].copy()
        matrix[(matrix & 0x7F) == 0x7F] = 0x7E
        matrix[row] = keep
        matrix[row, 0] = 0x7F
    sa, sb = (rng.integers(100, 150, (r, BLOCKS), np.uint8) for r in (M, N))
    sa[7, 1] = 255  # NaN
    sa[8], sb[9] = 0, 254  # the smallest and the largest scale
    return a, b, sa, sb


def product(a, b, sa, sb):
    a, b = decode_e4m3fn(a), decode_e4m3fn(b)
    sa, sb = decode_e8m0(sa), decode_e8m0(sb)
    total = np.zeros((M, N))
    for block in range(BLOCKS):
        k = slice(block * BLOCK, (block + 1) * BLOCK)
        partial = (a[:, None, k] * b[None, :, k]).sum(axis=2)
        total += partial * sa[:, None, block] * sb[None, :, block]
    return total.astype(np.float32)


command, prefix = sys.argv[1:]
arrays = operands(seed=1)
with np.errstate(over="ignore"):
    wanted = product(*arrays)
if command == "make":
    for name, array in zip(("a", "b", "sa", "sb"), arrays):
        np.save(f"{prefix}.{name}.npy", array)
elif command == "check":
    result = np.load(f"{prefix}.d.npy")
    assert result.dtype == np.float32 and result.shape == wanted.shape
    assert np.isnan(wanted[4]).all() and np.isnan(wanted[:, 6]).all()
    assert np.isnan(wanted[7]).all() and np.isfinite(wanted[8, 0])
    np.testing.assert_allclose(result, wanted, rtol=1e-6, equal_nan=True)
elif command == "damage":
    result = np.load(f"{prefix}.d.npy")
    result[2, 5] = 12345
    np.save(f"{prefix}.d.npy", result)
