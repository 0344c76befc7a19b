//===- Product.cpp - the product that tensor cores form -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All arithmetic is on vectors of eight columns, each lane of which sums over K
// in order, so that the result does not depend on the width of the host's
// vectors. In double precision a product of two elements is exact, so neither
// does it depend on whether the host fuses a multiplication and an addition.
//
//===----------------------------------------------------------------------===//

#include "NVVM/Product.h"

#include "Formats.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename Float>
static double decodeFloat8(const uint8_t *bytes) {
  static const auto &table = Float::table();
  return table[*bytes];
}

template <double decode(unsigned)>
static double decodeFloat16(const uint8_t *bytes) {
  uint16_t code;
  std::memcpy(&code, bytes, sizeof(code));
  return decode(code);
}

static double decodeTf32(const uint8_t *bytes) {
  uint32_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  bits &= ~0x1fffu;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static double decodeS8(const uint8_t *bytes) {
  return static_cast<int8_t>(*bytes);
}

static double decodeU8(const uint8_t *bytes) { return *bytes; }

template <double decodeOne(const uint8_t *), unsigned Bytes>
static void decodeAll(const uint8_t *bytes, unsigned count, double *out,
                      unsigned step) {
  for (unsigned i = 0; i < count; ++i)
    out[i * step] = decodeOne(bytes + Bytes * i);
}

void mlir::lpgemm::emulator::tensorcore::decode(Element element,
                                                const uint8_t *bytes,
                                                unsigned count, double *out,
                                                unsigned step) {
  using DecodeFn = void (*)(const uint8_t *, unsigned, double *, unsigned);
  /// By Element.
  static constexpr DecodeFn kDecoders[] = {
      decodeAll<decodeFloat16<decodeF16>, 2>,
      decodeAll<decodeFloat16<decodeBf16>, 2>,
      decodeAll<decodeTf32, 4>,
      decodeAll<decodeFloat8<Float8E4M3>, 1>,
      decodeAll<decodeFloat8<Float8E5M2>, 1>,
      decodeAll<decodeS8, 1>,
      decodeAll<decodeU8, 1>};
  kDecoders[static_cast<unsigned>(element)](bytes, count, out, step);
}

//===----------------------------------------------------------------------===//
// Summing
//===----------------------------------------------------------------------===//

static constexpr unsigned kVectorSize = kGroup;
using Vector = double __attribute__((vector_size(64)));
using FloatVector = float __attribute__((vector_size(32)));
using IntVector = int32_t __attribute__((vector_size(32)));
using BitsVector = int64_t __attribute__((vector_size(64)));

namespace {
/// A part of K, for all rows and columns. C and D are vectors, at
/// [column / 8 * 16 + row].
struct Sum {
  const Product &product;
  unsigned firstK;
  unsigned numK;
  const Vector *c;
  Vector *d;
  /// For Numerics::Hw: the exponents of A and B, as A and B lie.
  SumModel model;
  const int32_t *exponentsA;
  const int32_t *exponentsB;
  int minExponentOfC;
};
} // namespace

template <unsigned Rows>
[[gnu::always_inline]] static inline void sumExact(const Sum &sum) {
  unsigned k = sum.product.k;
  for (unsigned panel = 0; panel < sum.product.n / kVectorSize; ++panel) {
    const Vector *b = reinterpret_cast<const Vector *>(sum.product.b) +
                      panel * k + sum.firstK;
    for (unsigned row = 0; row < kRows; row += Rows) {
      const double *a = sum.product.a + row * k + sum.firstK;
      unsigned at = panel * kRows + row;
      Vector sums[Rows] = {};
      for (unsigned i = 0; i < sum.numK; ++i)
        for (unsigned r = 0; r < Rows; ++r)
          sums[r] += b[i] * a[r * k + i];
      for (unsigned r = 0; r < Rows; ++r)
        sum.d[at + r] = sums[r] + sum.c[at + r];
    }
  }
}

template <unsigned Rows>
[[gnu::always_inline]] static inline void sumF32(const Sum &sum) {
  unsigned k = sum.product.k;
  for (unsigned panel = 0; panel < sum.product.n / kVectorSize; ++panel) {
    const Vector *b = reinterpret_cast<const Vector *>(sum.product.b) +
                      panel * k + sum.firstK;
    for (unsigned row = 0; row < kRows; row += Rows) {
      const double *a = sum.product.a + row * k + sum.firstK;
      unsigned at = panel * kRows + row;
      FloatVector sums[Rows];
      for (unsigned r = 0; r < Rows; ++r)
        sums[r] = __builtin_convertvector(sum.c[at + r], FloatVector);
      for (unsigned i = 0; i < sum.numK; ++i)
        for (unsigned r = 0; r < Rows; ++r)
          sums[r] = __builtin_elementwise_fma(
              __builtin_convertvector(b[i], FloatVector),
              FloatVector{} + static_cast<float>(a[r * k + i]), sums[r]);
      for (unsigned r = 0; r < Rows; ++r)
        sum.d[at + r] = __builtin_convertvector(sums[r], Vector);
    }
  }
}

//===----------------------------------------------------------------------===//
// Summing as the device does
//===----------------------------------------------------------------------===//

static constexpr int kDoubleBias = 1023, kDoubleFraction = 52;
/// The smallest exponents of normal values.
static constexpr int kMinExponentF32 = -126, kMinExponentF16 = -14;
/// The exponent of a factor that is zero: its product never is the largest.
static constexpr int kExponentOfZero = -1000;
/// Terms are not aligned to less than this. Measured, see docs/emulator.md.
static constexpr int kMinLargest = -133;

/// The exponents of values; those of subnormal ones are `minimum`.
static void findExponents(const double *values, unsigned count, int minimum,
                          int32_t *exponents) {
  for (unsigned i = 0; i < count; ++i) {
    uint64_t bits;
    std::memcpy(&bits, values + i, sizeof(bits));
    int exponent =
        static_cast<int>(bits >> kDoubleFraction & 0x7ff) - kDoubleBias;
    exponents[i] =
        values[i] == 0 ? kExponentOfZero : std::max(exponent, minimum);
  }
}

static int minExponent(Element element) {
  /// By Element; integers have none.
  constexpr int kExponents[] = {-14, -126, -126, -6, -14, 0, 0};
  return kExponents[static_cast<unsigned>(element)];
}

/// 2^exponent for each exponent of a normal double.
[[gnu::always_inline]] static inline Vector power(BitsVector exponent) {
  return reinterpret_cast<Vector>((exponent + kDoubleBias) << kDoubleFraction);
}

[[gnu::always_inline]] static inline BitsVector max(BitsVector a,
                                                    BitsVector b) {
  return a > b ? a : b;
}

/// Cuts off what an f32 with `fraction` bits does not hold.
[[gnu::always_inline]] static inline Vector cutToF32(Vector value,
                                                     int fraction) {
  BitsVector bits = reinterpret_cast<BitsVector>(value);
  BitsVector exponent = (bits >> kDoubleFraction & 0x7ff) - kDoubleBias;
  BitsVector quantum = max(exponent, BitsVector{} + kMinExponentF32) - fraction;
  return __builtin_elementwise_trunc(value * power(-quantum)) * power(quantum);
}

/// The sum of one row of A with eight columns, by the model of the device.
[[gnu::always_inline]] static inline Vector
sumAligned(const Sum &sum, const double *a, const Vector *b,
           const int32_t *exponentsA, const IntVector *exponentsB, Vector c) {
  BitsVector bits = reinterpret_cast<BitsVector>(c);
  BitsVector exponentOfC = max((bits >> kDoubleFraction & 0x7ff) - kDoubleBias,
                               BitsVector{} + sum.minExponentOfC);
  exponentOfC = c == 0 ? BitsVector{} + 2 * kExponentOfZero : exponentOfC;
  IntVector largest = __builtin_convertvector(exponentOfC, IntVector);
  for (unsigned i = 0; i < sum.numK; ++i) {
    IntVector exponent = exponentsB[i] + exponentsA[i];
    largest = exponent > largest ? exponent : largest;
  }
  BitsVector quantum = max(__builtin_convertvector(largest, BitsVector),
                           BitsVector{} + kMinLargest) -
                       static_cast<int>(sum.model.alignedBits);
  Vector scale = power(-quantum);
  Vector total = __builtin_elementwise_trunc(c * scale), plain = c;
  for (unsigned i = 0; i < sum.numK; ++i) {
    Vector term = b[i] * a[i];
    plain += term;
    total += __builtin_elementwise_trunc(term * scale);
  }
  total *= power(quantum);
  if (sum.product.type == Accumulator::F32)
    total = cutToF32(total, sum.model.resultBits);
  // Zero has no sign.
  total += 0.0;
  // Infinite or NaN, which the plain sum finds.
  Vector nan = Vector{} + std::numeric_limits<double>::quiet_NaN();
  Vector special = plain == plain ? plain : nan;
  return plain - plain == 0 ? total : special;
}

template <unsigned>
[[gnu::always_inline]] static inline void sumHw(const Sum &sum) {
  unsigned k = sum.product.k;
  for (unsigned panel = 0; panel < sum.product.n / kVectorSize; ++panel) {
    unsigned first = panel * k + sum.firstK;
    const Vector *b = reinterpret_cast<const Vector *>(sum.product.b) + first;
    const IntVector *exponentsB =
        reinterpret_cast<const IntVector *>(sum.exponentsB) + first;
    for (unsigned row = 0; row < kRows; ++row) {
      unsigned at = panel * kRows + row;
      sum.d[at] = sumAligned(sum, sum.product.a + row * k + sum.firstK, b,
                             sum.exponentsA + row * k + sum.firstK, exponentsB,
                             sum.c[at]);
    }
  }
}

//===----------------------------------------------------------------------===//
// Choosing the code for the host
//===----------------------------------------------------------------------===//

template <unsigned Rows>
[[gnu::always_inline]] static inline void runSum(Numerics numerics,
                                                 const Sum &sum) {
  switch (numerics) {
  case Numerics::Exact:
    return sumExact<Rows>(sum);
  case Numerics::F32:
    return sumF32<Rows>(sum);
  case Numerics::Hw:
    return sumHw<Rows>(sum);
  }
}

static void runSumGeneric(Numerics numerics, const Sum &sum) {
  runSum<2>(numerics, sum);
}

#if defined(__x86_64__)
[[gnu::target("avx512f,avx512dq,avx512vl")]] static void
runSumAvx512(Numerics numerics, const Sum &sum) {
  runSum<8>(numerics, sum);
}

[[gnu::target("avx2,fma")]] static void runSumAvx2(Numerics numerics,
                                                   const Sum &sum) {
  runSum<4>(numerics, sum);
}
#endif

using RunSumFn = void (*)(Numerics, const Sum &);

static RunSumFn selectRunSum() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return runSumAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return runSumAvx2;
#endif
  return runSumGeneric;
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

namespace {
/// Reading and writing an accumulator, by its type.
struct F32 {
  using Storage = float;
  static double load(float value) { return value; }
  static float store(double value, bool) {
    if (!std::isnan(value))
      return static_cast<float>(value);
    float nan;
    std::memcpy(&nan, &kNan, sizeof(nan));
    return nan;
  }
  /// A NaN result has all bits set but the sign.
  static constexpr uint32_t kNan = 0x7fffffff;
};

struct F16 {
  using Storage = uint16_t;
  static double load(uint16_t code) { return decodeF16(code); }
  static uint16_t store(double value, bool) {
    // A NaN result has all bits set but the sign.
    return std::isnan(value) ? 0x7fff : Float16::encode(value);
  }
};

struct S32 {
  using Storage = int32_t;
  static double load(int32_t value) { return value; }
  static int32_t store(double value, bool saturates) {
    int64_t sum = static_cast<int64_t>(value);
    if (saturates)
      sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<int32_t>(sum);
  }
};
} // namespace

/// Columns 2q and 2q + 1 of a group are in lane 4 * (row % 8) + q.
template <typename T>
static void loadResults(unsigned n, const void *const *lanes, double *out) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    auto *values = static_cast<const typename T::Storage *>(lanes[lane]);
    for (unsigned i = 0; i < resultsPerLane(n); ++i)
      out[(resultCol(lane, i) / kGroup * kRows + resultRow(lane, i)) * kGroup +
          resultCol(lane, i) % kGroup] = T::load(values[i]);
  }
}

template <typename T>
static void storeResults(unsigned n, const double *sums, bool saturates,
                         void *const *lanes) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    auto *values = static_cast<typename T::Storage *>(lanes[lane]);
    for (unsigned i = 0; i < resultsPerLane(n); ++i)
      values[i] = T::store(
          sums[(resultCol(lane, i) / kGroup * kRows + resultRow(lane, i)) *
                   kGroup +
               resultCol(lane, i) % kGroup],
          saturates);
  }
}

/// Rounds sums that are left to round to the type of the result. What
/// cutToF32 leaves is an f32. Zero has no sign.
static void roundSums(Accumulator type, double *sums, unsigned count) {
  if (type == Accumulator::F16)
    for (unsigned i = 0; i < count; ++i)
      sums[i] = F16::load(F16::store(sums[i], /*saturates=*/false)) + 0.0;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

static constexpr unsigned kMaxN = 256, kMaxK = 32;

/// Adds the sums of a product to `sums`, one part of K after the other.
static void accumulateParts(const Product &product, const SumModel &model,
                            RunSumFn run, Vector *sums) {
  alignas(32) int32_t exponentsA[kRows * kMaxK], exponentsB[kMaxN * kMaxK];
  findExponents(product.a, kRows * product.k, minExponent(product.typeA),
                exponentsA);
  findExponents(product.b, product.n * product.k, minExponent(product.typeB),
                exponentsB);
  unsigned part =
      std::min(model.partBytes / byteWidth(product.typeA), product.k);
  int minExponentOfC =
      product.type == Accumulator::F16 ? kMinExponentF16 : kMinExponentF32;
  for (unsigned k = 0; k < product.k; k += part) {
    run(Numerics::Hw, {product, k, part, sums, sums, model, exponentsA,
                       exponentsB, minExponentOfC});
    roundSums(product.type, reinterpret_cast<double *>(sums),
              kRows * product.n);
  }
}

/// The order in which the emulated instructions take K: of every four elements
/// (a register of A or B) the first two, then the others.
static unsigned emulatedOrder(unsigned k, unsigned numK) {
  return k % 4 / 2 * (numK / 2) + k / 4 * 2 + k % 2;
}

/// mma.sync on 8-bit floats where only f16 is in hardware: two sums of f16,
/// from zero on, then one addition of C.
static void accumulateAsF16(const Product &product, const SumModel &model,
                            RunSumFn run, Vector *sums) {
  alignas(64) double a[kRows * kMaxK], b[kGroup * kMaxK];
  for (unsigned k = 0; k < product.k; ++k) {
    unsigned to = emulatedOrder(k, product.k);
    for (unsigned row = 0; row < kRows; ++row)
      a[row * product.k + to] = product.a[row * product.k + k];
    std::copy_n(product.b + k * kGroup, kGroup, b + to * kGroup);
  }
  Product converted = product;
  converted.a = a;
  converted.b = b;
  converted.typeA = converted.typeB = Element::F16;
  Vector c[kRows];
  std::copy_n(sums, kRows, c);
  std::fill_n(sums, kRows, Vector{});
  // An f16 takes twice the bytes of what it was made of.
  accumulateParts(converted, {model.alignedBits, model.resultBits, product.k},
                  run, sums);
  for (unsigned row = 0; row < kRows; ++row)
    sums[row] += c[row];
}

/// The sums of a warp, C on entry, as the device forms them.
static void accumulateHw(const Product &product, const Arithmetic &arithmetic,
                         RunSumFn run, Vector *sums) {
  SumModel model =
      sumModel(arithmetic.generation, product.isWgmma, product.typeA);
  if (model.convertsToF16)
    accumulateAsF16(product, model, run, sums);
  else
    accumulateParts(product, model, run, sums);
}

template <typename T>
static void multiplyAs(const Product &product, const void *const *c,
                       void *const *d, const Arithmetic &arithmetic) {
  static const RunSumFn run = selectRunSum();
  Vector sums[kRows * kMaxN / kVectorSize];
  double *values = reinterpret_cast<double *>(sums);
  if (c)
    loadResults<T>(product.n, c, values);
  else
    std::fill_n(values, kRows * product.n, 0.0);
  // Sums of integers are exact in all ways.
  if (isInteger(product.typeA))
    run(Numerics::Exact, {product, 0, product.k, sums, sums, {}, {}, {}, {}});
  else if (arithmetic.numerics == Numerics::Hw)
    accumulateHw(product, arithmetic, run, sums);
  else
    run(arithmetic.numerics,
        {product, 0, product.k, sums, sums, {}, {}, {}, {}});
  storeResults<T>(product.n, values, arithmetic.saturates, d);
}

void mlir::lpgemm::emulator::tensorcore::multiply(
    const Product &product, const void *const *c, void *const *d,
    const Arithmetic &arithmetic) {
  switch (product.type) {
  case Accumulator::F32:
    return multiplyAs<F32>(product, c, d, arithmetic);
  case Accumulator::F16:
    return multiplyAs<F16>(product, c, d, arithmetic);
  case Accumulator::S32:
    return multiplyAs<S32>(product, c, d, arithmetic);
  }
}
