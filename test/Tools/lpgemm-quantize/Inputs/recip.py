"""Writes values near ties of f4E2M1FN and their codes by both variants (S-11)."""

import numpy as np

from lpgemm import formats

NAME = "f4E2M1FN"
rng = np.random.default_rng(1)
amax = rng.uniform(1, 2, (500, 1)).astype(np.float32)
scale = amax / np.float32(6)
ties = (scale * rng.choice([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5], (500, 8))).astype("f4")
values = np.concatenate([amax, ties], axis=1)
divided = formats.encode(values / scale, NAME)
multiplied = formats.encode(values * (np.float32(1) / scale), NAME)
assert (divided != multiplied).any()
np.save("in", values)
np.save("divided", divided)
np.save("multiplied", multiplied)
