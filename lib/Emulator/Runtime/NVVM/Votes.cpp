//===- Votes.cpp - votes and reductions of an NVIDIA warp -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/WarpOps.h"

#include "Abi.h"

using namespace mlir::lpgemm::emulator;

// The lanes of the member mask meet; the last one does the work of all. None of
// these operations orders memory accesses (PTX ISA, "vote.sync").

namespace {
struct Contribution {
  uint64_t value;
  uint64_t *result;
};
} // namespace

/// Calls `fn` with each lane's value, and returns what it returned in the end.
/// `fn` gets the lanes that take part.
template <typename Fn>
static uint64_t exchange(uint32_t site, uint32_t mask, uint64_t value,
                         Fn &&compute) {
  checkMember(Machine::current(), site, mask);
  uint64_t result = 0;
  waveOperation(
      site, Contribution{value, &result},
      [&](Machine &machine) {
        uint32_t lanes = presentLanes(machine, mask);
        auto valueOf = [&](uint32_t lane) {
          return operandsOf<Contribution>(machine, lane).value;
        };
        for (uint32_t left = lanes; left; left &= left - 1) {
          uint32_t lane = __builtin_ctz(left);
          *operandsOf<Contribution>(machine, lane).result =
              compute(lanes, valueOf, lane);
        }
      },
      mask);
  return result;
}

/// Of those in `lanes`, the ones whose value is `wanted`.
template <typename Fn>
static uint32_t lanesWith(uint32_t lanes, Fn &&valueOf, uint64_t wanted) {
  uint32_t result = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = __builtin_ctz(left);
    if (valueOf(lane) == wanted)
      result |= 1u << lane;
  }
  return result;
}

namespace {
/// Numbered as NVVM::VoteSyncKind.
enum VoteKind : uint32_t { Any, All, Ballot, Uniform };
} // namespace

uint32_t emu_nvvm_vote_sync(uint32_t site, uint32_t mask, uint32_t predicate,
                            uint32_t kind) {
  return exchange(site, mask, predicate != 0,
                  [kind](uint32_t lanes, auto &&valueOf, uint32_t) -> uint64_t {
                    uint32_t votes = lanesWith(lanes, valueOf, 1);
                    switch (kind) {
                    case Any:
                      return votes != 0;
                    case All:
                      return votes == lanes;
                    case Uniform:
                      return votes == 0 || votes == lanes;
                    default:
                      return votes;
                    }
                  });
}

uint32_t emu_nvvm_match_any_sync(uint32_t site, uint32_t mask, uint64_t value) {
  return exchange(site, mask, value,
                  [](uint32_t lanes, auto &&valueOf, uint32_t lane) {
                    return lanesWith(lanes, valueOf, valueOf(lane));
                  });
}

uint64_t emu_nvvm_match_all_sync(uint32_t site, uint32_t mask, uint64_t value) {
  return exchange(
      site, mask, value, [](uint32_t lanes, auto &&valueOf, uint32_t lane) {
        bool isAll = lanesWith(lanes, valueOf, valueOf(lane)) == lanes;
        return isAll ? uint64_t(1) << 32 | lanes : 0;
      });
}

/// Numbered as NVVM::ReduxKind.
static uint32_t combine(uint32_t kind, uint32_t a, uint32_t b) {
  enum : uint32_t { Add = 1, And, Max, Min, Or, UMax, UMin, Xor };
  switch (kind) {
  case Add:
    return a + b;
  case And:
    return a & b;
  case Max:
    return std::max(int32_t(a), int32_t(b));
  case Min:
    return std::min(int32_t(a), int32_t(b));
  case Or:
    return a | b;
  case UMax:
    return std::max(a, b);
  case UMin:
    return std::min(a, b);
  default:
    return a ^ b;
  }
}

uint32_t emu_nvvm_redux_sync(uint32_t site, uint32_t mask, uint32_t value,
                             uint32_t kind) {
  return exchange(
      site, mask, value, [kind](uint32_t lanes, auto &&valueOf, uint32_t) {
        uint32_t result = valueOf(__builtin_ctz(lanes));
        for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
          result = combine(kind, result, valueOf(__builtin_ctz(lanes)));
        return result;
      });
}
