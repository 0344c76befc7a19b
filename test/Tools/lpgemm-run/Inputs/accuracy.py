"""What lpgemm-run measures, from NumPy in float64; reads its JSON strictly."""

import json
import sys

import numpy as np

M, N, K = 33, 21, 401


def make(folder):
    """Operands whose blocks have scales of their own."""
    rng = np.random.default_rng(1)
    for name, rows in (("a", M), ("b", N)):
        powers = 2.0 ** rng.integers(-6, 7, (rows, K // 32 + 1))
        values = rng.normal(size=(rows, K)) * np.repeat(powers, 32, axis=1)[:, :K]
        np.save(f"{folder}/{name}.npy", values.astype(np.float32))


def load(path):
    def refuse(text):
        raise ValueError(f"{path}: {text} is no JSON")

    with open(path) as file:
        return json.load(file, parse_constant=refuse)


def sqnr(result, expected):
    noise = ((result - expected) ** 2).sum()
    return 10 * np.log10((expected**2).sum() / noise)


def places(values):
    """The place of each float32 in the order of the values."""
    bits = values.view(np.uint32).astype(np.int64)
    return np.where(bits >> 31, -(bits & 0x7FFFFFFF), bits)


def check_region(found, result, expected, rows, columns):
    """The worst of all regions of `rows` x `columns`."""
    worst = None
    for i in range(0, expected.shape[0], rows):
        for j in range(0, expected.shape[1], columns):
            part = np.s_[i : i + rows, j : j + columns]
            value = sqnr(result[part], expected[part])
            if worst is None or value < worst[0]:
                worst = (value, [i, j], expected[part].shape)
    value, index, shape = worst
    assert found["index"] == index, (found, worst)
    assert [found["rows"], found["columns"]] == list(shape)
    np.testing.assert_allclose(found["sqnr_db"], value, rtol=1e-9)
    assert found["mismatches"] == 0


def check_measures(measures, result, expected):
    x, y = result.astype(np.float64), expected.astype(np.float64)
    error = np.abs(x - y)
    wanted = {
        "max_abs_error": error.max(),
        "max_rel_error": (error / np.abs(y)).max(),
        "sqnr_db": sqnr(x, y),
        "cosine": (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()),
        "calc_diff": 1 - 2 * (x * y).sum() / (x * x + y * y).sum(),
        "expected_rms": np.sqrt((y * y).mean()),
        "elements_in_sums": x.size,
        "unexpected_nans": 0,
        "missing_nans": 0,
        "infinity_mismatches": 0,
    }
    for name, value in wanted.items():
        np.testing.assert_allclose(measures[name], value, rtol=1e-6, err_msg=name)
    worst = measures["worst_element"]
    index = np.unravel_index(error.argmax(), error.shape)
    assert worst["index"] == list(index)
    assert worst["result"] == x[index] and worst["error"] == error[index]
    check_region(measures["worst_row"], x, y, 1, N)
    check_region(measures["worst_tile"], x, y, 8, 5)
    if expected.dtype == np.float64:
        assert "ulp" not in measures
        return
    distance = np.abs(places(result) - places(expected))
    assert measures["ulp"]["max"] == distance.max()
    below = -1
    for bucket in measures["ulp"]["histogram"]:
        inside = (distance > below) & (distance <= bucket["at_most"])
        below = bucket["at_most"]
        assert inside.sum() == bucket["count"] > 0
    assert sum(b["count"] for b in measures["ulp"]["histogram"]) == x.size


def check(folder):
    """A device's result, a file that it was compared with, and the operands."""
    document = load(f"{folder}/report.json")
    kernel, quantization = document["comparisons"]
    result = np.load(f"{folder}/result.npy")
    a, b = (np.load(f"{folder}/{name}.npy").astype(np.float64) for name in "ab")
    assert document["verdict"] == "failed" and document["device"] == "emulate"
    assert document["entry"] == "matmul" and document["faults"] == []
    assert [x["shape"] for x in document["arguments"][:2]] == [[M, K], [N, K]]
    assert document["arguments"][0]["source"] == "qa.npy"
    assert kernel["kind"] == "implementation" and kernel["verdict"] == "failed"
    assert kernel["result"] == "emulate" and kernel["expected"] == "other.npy"
    assert kernel["shape"] == [M, N] and kernel["k"] == K
    other = np.load(f"{folder}/other.npy")
    check_measures(kernel["measures"], result, other)
    terms = {check["term"]: check for check in kernel["checks"]}
    error = np.abs(result.astype(np.float64) - other)
    assert terms["abs:1"]["violations"] == (error > 1).sum() > 0
    assert not terms["abs:1"]["holds"] and terms["sqnr:1"]["holds"]
    assert kernel["out_of_tolerance"] == (error > 1).sum()
    first = list(np.argwhere(error > 1)[0])
    assert kernel["first_out_of_tolerance"]["index"] == first
    assert quantization["kind"] == "quantization"
    assert "verdict" not in quantization
    assert quantization["result"] == "reference"
    reference = np.load(f"{folder}/reference.npy")
    # The error of the kernel must not enter that of quantization.
    assert (reference != result).any()
    check_measures(quantization["measures"], reference, a @ b.T)
    # Of two operands in MX with f8E4M3FN.
    assert 26 < quantization["measures"]["sqnr_db"] < 31


command, folder = sys.argv[1:]
if command == "make":
    make(folder)
elif command == "disturb":
    rng = np.random.default_rng(2)
    result = np.load(f"{folder}/result.npy")
    noise = rng.normal(size=result.shape) * np.abs(result) * 1e-3
    np.save(f"{folder}/other.npy", (result + noise).astype(np.float32))
elif command == "check":
    check(folder)
elif command == "same":
    measures = [
        load(f"{folder}/{name}.json")["comparisons"][0]["measures"]
        for name in ("transposed", "plain")
    ]
    assert measures[0] == measures[1]
elif command == "dump":
    print(json.dumps(load(folder), indent=1))
