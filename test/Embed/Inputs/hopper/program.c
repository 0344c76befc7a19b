//===- program.c - calls host code, in place of a GPU ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: program M N K
//
// Prints the launches of matmul.mlir, with pointers by the name of what they
// point to. A tensor map is the name of its matrix.
//
//===----------------------------------------------------------------------===//

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct MemRef2D {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

struct Scalar {
  void *allocated, *aligned;
  int64_t offset;
};

struct Results {
  struct MemRef2D first, second;
};

void _mlir_ciface_products(struct Results *results, struct MemRef2D *a,
                           struct MemRef2D *b, struct Scalar *sa,
                           struct Scalar *sb, struct MemRef2D *d,
                           struct MemRef2D *e);

enum { count = 6, mapBytes = 128 };
static const char *const names[count] = {"a", "b", "sa", "sb", "d", "e"};
/// Places that nobody reads: as far apart as no matrix is long.
static const uintptr_t step = (uintptr_t)1 << 40;

static void *getPlace(int index) { return (void *)((index + 1) * step); }

static const char *getName(const void *place) {
  uintptr_t index = (uintptr_t)place / step;
  return (uintptr_t)place % step == 0 && index >= 1 && index <= count
             ? names[index - 1]
             : "?";
}

static struct MemRef2D makeMatrix(int index, int64_t rows, int64_t columns,
                                  int64_t pitch) {
  struct MemRef2D matrix = {
      getPlace(index), getPlace(index), 0, {rows, columns}, {pitch, 1}};
  return matrix;
}

//===----------------------------------------------------------------------===//
// What the host code of LPGEMM calls
//===----------------------------------------------------------------------===//

int32_t lpgemmEncodeTensorMap(void *map, const void *base, int32_t element,
                              int64_t cols, int64_t rows, int64_t pitchBytes,
                              int32_t boxCols, int32_t boxRows,
                              int32_t swizzleBytes) {
  memset(map, 0, mapBytes);
  snprintf(map, mapBytes, "map of %s", getName(base));
  printf("encode %s type %" PRId32 " %" PRId64 "x%" PRId64 " pitch %" PRId64
         " box %" PRId32 "x%" PRId32 " swizzle %" PRId32 "\n",
         getName(base), element, rows, cols, pitchBytes, boxRows, boxCols,
         swizzleBytes);
  // The last byte has to arrive, too.
  ((char *)map)[mapBytes - 1] = '!';
  return 0;
}

int32_t lpgemmGetMultiprocessorCount(void) { return 5; }

//===----------------------------------------------------------------------===//
// What upstream's lowering of the gpu dialect calls
//===----------------------------------------------------------------------===//

void *mgpuModuleLoadJIT(void *data, int level) {
  printf("module of PTX: %s\n",
         strstr(data, ".target sm_90a") ? "for sm_90a" : "?");
  return data;
}
void mgpuModuleUnload(void *module) {}
void *mgpuModuleGetFunction(void *module, const char *name) {
  return (void *)name;
}
void *mgpuStreamCreate(void) { return (void *)names; }
void mgpuStreamDestroy(void *stream) {}
void mgpuStreamSynchronize(void *stream) {}

/// Five addresses, M, N, K, the pitches of the three matrices, and three maps.
static void printLaunch(const char *name, const intptr_t *cluster,
                        const intptr_t *grid, const intptr_t *block,
                        int32_t sharedBytes, void **arguments) {
  printf("launch %s", name);
  if (cluster)
    printf(" cluster %" PRIdPTR " %" PRIdPTR " %" PRIdPTR, cluster[0],
           cluster[1], cluster[2]);
  printf(" grid %" PRIdPTR " %" PRIdPTR " %" PRIdPTR " block %" PRIdPTR
         " %" PRIdPTR " %" PRIdPTR " shared %" PRId32 ":",
         grid[0], grid[1], grid[2], block[0], block[1], block[2], sharedBytes);
  for (int i = 0; i != 5; ++i)
    printf(" %s", getName(*(void **)arguments[i]));
  for (int i = 5; i != 8; ++i)
    printf(" %" PRId32, *(int32_t *)arguments[i]);
  for (int i = 8; i != 11; ++i)
    printf(" %" PRId64, *(int64_t *)arguments[i]);
  for (int i = 11; i != 14; ++i)
    printf(", %s%c", (char *)arguments[i],
           ((char *)arguments[i])[mapBytes - 1]);
  printf("\n");
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **arguments, void **extra, size_t numArguments) {
  const intptr_t grid[] = {gridX, gridY, gridZ};
  const intptr_t block[] = {blockX, blockY, blockZ};
  if (numArguments != 14)
    printf("%zu arguments\n", numArguments);
  printLaunch(function, NULL, grid, block, sharedBytes, arguments);
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **arguments, void **extra) {
  const intptr_t cluster[] = {clusterX, clusterY, clusterZ};
  const intptr_t grid[] = {gridX, gridY, gridZ};
  const intptr_t block[] = {blockX, blockY, blockZ};
  printLaunch(function, cluster, grid, block, sharedBytes, arguments);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 1;
  int64_t m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]);
  struct MemRef2D a = makeMatrix(0, m, k, 1024), b = makeMatrix(1, n, k, 2048);
  struct MemRef2D d = makeMatrix(4, m, n, 4096), e = makeMatrix(5, m, n, 8192);
  struct Scalar sa = {getPlace(2), getPlace(2), 0};
  struct Scalar sb = {getPlace(3), getPlace(3), 0};
  struct Results results;
  _mlir_ciface_products(&results, &a, &b, &sa, &sb, &d, &e);
  printf("results %s %s\n", getName(results.first.aligned),
         getName(results.second.aligned));
  return 0;
}
