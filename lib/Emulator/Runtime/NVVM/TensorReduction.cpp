//===- TensorReduction.cpp - reductions of tensors ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/TensorReduction.h"

#include "Formats.h"

#include <cstring>
#include <mutex>
#include <type_traits>

using namespace mlir::lpgemm::emulator;

// PTX ISA, "cp.reduce.async.bulk": which operation there is of which type.

static constexpr const char *kNames[] = {"add", "min", "max", "inc",
                                         "dec", "and", "or",  "xor"};

static constexpr uint32_t setOf(TensorReduction reduction) {
  return 1u << static_cast<uint32_t>(reduction);
}

static constexpr uint32_t kAdd = setOf(TensorReduction::Add);
static constexpr uint32_t kMinMax =
    setOf(TensorReduction::Min) | setOf(TensorReduction::Max);
static constexpr uint32_t kIncDec =
    setOf(TensorReduction::Inc) | setOf(TensorReduction::Dec);
static constexpr uint32_t kBitwise = setOf(TensorReduction::And) |
                                     setOf(TensorReduction::Or) |
                                     setOf(TensorReduction::Xor);

static uint32_t reductionsOf(TensorType type) {
  switch (type) {
  case TensorType::UInt32:
    return kAdd | kMinMax | kIncDec | kBitwise;
  case TensorType::Int32:
  case TensorType::UInt64:
    return kAdd | kMinMax | kBitwise;
  case TensorType::Int64:
    return kMinMax | kBitwise;
  case TensorType::Float16:
  case TensorType::BFloat16:
    return kAdd | kMinMax;
  case TensorType::Float32:
  case TensorType::Float32Ftz:
  case TensorType::Float64:
    return kAdd;
  default:
    return 0;
  }
}

std::string
mlir::lpgemm::emulator::checkTensorReduction(TensorType type,
                                             TensorReduction reduction) {
  if (reductionsOf(type) & setOf(reduction))
    return "";
  return std::string("there is no reduction '") +
         kNames[static_cast<uint32_t>(reduction)] + "' of " +
         std::string(tensorTypeName(type));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
using Half = Minifloat<5, 10, Specials::InfAndNan>;
using BHalf = Minifloat<8, 7, Specials::InfAndNan>;
} // namespace

/// Integers wrap.
template <typename T>
static T combineIntegers(TensorReduction reduction, T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (reduction) {
  case TensorReduction::Add:
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  case TensorReduction::Min:
    return std::min(a, b);
  case TensorReduction::Max:
    return std::max(a, b);
  case TensorReduction::Inc:
    return a >= b ? 0 : a + 1;
  case TensorReduction::Dec:
    return a == 0 || a > b ? b : a - 1;
  case TensorReduction::And:
    return a & b;
  case TensorReduction::Or:
    return a | b;
  case TensorReduction::Xor:
    return a ^ b;
  }
  return a;
}

/// A NaN gives way to a number (PTX ISA, "red").
template <typename T>
static T combineFloats(TensorReduction reduction, T a, T b) {
  if (reduction == TensorReduction::Add)
    return a + b;
  return reduction == TensorReduction::Min ? std::fmin(a, b) : std::fmax(a, b);
}

template <typename Format>
static uint16_t combineHalves(TensorReduction reduction, uint16_t a,
                              uint16_t b) {
  return Format::encode(
      combineFloats<double>(reduction, Format::decode(a), Format::decode(b)));
}

template <typename T, typename Fn>
static void forEachElement(void *target, const void *source, uint32_t bytes,
                           Fn &&combine) {
  for (uint32_t i = 0; i < bytes; i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, static_cast<char *>(target) + i, sizeof(T));
    std::memcpy(&b, static_cast<const char *>(source) + i, sizeof(T));
    a = combine(a, b);
    std::memcpy(static_cast<char *>(target) + i, &a, sizeof(T));
  }
}

void mlir::lpgemm::emulator::reduceTensor(TensorType type,
                                          TensorReduction reduction,
                                          void *target, const void *source,
                                          uint32_t bytes) {
  // Other workgroups, in other threads, reduce the same elements.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  auto integers = [&](auto zero) {
    using T = decltype(zero);
    forEachElement<T>(target, source, bytes, [&](T a, T b) {
      return combineIntegers<T>(reduction, a, b);
    });
  };
  auto floats = [&](auto zero) {
    using T = decltype(zero);
    forEachElement<T>(target, source, bytes, [&](T a, T b) {
      return combineFloats<T>(reduction, a, b);
    });
  };
  auto halves = [&](auto combine) {
    forEachElement<uint16_t>(
        target, source, bytes,
        [&](uint16_t a, uint16_t b) { return combine(reduction, a, b); });
  };
  switch (type) {
  case TensorType::UInt32:
    return integers(uint32_t(0));
  case TensorType::Int32:
    return integers(int32_t(0));
  case TensorType::UInt64:
    return integers(uint64_t(0));
  case TensorType::Int64:
    return integers(int64_t(0));
  case TensorType::Float16:
    return halves(combineHalves<Half>);
  case TensorType::BFloat16:
    return halves(combineHalves<BHalf>);
  case TensorType::Float64:
    return floats(0.0);
  default:
    return floats(0.0f);
  }
}
