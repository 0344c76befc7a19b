#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the loop model on loops of a few instructions, whose answers are known.

usage: loop_model_tests.py FOLDER_OF_LOOP_MODEL
"""

import random
import re
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))

from loop_model import figures, machine
from loop_model.assembly import Fault

TEXT = """\t.amdgcn_target "amdgcn-amd-amdhsa--{chip}"
kernel:
{front}
.LOOP:
{body}
\ts_add_i32 s9, s9, -1
\ts_cmp_lg_u32 s9, 0
\ts_cbranch_scc1 .LOOP
\ts_endpgm
.Lfunc_end0:
\t.amdhsa_kernel kernel
\t.end_amdhsa_kernel
\t.amdgpu_metadata
amdhsa.kernels:
  - .agpr_count:     0
    .group_segment_fixed_size: {lds}
    .max_flat_workgroup_size: {threads}
    .name:           kernel
    .vgpr_count:     512
    .vgpr_spill_count: 3
\t.end_amdgpu_metadata
"""
MFMA = "v_mfma_f32_16x16x32_fp8_fp8 v[40:43], v[4:5], v[6:7], v[40:43]\n"
SCALED = "v_mfma_scale_f32_{} v[40:43], v[4:11], v[12:19], v[40:43], v20, v21 op_sel_hi:[0,0,0]{}\n"
READ = "ds_read_b128 v[8:11], v1\n"
# What ends each loop: two scalar instructions, and a branch of one turn here.
TAIL = 3 * machine.TURN


def measure(body, front="", chip="gfx950", threads=64, lds=131072, text=TEXT, **options):
    text = text.format(chip=chip, front=front, body=body, threads=threads, lds=lds)
    return figures.measure(text, branch=machine.TURN, **options)


def cycles(*arguments, **options):
    return measure(*arguments, **options).numbers["cycles"]


class Clocks(unittest.TestCase):
    def test_matrix_clocks(self):
        wide = {"16x16x128_f8f6f4": (32, 16), "32x32x64_f8f6f4": (64, 32)}
        for name, (slow, fast) in wide.items():
            # cbsz and blgp: 0 and 1 have 8 bits, 2 to 4 fewer.
            for formats, clocks in ((" cbsz:0 blgp:0", slow), (" cbsz:4", slow), (" blgp:4", slow),
                                    (" cbsz:1 blgp:4", slow), (" cbsz:2 blgp:4", fast)):  # fmt: skip
                found = measure(SCALED.format(name, formats)).numbers["matrix_clocks"]
                self.assertEqual(found, clocks, name + formats)
        for chip, name, clocks in (
            ("gfx942", "16x16x32_fp8_fp8", 16), ("gfx942", "32x32x16_fp8_bf8", 32),
            ("gfx942", "16x16x16_bf16", 16), ("gfx942", "32x32x8_f16", 32),
            ("gfx950", "16x16x32_bf16", 16), ("gfx950", "32x32x16_f16", 32),
            ("gfx950", "16x16x32_fp8_fp8", 16), ("gfx950", "16x16x64_i8", 16),
            ("gfx942", "16x16x32_i8", 16), ("gfx950", "32x32x32_i8", 32),
        ):  # fmt: skip
            result = "i32" if name.endswith("i8") else "f32"
            body = f"v_mfma_{result}_{name} v[40:43], v[4:5], v[6:7], v[40:43]\n"
            self.assertEqual(measure(body, chip=chip).numbers["matrix_clocks"], clocks, name)

    def test_bound_by_the_matrix_core(self):
        self.assertEqual(cycles(MFMA * 8), 8 * 16)
        # Two waves on a SIMD, and one on each.
        self.assertEqual(cycles(MFMA * 8, threads=512), 2 * 8 * 16)
        self.assertEqual(cycles(MFMA * 8, threads=256), 8 * 16)
        self.assertIn("matrix cores (100% busy)", measure(MFMA * 8, threads=256).bound)

    def test_vector_instructions_hide_behind_the_matrix_core(self):
        move = "v_mov_b32_e32 v30, v31\n"
        self.assertEqual(cycles((MFMA + move * 3) * 4), 4 * 16 + TAIL)
        self.assertEqual(cycles((MFMA + move * 9) * 4), 4 * 40 + TAIL)

    def test_slow_vector_instructions(self):
        self.assertEqual(cycles(MFMA + "v_exp_f32_e32 v30, v31\n" * 8), 4 + 8 * 16 + TAIL)

    def test_idle(self):
        self.assertEqual(cycles(MFMA + "s_nop 7\ns_sleep 1\n"), 4 + 8 * 4 + 2 * 64 + TAIL)


class Memory(unittest.TestCase):
    FRONT = "v_lshlrev_b32_e32 v1, 4, v0\n"

    def test_lds(self):
        body = MFMA + READ * 8 + "s_waitcnt lgkmcnt(0)\n"
        # 1024 bytes take 4 clocks of 256 bytes, or 8 of 128.
        for chip, clocks in (("gfx950", 4), ("gfx942", 8)):
            found = measure(body, self.FRONT, chip, lds_latency=400)
            self.assertEqual(found.numbers["conflicts"], 0)
            self.assertEqual(found.numbers["lds_reads"], 8)
            # One MFMA, the reads in turn, the latency, and what a loop has besides.
            low = machine.TURN + 8 * clocks + 400
            self.assertTrue(low <= found.numbers["cycles"] <= low + 24, found.numbers["cycles"])

    def conflicts(self, front, body=READ, chip="gfx950", threads=64):
        return measure(MFMA + body, front, chip, threads).numbers["conflicts"]

    def test_conflicts_of_strides(self):
        # All lanes on the same 4 banks: each phase of 16 lanes takes 16 clocks.
        self.assertEqual(self.conflicts("v_lshlrev_b32_e32 v1, 8, v0\n"), 4 * 16 - 4)
        # The same word for all lanes is read once.
        self.assertEqual(self.conflicts("v_mov_b32_e32 v1, 0\n"), 4 * 1 - 4)
        # 32 banks: 8 phases of 8 lanes.
        self.assertEqual(self.conflicts("v_lshlrev_b32_e32 v1, 7, v0\n", chip="gfx942"), 8 * 8 - 8)

    # Lanes of 16 rows of 128 bytes, of which each reads a piece of 16 bytes.
    ROWS = """v_and_b32_e32 v2, 15, v0
v_bfe_u32 v3, v0, 4, 2
v_and_b32_e32 v4, {mask}, v2
{shift}
v_xor_b32_e32 v3, v3, v4
v_lshlrev_b32_e32 v3, 4, v3
v_lshl_or_b32 v1, v2, 7, v3
"""

    def test_conflicts_of_swizzled_rows(self):
        swizzled = self.ROWS.format(mask=7, shift="")
        self.assertEqual([self.conflicts(swizzled, chip=c) for c in ("gfx942", "gfx950")], [0, 0])
        plain = self.ROWS.format(mask=0, shift="")
        for chip in ("gfx942", "gfx950"):
            self.assertGreater(self.conflicts(plain, chip=chip), 0)

    def test_unknown_addends_move_all_lanes(self):
        load = "s_load_dword s4, s[0:1], 0x0\n"
        same = self.FRONT + load + "v_add_u32_e32 v1, s4, v1\n"
        self.assertEqual(self.conflicts(same), 0)
        self.assertIsNone(self.conflicts(self.FRONT + load + "v_xor_b32_e32 v1, s4, v1\n"))
        self.assertIsNone(self.conflicts("global_load_dword v1, v0, s[2:3]\n"))

    def test_addresses_by_scalars_and_accumulators(self):
        front = """v_lshrrev_b32_e32 v2, 6, v0
v_readfirstlane_b32 s3, v2
s_lshl_b32 s3, s3, 5
s_andn2_b32 s3, s3, 63
v_lshlrev_b32_e32 v1, 4, v0
v_accvgpr_write_b32 a7, v1
v_accvgpr_read_b32 v2, a7
v_or_b32_e32 v1, s3, v2
"""
        self.assertEqual(self.conflicts(front), 0)

    def test_addresses_that_the_loop_changes(self):
        front = "v_lshlrev_b32_e32 v1, 4, v0\n"
        worse = READ + "v_lshlrev_b32_e32 v1, 4, v1\n"
        self.assertEqual(self.conflicts(front, worse), 4 * 16 - 4)
        self.assertEqual(self.conflicts(front, READ + "v_xor_b32_e32 v1, 0x4000, v1\n"), 0)

    def test_two_accesses_of_one_instruction(self):
        body = "ds_read2st64_b64 v[8:11], v1 offset0:1 offset1:2\n"
        self.assertEqual(self.conflicts("v_lshlrev_b32_e32 v1, 3, v0\n", body), 0)
        self.assertEqual(self.conflicts("v_lshlrev_b32_e32 v1, 8, v0\n", body), 2 * (2 * 32 - 2))

    def test_global_memory(self):
        load = "buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen\n"
        waited = cycles(MFMA + load * 2 + "s_waitcnt vmcnt(0)\n", global_latency=1000)
        self.assertTrue(1000 + 32 <= waited <= 1000 + 32 + 40, waited)
        # A load of the iteration before is there in time.
        late = cycles(MFMA * 70 + load + "s_waitcnt vmcnt(1)\n", global_latency=1000)
        # The load, the wait and the end of the loop take 2 turns more than an MFMA.
        self.assertEqual(late, 70 * 16 + 2 * machine.TURN)
        # 16 clocks for 1024 bytes.
        numbers = measure(MFMA + load * 40, threads=256, global_latency=0).numbers
        self.assertEqual(numbers["cycles"], 4 * 40 * 16)

    def test_loads_to_lds_need_both(self):
        found = measure(MFMA + "buffer_load_dwordx4 v1, s[4:7], 0 offen lds\n" * 4)
        self.assertEqual((found.numbers["dma"], found.numbers["vmem"]), (4, 0))


class Waves(unittest.TestCase):
    BODY = MFMA * 16 + "s_barrier\n" + "s_nop 15\n" * 4 + "s_barrier\n"
    # Waves 4 to 7 meet a barrier that the others do not.
    EARLY = """v_lshrrev_b32_e32 v2, 6, v0
v_readfirstlane_b32 s3, v2
s_lshr_b32 s3, s3, 2
s_cmp_lg_u32 s3, {}
s_cbranch_scc1 .SKIP
s_barrier
.SKIP:
"""

    def test_staggered_waves(self):
        together = cycles(self.BODY, threads=512)
        self.assertTrue(2 * 256 + 256 <= together <= 2 * 256 + 256 + 40, together)
        for group in (0, 1):
            apart = cycles(self.BODY, self.EARLY.format(group), threads=512)
            self.assertTrue(256 + 256 <= apart <= 256 + 256 + 40, apart)

    def test_barrier_of_unequal_waves(self):
        found = measure(self.BODY, threads=512)
        self.assertIn("waves wait for barriers", found.bound)

    def test_priority(self):
        # The wave in front of others has the matrix core for itself.
        for low, high in (("", ""), ("s_setprio 1\n", "s_setprio 0\n")):
            found = cycles(low + MFMA * 16 + high, threads=512)
            self.assertEqual(found, 2 * 256)

    def test_workgroups_that_fit(self):
        text = TEXT.replace("vgpr_count:     512", "vgpr_count:     128")
        for threads, lds, groups in ((256, 16384, 4), (256, 65536, 2), (512, 1024, 2), (1024, 1024, 1)):
            numbers = measure(MFMA, threads=threads, lds=lds, text=text).numbers
            self.assertEqual(numbers["groups"], groups, (threads, lds))

    def test_never_faster_than_a_unit(self):
        rng = random.Random(1)
        load = "buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen\n"
        kinds = [MFMA, READ, load, "v_mov_b32_e32 v30, v31\n", "s_waitcnt vmcnt(2) lgkmcnt(1)\n",
                 "s_barrier\n", "s_setprio 1\n", "s_setprio 0\n", "v_exp_f32_e32 v2, v3\n"]  # fmt: skip
        for _ in range(20):
            body = MFMA + "".join(rng.choices(kinds, k=40))
            threads = rng.choice([64, 256, 512])
            found = measure(body, Memory.FRONT, threads=threads)
            per_simd, waves = max(threads // 256, 1), threads // 64
            reads, loads = body.count(READ), body.count(load)
            vector = 4 * (body.count("v_mov") + body.count("v_mfma") + 4 * body.count("v_exp"))
            matrix = found.numbers["matrix_clocks"] * per_simd
            least = (matrix, vector * per_simd, reads * 4 * waves, loads * 16 * waves)
            self.assertGreaterEqual(found.numbers["cycles"] + 1e-6, max(least), body)
            self.assertLessEqual(found.numbers["utilisation"], 1)


class Loops(unittest.TestCase):
    def test_way_with_the_most_mfmas_and_the_fewest_instructions(self):
        body = """s_cbranch_vccz .SLOW
{0}s_branch .JOIN
.SLOW:
v_mov_b32_e32 v30, v31
v_mov_b32_e32 v30, v31
{0}.JOIN:
.WAITS:
s_cbranch_execnz .WAITS
{0}""".format(MFMA)
        numbers = measure(body).numbers
        self.assertEqual((numbers["mfma"], numbers["instructions"], numbers["valu"]), (2, 8, 0))

    def test_way_that_loads(self):
        load = "buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen\n"
        body = "s_cbranch_vccz .DONE\n" + load + ".DONE:\n" + MFMA
        self.assertEqual(measure(body).numbers["vmem"], 1)

    def test_inner_loop(self):
        body = MFMA + ".INNER:\n" + MFMA * 2 + "s_cbranch_scc1 .INNER\n" + MFMA
        self.assertEqual(measure(body).numbers["instructions"], 3)

    def test_counts(self):
        waits = "s_waitcnt vmcnt(6)\ns_waitcnt lgkmcnt(0)\ns_waitcnt vmcnt(0) lgkmcnt(1)\n"
        scale = "v_pk_mul_f32 v[2:3], v[4:5], v[6:7] op_sel_hi:[0,1]\n"
        body = MFMA + waits + scale + "v_cndmask_b32_e64 v2, v3, v4, s[4:5]\n"
        found = measure(body)
        names = "waits vmcnt_waits vmcnt_zero valu scaling vector_share spills lds vgpr waves".split()
        self.assertEqual([found.numbers[n] for n in names], [3, 2, 1, 2, 0.25, 0.5, 3, 131072, 512, 1])
        self.assertEqual(found.vmcnt, [6, 0])

    def test_loop_of_edges(self):
        load = "buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen\n"
        edges = "s_cbranch_scc0 .LOOP\n.EDGES:\n" + MFMA + load * 3 + "s_cbranch_scc1 .EDGES\ns_endpgm\n"
        # The branch of the first loop back, then that of the edges.
        self.assertEqual(measure(MFMA + load + edges).numbers["instructions"], 3)

    def test_errors(self):
        for body, error in (
            ("s_nop 0\n", "kernel: expected a loop with an MFMA"),
            (MFMA + "frob v1\n", "unknown instruction 'frob'"),
            (MFMA + "s_branch .NOWHERE\n", "line 6: unknown label '.NOWHERE'"),
            (MFMA.replace("fp8_fp8", "fp7"), "unknown instruction 'v_mfma_f32_16x16x32_fp7'"),
        ):
            with self.assertRaisesRegex(Fault, re.escape(error)):
                measure(body)
        with self.assertRaisesRegex(Fault, "expected gfx942 or gfx950, got gfx90a"):
            measure(MFMA, chip="gfx90a")
        with self.assertRaisesRegex(Fault, "expected one of the kernels kernel, got other"):
            measure(MFMA, name="other")


if __name__ == "__main__":
    unittest.main()
