//===- ManifestWriter.cpp - a manifest as JSON and for people -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Compile/Manifest.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::formatv;
namespace json = llvm::json;

/// Changes whenever a reader of the file before would misread it.
static constexpr int64_t kFormatVersion = 3;

/// Such as "f8E4M3FN", "#lpgemm.scale<mx>"; null for a null attribute or type.
template <typename T>
static json::Value printOrNull(T value) {
  if (!value)
    return nullptr;
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << value;
  return text;
}

static json::Value textOrNull(StringRef text) {
  return text.empty() ? json::Value(nullptr) : json::Value(text);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace mlir::lpgemm {
/// Writes the parts of a manifest, in the order of docs/manifest.md.
class ManifestWriter {
public:
  ManifestWriter(const Manifest &manifest, json::OStream &stream)
      : manifest(manifest), json(stream) {}

  void write();

private:
  void writeKernel(const KernelRecord &kernel);
  void writeSource(const KernelRecord &kernel);
  void writeArgument(const KernelInterface &interface,
                     const KernelArgument &argument);
  void writeTensorMap(const KernelInterface &interface,
                      const KernelArgument &map);
  void writeChecks(const KernelInterface &interface);
  void writeResources(const KernelRecord &kernel);
  void writeNVIDIAResources(const NVIDIAResources &resources);
  void writeOccupancy(const Occupancy &occupancy);
  void writeLaunch(const KernelRecord &kernel);
  void writeNull(StringRef key) { json.attribute(key, nullptr); }

  const Manifest &manifest;
  json::OStream &json;
};
} // namespace mlir::lpgemm

/// The op and its place; what is not known of a kernel by hand is null.
void ManifestWriter::writeSource(const KernelRecord &kernel) {
  StringRef op, function;
  if (kernel.interface) {
    op = kernel.interface->op;
    function = kernel.interface->function;
  }
  json.attribute("op", textOrNull(op));
  json.attribute("function", textOrNull(function));
  json.attribute("location", textOrNull(kernel.location));
}

void ManifestWriter::writeArgument(const KernelInterface &interface,
                                   const KernelArgument &argument) {
  using Kind = KernelArgument::Kind;
  json.attribute("name", argument.getName());
  switch (argument.kind) {
  case Kind::Extent:
    json.attribute("kind", "extent");
    json.attribute("type", "i32");
    return;
  case Kind::Pitch:
    json.attribute("kind", "pitch");
    json.attribute("type", "i64");
    json.attribute("operand", argument.subject);
    json.attribute(
        "unit_bytes",
        getUnitBytes(interface.lookupAddress(argument.subject).elementType));
    return;
  case Kind::Stride:
    json.attribute("kind", "stride");
    json.attribute("type", "i64");
    json.attribute("operand", argument.subject);
    json.attribute(
        "unit_bytes",
        getUnitBytes(interface.lookupAddress(argument.subject).elementType));
    json.attribute("extent", interface.extents[argument.batchDim]);
    return;
  case Kind::Factor:
    json.attribute("kind", "factor");
    json.attribute("type", "f32");
    return;
  case Kind::TensorMap:
    writeTensorMap(interface, argument);
    return;
  case Kind::Workgroups:
    json.attribute("kind", "workgroups");
    json.attribute("type", "i32");
    return;
  case Kind::Workspace:
    json.attribute("kind", "workspace");
    json.attribute("type", "address");
    json.attribute("bytes", interface.printWorkspaceBytes());
    return;
  case Kind::Address:
    json.attribute("kind", "operand");
    json.attribute("type", "address");
    json.attribute("element_type", printOrNull(argument.elementType));
    json.attributeArray("shape", [&] {
      for (AffineExpr expr : argument.shape)
        json.value(interface.print(expr));
    });
    json.attribute("scale", printOrNull(argument.scale.value_or(ScaleAttr())));
    json.attribute("written", argument.isWritten);
  }
}

void ManifestWriter::writeTensorMap(const KernelInterface &interface,
                                    const KernelArgument &map) {
  json.attribute("kind", "tensor_map");
  json.attribute("type", "tensor_map");
  json.attribute("operand", map.subject);
  json.attribute("element_type",
                 printOrNull(interface.lookupAddress(map.subject).elementType));
  json.attribute("box", json::Array(map.box));
  json.attribute("swizzle_bytes", map.swizzleBytes);
}

void ManifestWriter::writeChecks(const KernelInterface &interface) {
  auto write = [&](StringRef value, int64_t atMost, json::Value unless) {
    json.object([&] {
      json.attribute("value", value);
      json.attribute("at_most", atMost);
      json.attribute("unless", std::move(unless));
    });
  };
  for (const KernelArgument &argument : interface.arguments) {
    if (!argument.atMost)
      continue;
    json::Value unless = nullptr;
    if (argument.kind == KernelArgument::Kind::Pitch) {
      const KernelArgument &operand = interface.lookupAddress(argument.subject);
      unsigned row = interface.getMatrixDims(operand).front();
      if (!operand.hasTiledLayout())
        unless = interface.print(operand.shape[row]) + " <= 1";
    }
    write(argument.getName(), argument.atMost, std::move(unless));
  }
  write(interface.printGrid(), interface.maxWorkgroups, nullptr);
}

void ManifestWriter::writeOccupancy(const Occupancy &occupancy) {
  json.attribute("waves_per_simd", occupancy.getWaves());
  json.attributeObject("limits", [&] {
    json.attribute("vector_registers", occupancy.vectorRegisters);
    json.attribute("scalar_registers", occupancy.scalarRegisters);
    json.attribute("shared_memory", occupancy.sharedMemory);
    json.attribute("chip", occupancy.chip);
  });
}

void ManifestWriter::writeResources(const KernelRecord &kernel) {
  const KernelResources &resources = *kernel.resources;
  json.attribute("vector_registers", resources.vectorRegisters);
  json.attribute("accumulation_registers", resources.accumulationRegisters);
  json.attribute("scalar_registers", resources.scalarRegisters);
  json.attribute("vector_spills", resources.vectorSpills);
  json.attribute("scalar_spills", resources.scalarSpills);
  json.attribute("shared_memory_bytes", resources.sharedMemoryBytes);
  json.attribute("scratch_bytes", resources.scratchBytes);
  json.attribute("wave_size", resources.waveSize);
  if (std::optional<Occupancy> occupancy = manifest.getOccupancy(kernel))
    json.attributeObject("occupancy", [&] { writeOccupancy(*occupancy); });
  else
    writeNull("occupancy");
}

void ManifestWriter::writeNVIDIAResources(const NVIDIAResources &resources) {
  json.attribute("registers", resources.registers);
  json.attribute("spill_store_bytes", resources.spillStoreBytes);
  json.attribute("spill_load_bytes", resources.spillLoadBytes);
  json.attribute("stack_bytes", resources.stackBytes);
  json.attribute("static_shared_memory_bytes",
                 resources.staticSharedMemoryBytes);
  json.attribute("barriers", resources.barriers);
}

void ManifestWriter::writeKernel(const KernelRecord &kernel) {
  json.attribute("name", kernel.name);
  json.attributeObject("source", [&] { writeSource(kernel); });
  json.attribute("schedule", printOrNull(kernel.schedule));
  if (const auto &interface = kernel.interface) {
    json.attributeArray("arguments", [&] {
      for (const KernelArgument &argument : interface->arguments)
        json.object([&] { writeArgument(*interface, argument); });
    });
    json.attribute("grid", json::Array{interface->printGrid(), "1", "1"});
    json.attributeArray("checks", [&] { writeChecks(*interface); });
  } else {
    for (StringRef key : {"arguments", "grid", "checks"})
      writeNull(key);
  }
  auto arrayOrNull = [](ArrayRef<int32_t> sizes) -> json::Value {
    return sizes.empty() ? json::Value(nullptr) : json::Array(sizes);
  };
  json.attribute("block", arrayOrNull(kernel.block));
  json.attribute("cluster", arrayOrNull(kernel.cluster));
  if (kernel.interface)
    json.attribute("persistent", kernel.interface->isPersistent);
  else
    writeNull("persistent");
  json.attribute("dynamic_shared_memory_bytes",
                 kernel.dynamicSharedMemoryBytes);
  if (kernel.resources)
    json.attributeObject("resources", [&] { writeResources(kernel); });
  else if (kernel.nvidiaResources)
    json.attributeObject(
        "resources", [&] { writeNVIDIAResources(*kernel.nvidiaResources); });
  else
    writeNull("resources");
}

void ManifestWriter::writeLaunch(const KernelRecord &kernel) {
  writeSource(kernel);
  std::string bytes =
      kernel.interface ? kernel.interface->printWorkspaceBytes() : "";
  json.attribute("workspace_bytes", bytes.empty() ? json::Value(0) : bytes);
  auto writeStep = [&](StringRef kind, StringRef name) {
    json.object([&] {
      json.attribute("kind", kind);
      json.attribute("kernel", name);
    });
  };
  json.attributeArray("steps", [&] {
    if (kernel.interface)
      for (StringRef fill : kernel.interface->fills)
        writeStep("fill", fill);
    writeStep("launch", kernel.name);
    if (kernel.interface)
      for (StringRef sum : kernel.interface->sums)
        writeStep("sum", sum);
  });
}

void ManifestWriter::write() {
  json.attribute("format_version", kFormatVersion);
  json.attribute("tool", "lpgemm-compile");
  json.attribute("tool_version", LPGEMM_VERSION_STRING);
  json.attribute("llvm_version", LLVM_VERSION_STRING);
  json.attribute("chip", manifest.chip);
  json.attribute("emit", manifest.emission);
  json.attributeArray("kernels", [&] {
    for (const KernelRecord &kernel : manifest.kernels)
      json.object([&] { writeKernel(kernel); });
  });
  llvm::StringSet<> steps; // of other kernels
  for (const KernelRecord &kernel : manifest.kernels)
    if (kernel.interface)
      for (ArrayRef<StringRef> names : {ArrayRef(kernel.interface->fills),
                                        ArrayRef(kernel.interface->sums)})
        steps.insert_range(names);
  json.attributeArray("launches", [&] {
    for (const KernelRecord &kernel : manifest.kernels)
      if (!steps.contains(kernel.name))
        json.object([&] { writeLaunch(kernel); });
  });
}

std::string Manifest::toJson() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] { ManifestWriter(*this, json).write(); });
  stream << '\n';
  return text;
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static void printSpills(llvm::raw_ostream &stream,
                        const KernelResources &resources) {
  if (!resources.vectorSpills && !resources.scalarSpills &&
      !resources.scratchBytes) {
    stream << ", no spills";
    return;
  }
  stream << formatv(", SPILLS: {0} vector, {1} scalar, {2} bytes of scratch",
                    resources.vectorSpills, resources.scalarSpills,
                    resources.scratchBytes);
}

static void printAMDReport(llvm::raw_ostream &stream,
                           const KernelResources &resources,
                           std::optional<Occupancy> occupancy) {
  stream << formatv("  registers: {0} vector ({1} for accumulation), {2} "
                    "scalar",
                    resources.vectorRegisters, resources.accumulationRegisters,
                    resources.scalarRegisters);
  printSpills(stream, resources);
  stream << formatv("\n  LDS {0} bytes", resources.sharedMemoryBytes);
  if (occupancy)
    stream << formatv(", {0} of {1} waves per SIMD", occupancy->getWaves(),
                      occupancy->chip);
  stream << '\n';
}

static void printNVIDIAReport(llvm::raw_ostream &stream,
                              const NVIDIAResources &resources,
                              int64_t dynamicBytes,
                              std::optional<int64_t> workgroups) {
  stream << formatv("  registers: {0}", resources.registers);
  if (resources.spillStoreBytes || resources.spillLoadBytes ||
      resources.stackBytes)
    stream << formatv(", SPILLS: {0} bytes stored, {1} loaded, {2} of stack",
                      resources.spillStoreBytes, resources.spillLoadBytes,
                      resources.stackBytes);
  else
    stream << ", no spills";
  stream << formatv("\n  shared memory {0} bytes",
                    resources.staticSharedMemoryBytes + dynamicBytes);
  if (workgroups)
    stream << formatv(", workgroups per multiprocessor: {0}", *workgroups);
  stream << '\n';
}

void Manifest::printReport(llvm::raw_ostream &stream) const {
  for (const KernelRecord &kernel : kernels) {
    stream << kernel.name;
    if (kernel.schedule)
      stream << ": " << kernel.schedule;
    stream << '\n';
    if (kernel.resources)
      printAMDReport(stream, *kernel.resources, getOccupancy(kernel));
    if (kernel.nvidiaResources)
      printNVIDIAReport(stream, *kernel.nvidiaResources,
                        kernel.dynamicSharedMemoryBytes, getWorkgroups(kernel));
  }
}
