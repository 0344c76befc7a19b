//===- fake_cuda.c - a CUDA driver without a GPU --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A libcuda.so.1 that plays what LPGEMM's runtime calls. Memory of the device
// is memory of the host at other addresses, so that a pointer of one side used
// on the other is an error. A launch is written to stderr; if it is that of a
// product of f8E4M3FN with tensor scales and a bf16 result, it is computed.
//
// The environment tells what goes wrong: FAKE_CUDA_FAIL names a function that
// fails, FAKE_CUDA_WRONG makes the product wrong, FAKE_CUDA_WILD makes it write
// behind a row.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Address;

struct Attribute {
  int id;
  _Alignas(8) unsigned value[16];
};

struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  struct Attribute *attributes;
  unsigned numAttributes;
};

enum { invalidValue = 1, noDevice = 100, invalidContext = 201 };

static const Address deviceBase = (Address)1 << 44;
static int contexts, maxSharedBytes = 48 * 1024;
static char name[64];

/// What a call of a function returns.
static int end(const char *function) {
  const char *failing = getenv("FAKE_CUDA_FAIL");
  return failing && strcmp(failing, function) == 0 ? invalidValue : 0;
}

static void *toHost(Address address) {
  return (void *)(uintptr_t)(address - deviceBase);
}

//===----------------------------------------------------------------------===//
// Devices, memory and modules
//===----------------------------------------------------------------------===//

int cuInit(unsigned flags) {
  return getenv("FAKE_CUDA_NO_DEVICE") ? noDevice : 0;
}

int cuGetErrorString(int code, const char **text) {
  *text = code == noDevice ? "no CUDA-capable device is detected"
                           : "invalid argument";
  return 0;
}

int cuCtxGetCurrent(void **context) {
  *context = contexts ? &contexts : NULL;
  return 0;
}

int cuCtxPushCurrent_v2(void *context) {
  ++contexts;
  return end("cuCtxPushCurrent");
}

int cuCtxPopCurrent_v2(void **context) {
  --contexts;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &contexts;
  return end("cuDevicePrimaryCtxRetain");
}

int cuCtxSynchronize(void) { return end("cuCtxSynchronize"); }

int cuCtxGetDevice(int *device) {
  *device = 0;
  return end("cuCtxGetDevice");
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = 3;
  return end("cuDeviceGetAttribute");
}

int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, Address base,
                           const uint64_t *dims, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *elementStrides,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  memset(map, 1, 128);
  fprintf(stderr, "map type %d dims %u %u stride %u box %u %u swizzle %d%s\n",
          type, (unsigned)dims[0], (unsigned)dims[1], (unsigned)strides[0],
          box[0], box[1], swizzle, base < deviceBase ? " of the host" : "");
  return end("cuTensorMapEncodeTiled");
}

int cuMemAlloc_v2(Address *address, size_t bytes) {
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = (Address)(uintptr_t)memory + deviceBase;
  return contexts ? end("cuMemAlloc") : invalidContext;
}

int cuMemFree_v2(Address address) {
  free(toHost(address));
  return end("cuMemFree");
}

int cuMemsetD8_v2(Address address, unsigned char value, size_t bytes) {
  memset(toHost(address), value, bytes);
  return end("cuMemsetD8");
}

int cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  memcpy(toHost(to), from, bytes);
  return end("cuMemcpyHtoD");
}

int cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  memcpy(to, toHost(from), bytes);
  return end("cuMemcpyDtoH");
}

int cuModuleLoadData(void **module, const void *data) {
  int isCubin = memcmp(data, "\177ELF", 4) == 0;
  fprintf(stderr, "module of %s\n", isCubin ? "a cubin" : "PTX");
  *module = &contexts;
  return end("cuModuleLoadData");
}

int cuModuleUnload(void *module) {
  fprintf(stderr, "module unloaded\n");
  return end("cuModuleUnload");
}

int cuModuleGetFunction(void **function, void *module, const char *wanted) {
  snprintf(name, sizeof(name), "%s", wanted);
  *function = name;
  return end("cuModuleGetFunction");
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute == 8)
    maxSharedBytes = value;
  return end("cuFuncSetAttribute");
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

int cuStreamCreate(void **stream, unsigned flags) {
  *stream = &maxSharedBytes;
  return end("cuStreamCreate");
}
int cuStreamDestroy_v2(void *stream) { return end("cuStreamDestroy"); }
int cuStreamSynchronize(void *stream) { return end("cuStreamSynchronize"); }

int cuEventCreate(void **event, unsigned flags) {
  *event = name;
  return end("cuEventCreate");
}
int cuEventDestroy_v2(void *event) { return end("cuEventDestroy"); }
int cuEventRecord(void *event, void *stream) {
  return stream == &maxSharedBytes ? end("cuEventRecord") : invalidValue;
}
int cuEventSynchronize(void *event) { return end("cuEventSynchronize"); }
int cuEventElapsedTime(float *time, void *first, void *last) {
  *time = 0.125f;
  return end("cuEventElapsedTime");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// OCP 8-bit Floating Point Specification 1.0, E4M3.
static float decode(uint8_t code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  float value = exponent == 15 && mantissa == 7 ? NAN
                : exponent == 0 ? ldexpf(mantissa, -9)
                                : ldexpf(8 + mantissa, exponent - 10);
  return code >> 7 ? -value : value;
}

/// To the nearest, to even of two.
static uint16_t roundToBF16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

static Address getAddress(void **arguments, int i) {
  return *(const Address *)arguments[i];
}

/// The arguments: lhs, rhs, their scales, result, M, N, K, three pitches.
static void multiply(void **arguments) {
  const uint8_t *a = toHost(getAddress(arguments, 0));
  const uint8_t *b = toHost(getAddress(arguments, 1));
  float scale = *(const float *)toHost(getAddress(arguments, 2)) *
                *(const float *)toHost(getAddress(arguments, 3));
  uint16_t *d = toHost(getAddress(arguments, 4));
  int32_t size[3];
  int64_t pitch[3];
  for (int i = 0; i != 3; ++i) {
    size[i] = *(const int32_t *)arguments[5 + i];
    pitch[i] = *(const int64_t *)arguments[8 + i];
  }
  if (getenv("FAKE_CUDA_WRONG"))
    scale *= 2;
  for (int32_t row = 0; row != size[0]; ++row)
    for (int32_t column = 0; column != size[1]; ++column) {
      double sum = 0;
      for (int32_t k = 0; k != size[2]; ++k)
        sum += (double)decode(a[row * pitch[0] + k]) *
               decode(b[column * pitch[1] + k]);
      d[row * pitch[2] + column] = roundToBF16(sum * scale);
    }
  if (getenv("FAKE_CUDA_WILD"))
    d[size[1]] = 0;
}

int cuLaunchKernelEx(const struct Config *config, void *function,
                     void **arguments, void **extra) {
  fprintf(stderr, "launch %s grid %u %u %u block %u %u %u", (char *)function,
          config->grid[0], config->grid[1], config->grid[2], config->block[0],
          config->block[1], config->block[2]);
  for (unsigned i = 0; i != config->numAttributes; ++i)
    fprintf(stderr, " attribute %d: %u %u %u", config->attributes[i].id,
            config->attributes[i].value[0], config->attributes[i].value[1],
            config->attributes[i].value[2]);
  fprintf(stderr, "\n");
  if ((int)config->sharedBytes > maxSharedBytes)
    return invalidValue;
  multiply(arguments);
  return end("cuLaunchKernel");
}
