//===- Mfma.cpp - AMD matrix instructions ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both operands are decoded to doubles with K innermost, the scales already
// multiplied in: every product of an element and a scale is exact, and so is
// every product of two of them. The sum of one instruction is a sum of doubles,
// rounded to f32 once at its end.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Mfma.h"

#include "Abi.h"
#include "Formats.h"
#include "Machine.h"

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::mfma;

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static unsigned loadCode8(const uint8_t *bytes, unsigned e) { return bytes[e]; }

/// Six-bit codes are packed without gaps, the first in the lowest bits.
static unsigned loadCode6(const uint8_t *bytes, unsigned e) {
  unsigned bit = 6 * e, shift = bit % 8;
  unsigned high = shift > 2 ? bytes[bit / 8 + 1] : 0;
  return (bytes[bit / 8] | high << 8) >> shift & 63;
}

static unsigned loadCode4(const uint8_t *bytes, unsigned e) {
  return bytes[e / 2] >> 4 * (e % 2) & 15;
}

template <typename Float, unsigned loadCode(const uint8_t *, unsigned)>
static void decodeChunk(const uint8_t *bytes, unsigned first, unsigned count,
                        double scale, double *out) {
  const auto &table = Float::table();
  for (unsigned i = 0; i < count; ++i)
    out[i] = table[loadCode(bytes, first + i)] * scale;
}

using DecodeFn = void (*)(const uint8_t *, unsigned, unsigned, double,
                          double *);

/// By Format.
static constexpr DecodeFn kDecoders[] = {
    decodeChunk<Float8E4M3, loadCode8>, decodeChunk<Float8E5M2, loadCode8>,
    decodeChunk<Float6E2M3, loadCode6>, decodeChunk<Float6E3M2, loadCode6>,
    decodeChunk<Float4E2M1, loadCode4>};

static constexpr unsigned kMaxElements = 16 * 128;
static constexpr unsigned kMaxScales = 64;

/// One of A and B: which members of LaneOperands hold it.
struct OperandAccess {
  const uint8_t *LaneOperands::*data;
  uint8_t LaneOperands::*scale;
};

/// Writes the operand as out[row * k + k index].
static void decodeOperand(Shape shape, Format format, bool isScaled,
                          const LaneOperands *lanes, OperandAccess access,
                          double *out) {
  unsigned numBlocks = shape.k / kScaleBlock;
  double scales[kMaxScales];
  if (isScaled)
    for (unsigned row = 0; row < shape.dim; ++row)
      for (unsigned block = 0; block < numBlocks; ++block)
        scales[row * numBlocks + block] =
            decodeScale(lanes[scaleLane(shape, row, block)].*access.scale);
  DecodeFn decode = kDecoders[static_cast<unsigned>(format)];
  unsigned chunk = chunkSize(shape, format);
  unsigned elements = elementsPerLane(shape);
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    unsigned row = operandRow(shape, lane);
    for (unsigned e = 0; e < elements; e += chunk) {
      unsigned k = operandK(shape, format, lane, e);
      double scale = isScaled ? scales[row * numBlocks + k / kScaleBlock] : 1.0;
      decode(lanes[lane].*access.data, e, chunk, scale,
             out + row * shape.k + k);
    }
  }
}

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

using Vector = double __attribute__((vector_size(32)));
static constexpr unsigned kVectorSize = 4;

/// d[m * dim + n] = sum over k of a[m * K + k] * b[n * K + k]. Four partial
/// sums whatever the machine, so that the result is the same on every one.
[[gnu::always_inline]] static inline void
multiplyBody(Shape shape, const double *a, const double *b, double *d) {
  constexpr unsigned kRows = 2, kCols = 4;
  unsigned size = shape.k / kVectorSize;
  const Vector *va = reinterpret_cast<const Vector *>(a);
  const Vector *vb = reinterpret_cast<const Vector *>(b);
  for (unsigned m = 0; m < shape.dim; m += kRows)
    for (unsigned n = 0; n < shape.dim; n += kCols) {
      Vector sums[kRows][kCols] = {};
      for (unsigned k = 0; k < size; ++k)
        for (unsigned i = 0; i < kRows; ++i)
          for (unsigned j = 0; j < kCols; ++j)
            sums[i][j] += va[(m + i) * size + k] * vb[(n + j) * size + k];
      for (unsigned i = 0; i < kRows; ++i)
        for (unsigned j = 0; j < kCols; ++j) {
          Vector sum = sums[i][j];
          d[(m + i) * shape.dim + n + j] =
              (sum[0] + sum[2]) + (sum[1] + sum[3]);
        }
    }
}

using MultiplyFn = void (*)(Shape, const double *, const double *, double *);

static void multiplyGeneric(Shape shape, const double *a, const double *b,
                            double *d) {
  multiplyBody(shape, a, b, d);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] static void
multiplyAvx2(Shape shape, const double *a, const double *b, double *d) {
  multiplyBody(shape, a, b, d);
}

static MultiplyFn selectMultiply() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
             ? multiplyAvx2
             : multiplyGeneric;
}
#else
static MultiplyFn selectMultiply() { return multiplyGeneric; }
#endif

void mlir::lpgemm::emulator::mfma::execute(Shape shape, Format formatA,
                                           Format formatB, bool isScaled,
                                           const LaneOperands *lanes) {
  static const MultiplyFn multiply = selectMultiply();
  alignas(64) double a[kMaxElements], b[kMaxElements], d[32 * 32];
  decodeOperand(shape, formatA, isScaled, lanes,
                {&LaneOperands::a, &LaneOperands::scaleA}, a);
  decodeOperand(shape, formatB, isScaled, lanes,
                {&LaneOperands::b, &LaneOperands::scaleB}, b);
  multiply(shape, a, b, d);
  for (unsigned lane = 0; lane < kWaveSize; ++lane)
    for (unsigned i = 0; i < resultsPerLane(shape); ++i) {
      double sum =
          d[resultRow(shape, lane, i) * shape.dim + resultCol(shape, lane)];
      lanes[lane].d[i] = static_cast<float>(sum + lanes[lane].c[i]);
    }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

namespace {
/// What an instruction is, apart from its lanes' operands.
struct Instruction {
  uint32_t site;
  Shape shape;
  bool isScaled;
};
} // namespace

static void runMfma(const Instruction &instruction, Format formatA,
                    Format formatB, const LaneOperands &operands) {
  waveOperation(instruction.site, operands, [&](Machine &machine) {
    LaneOperands lanes[kWaveSize];
    for (unsigned lane = 0; lane < kWaveSize; ++lane)
      lanes[lane] = operandsOf<LaneOperands>(machine, lane);
    ++machine.statistics.mfma;
    execute(instruction.shape, formatA, formatB, instruction.isScaled, lanes);
  });
}

/// A lane's own check: `bytes` holds enough elements of the format that the
/// cbsz or blgp operand gives.
static Format checkFormat(const Instruction &instruction, const char *name,
                          uint32_t code, uint32_t bytes) {
  Machine &machine = Machine::current();
  if (code > static_cast<uint32_t>(Format::Fp4))
    machine.fatal(ReportKind::InvalidOperand, instruction.site,
                  std::string(name) + ": expected a format from 0 to 4, got " +
                      std::to_string(code));
  Format format = static_cast<Format>(code);
  uint32_t needed = elementsPerLane(instruction.shape) * bitWidth(format) / 8;
  if (bytes < needed)
    machine.fatal(ReportKind::InvalidOperand, instruction.site,
                  std::string(name) + ": expected an operand of at least " +
                      std::to_string(needed) + " bytes, got " +
                      std::to_string(bytes));
  return format;
}

static void checkWholeWave(uint32_t site) {
  Machine &machine = Machine::current();
  if (machine.wave().size != kWaveSize)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "needs a wave of 64 lanes, got " +
                      std::to_string(machine.wave().size));
}

static uint8_t selectScale(uint32_t scales, uint32_t opsel) {
  return scales >> 8 * (opsel & 3);
}

#define LPGEMM_SCALED_MFMA(name, shape)                                        \
  void emu_rocdl_mfma_scale_f32_##name##_f8f6f4(                               \
      uint32_t site, float *d, uint32_t, const uint8_t *a, uint32_t aBytes,    \
      const uint8_t *b, uint32_t bBytes, const float *c, uint32_t,             \
      uint32_t cbsz, uint32_t blgp, uint32_t opselA, uint32_t scaleA,          \
      uint32_t opselB, uint32_t scaleB, uint32_t scaled) {                     \
    Instruction instruction{site, shape, scaled != 0};                         \
    checkWholeWave(site);                                                      \
    Format formatA = checkFormat(instruction, "cbsz", cbsz, aBytes);           \
    Format formatB = checkFormat(instruction, "blgp", blgp, bBytes);           \
    runMfma(instruction, formatA, formatB,                                     \
            {d, a, b, c, selectScale(scaleA, opselA),                          \
             selectScale(scaleB, opselB)});                                    \
  }
LPGEMM_SCALED_MFMA(16x16x128, k16x16x128)
LPGEMM_SCALED_MFMA(32x32x64, k32x32x64)

/// cbsz, abid and blgp of the older instructions permute and broadcast lanes.
static void checkNoPermutation(uint32_t site, uint32_t cbsz, uint32_t abid,
                               uint32_t blgp) {
  if (cbsz | abid | blgp)
    Machine::current().fatal(ReportKind::InvalidOperand, site,
                             "expected cbsz, abid and blgp of 0");
}

#define LPGEMM_MFMA(name, types, shape, formatA, formatB)                      \
  void emu_rocdl_mfma_f32_##name##_##types(                                    \
      uint32_t site, float *d, uint32_t, uint64_t a, uint64_t b,               \
      const float *c, uint32_t, uint32_t cbsz, uint32_t abid, uint32_t blgp) { \
    checkWholeWave(site);                                                      \
    checkNoPermutation(site, cbsz, abid, blgp);                                \
    runMfma({site, shape, /*isScaled=*/false}, formatA, formatB,               \
            {d, reinterpret_cast<const uint8_t *>(&a),                         \
             reinterpret_cast<const uint8_t *>(&b), c, 0, 0});                 \
  }
LPGEMM_MFMA(16x16x32, fp8_fp8, k16x16x32, Format::Fp8, Format::Fp8)
LPGEMM_MFMA(16x16x32, fp8_bf8, k16x16x32, Format::Fp8, Format::Bf8)
LPGEMM_MFMA(16x16x32, bf8_fp8, k16x16x32, Format::Bf8, Format::Fp8)
LPGEMM_MFMA(16x16x32, bf8_bf8, k16x16x32, Format::Bf8, Format::Bf8)
LPGEMM_MFMA(32x32x16, fp8_fp8, k32x32x16, Format::Fp8, Format::Fp8)
LPGEMM_MFMA(32x32x16, fp8_bf8, k32x32x16, Format::Fp8, Format::Bf8)
LPGEMM_MFMA(32x32x16, bf8_fp8, k32x32x16, Format::Bf8, Format::Fp8)
LPGEMM_MFMA(32x32x16, bf8_bf8, k32x32x16, Format::Bf8, Format::Bf8)
