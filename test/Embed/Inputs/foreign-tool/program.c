//===- program.c - calls host code, in place of a GPU ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: program M H N K SIGNATURE SIGNATURE
//
// A signature has a letter for each argument of a kernel: p, i (32 bits), l (64
// bits) or f. Prints the launches of mlp.mlir, with pointers by the name of
// what they point to. The first kernel is played: it writes the codes 0, 1, 2
// and so on. What is left of them when the second one is launched is printed as
// well.
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

void _mlir_ciface_mlp(struct MemRef2D *result, struct MemRef2D *x,
                      struct MemRef2D *w, struct MemRef2D *sx,
                      struct MemRef2D *sw, struct MemRef2D *h,
                      struct MemRef2D *v, struct MemRef2D *sh,
                      struct MemRef2D *sv, struct MemRef2D *y);

static const char *names[] = {"x", "w", "sx", "sw", "h", "v", "sh", "sv", "y"};
static struct MemRef2D operands[9];
static const int64_t elementBytes[] = {1, 1, 1, 1, 1, 1, 4, 4, 2};
static char **signatures;
static int numLaunches;

/// Each has another number of elements behind a row, and in front of all.
static void allocate(int index, int64_t rows, int64_t columns) {
  int64_t padding = index + 1, pitch = columns + padding;
  void *data = calloc(padding + rows * pitch + 1, elementBytes[index]);
  operands[index] =
      (struct MemRef2D){data, data, padding, {rows, columns}, {pitch, 1}};
}

static void printPointer(const char *value) {
  for (int i = 0; i != 9; ++i) {
    int64_t offset = value - (const char *)operands[i].aligned;
    int64_t end = operands[i].sizes[0] * operands[i].strides[0];
    if (offset >= 0 && offset <= end * elementBytes[i])
      printf(" %s+%" PRId64, names[i], offset);
  }
}

static void printArgument(char type, const void *value) {
  if (type == 'p')
    printPointer(*(char *const *)value);
  else if (type == 'i')
    printf(" i32:%" PRId32, *(const int32_t *)value);
  else
    printf(" i64:%" PRId64, *(const int64_t *)value);
}

static void playFirst(void) {
  struct MemRef2D h = operands[4];
  for (int64_t i = 0; i != h.sizes[0] * h.sizes[1]; ++i)
    ((uint8_t *)
         h.aligned)[h.offset + i / h.sizes[1] * h.strides[0] + i % h.sizes[1]] =
        i;
}

static void printHidden(void) {
  struct MemRef2D h = operands[4];
  int64_t sum = 0, negative = 0;
  for (int64_t i = 0; i != h.sizes[0] * h.sizes[1]; ++i) {
    uint8_t code =
        ((uint8_t *)h.aligned)[h.offset + i / h.sizes[1] * h.strides[0] +
                               i % h.sizes[1]];
    sum += code;
    negative += code >> 7;
  }
  printf("hidden: sum of codes %" PRId64 ", %" PRId64 " negative\n", sum,
         negative);
}

// What upstream's lowering of the gpu dialect calls.

/// Writes the object to the next of the files object.0, object.1, ...
static void *load(const void *data, size_t size) {
  static int number;
  char name[] = "object.0";
  name[sizeof(name) - 2] += number++;
  FILE *file = fopen(name, "wb");
  fwrite(data, 1, size, file);
  fclose(file);
  return file;
}

void *mgpuModuleLoad(const void *data, size_t size) { return load(data, size); }
void *mgpuModuleLoadJIT(void *data, int level) {
  (void)level;
  return load(data, strlen(data));
}
void mgpuModuleUnload(void *module) { (void)module; }
void *mgpuModuleGetFunction(void *module, const char *name) {
  (void)module;
  return (void *)name;
}
void *mgpuStreamCreate(void) { return NULL; }
void mgpuStreamDestroy(void *stream) { (void)stream; }
void mgpuStreamSynchronize(void *stream) { (void)stream; }

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedMemory, void *stream,
                      void **arguments, void **extra, size_t numArguments) {
  (void)stream;
  (void)extra;
  if (numLaunches == 1)
    printHidden();
  printf("launch %s grid %" PRIdPTR " %" PRIdPTR " %" PRIdPTR " block %" PRIdPTR
         " %" PRIdPTR " %" PRIdPTR " shared %" PRId32 " arguments %zu",
         (const char *)function, gridX, gridY, gridZ, blockX, blockY, blockZ,
         sharedMemory, numArguments);
  const char *signature = numLaunches < 2 ? signatures[numLaunches] : "";
  for (size_t i = 0; i != numArguments && signature[i]; ++i)
    printArgument(signature[i], arguments[i]);
  printf("\n");
  if (numLaunches++ == 0)
    playFirst();
}

int main(int argc, char **argv) {
  if (argc != 7)
    return 1;
  int64_t m = atoi(argv[1]), h = atoi(argv[2]), n = atoi(argv[3]),
          k = atoi(argv[4]);
  signatures = argv + 5;
  int64_t mxBlocks = (k + 31) / 32, blocks = (h + 127) / 128;
  allocate(0, m, k);
  allocate(1, h, k);
  allocate(2, m, mxBlocks);
  allocate(3, h, mxBlocks);
  allocate(4, m, h);
  allocate(5, n, h);
  allocate(6, m, blocks);
  allocate(7, (n + 127) / 128, blocks);
  allocate(8, m, n);
  struct MemRef2D result, *o = operands;
  _mlir_ciface_mlp(&result, o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6, o + 7,
                   o + 8);
  printf("result");
  printPointer(result.aligned);
  printf(" offset %" PRId64 " sizes %" PRId64 " %" PRId64 "\n", result.offset,
         result.sizes[0], result.sizes[1]);
  return 0;
}
