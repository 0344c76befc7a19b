//===- PreparePTX.cpp - lpgemm-prepare-ptx --------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_PREPAREPTXPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;
using Product = NVVM::WgmmaMmaAsyncOp;

/// The product that goes on with the sums of `product`, if nothing else uses
/// them and nothing comes between.
static Product getNext(Product product) {
  if (!product.getResults().hasOneUse())
    return {};
  auto next = dyn_cast<Product>(*product.getResults().user_begin());
  if (!next || next->getBlock() != product->getBlock())
    return {};
  for (Operation *op = product->getNextNode(); op != next;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return {};
  return next;
}

namespace {
/// Writes the products of a chain as one statement of PTX.
class Joiner {
public:
  Joiner(MutableArrayRef<Product> chain, RewriterBase &rewriter)
      : chain(chain), b(rewriter),
        type(cast<LLVM::LLVMStructType>(chain.back().getType())) {}

  void run();

private:
  void addSums();
  void addProduct(Product product);
  /// The text of a product whose own operands start at this number.
  std::string getText(Product product, size_t firstOperand);

  MutableArrayRef<Product> chain;
  RewriterBase &b;
  LLVM::LLVMStructType type;
  SmallVector<Value> operands;
  SmallVector<std::string> constraints;
  std::string text;
};
} // namespace

/// Each register that is written is one that is read: those of the sums.
void Joiner::addSums() {
  size_t count = type.getBody().size();
  Location loc = chain.front().getLoc();
  for (size_t i = 0; i != count; ++i)
    constraints.push_back("=f");
  for (size_t i = 0; i != count; ++i) {
    operands.push_back(b.createOrFold<LLVM::ExtractValueOp>(
        loc, chain.front().getInouts(), i));
    constraints.push_back(std::to_string(i));
  }
}

/// NVVM counts the registers of the sums twice, as results and as operands.
std::string Joiner::getText(Product product, size_t firstOperand) {
  size_t numSums = type.getBody().size();
  std::string given = product.getPtx(), result;
  StringRef rest = given;
  while (!rest.empty()) {
    auto [before, behind] = rest.split('$');
    result += before;
    size_t number;
    if (behind.consumeInteger(10, number))
      break;
    if (number >= 2 * numSums)
      number += firstOperand - 2 * numSums;
    result += "$" + std::to_string(number);
    rest = behind;
  }
  return result;
}

void Joiner::addProduct(Product product) {
  size_t numSums = type.getBody().size();
  text += getText(product, numSums + operands.size());
  SmallVector<std::pair<Value, NVVM::PTXRegisterMod>> values;
  product.getAsmValues(b, values);
  for (auto [value, modifier] : values) {
    if (modifier != NVVM::PTXRegisterMod::Read)
      continue;
    operands.push_back(value);
    constraints.push_back(matchPattern(value, m_Constant()) ? "n" : "l");
  }
}

void Joiner::run() {
  b.setInsertionPoint(chain.back());
  addSums();
  for (Product product : chain)
    addProduct(product);
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  Value sums = LLVM::InlineAsmOp::create(
                   b, chain.back().getLoc(), type, operands, text,
                   llvm::join(constraints, ","), /*has_side_effects=*/true,
                   /*is_align_stack=*/false, LLVM::TailCallKind::None, dialect,
                   /*operand_attrs=*/ArrayAttr())
                   .getResult(0);
  Value before = chain.front().getInouts();
  b.replaceAllUsesWith(chain.back().getResults(), sums);
  for (Product product : llvm::reverse(chain))
    b.eraseOp(product);
  // The structure that they were in.
  while (auto insertion = before.getDefiningOp<LLVM::InsertValueOp>()) {
    if (!insertion->use_empty())
      break;
    before = insertion.getContainer();
    b.eraseOp(insertion);
  }
}

/// Joins the products of each chain; whether there are any.
static bool joinProducts(LLVM::LLVMFuncOp func) {
  SmallVector<SmallVector<Product>> chains;
  llvm::DenseSet<Operation *> joined;
  func.walk([&](Product product) {
    if (joined.contains(product))
      return;
    SmallVector<Product> &chain = chains.emplace_back();
    for (Product next = product; next; next = getNext(next)) {
      chain.push_back(next);
      joined.insert(next);
    }
  });
  IRRewriter rewriter(func.getContext());
  for (MutableArrayRef<Product> chain : chains)
    Joiner(chain, rewriter).run();
  return !chains.empty();
}

/// LLVM takes loads of vectors apart whose elements are used one by one, and
/// puts them together again where it vectorizes.
static bool hasLoadsOfVectors(LLVM::LLVMFuncOp func) {
  return func
      .walk([](LLVM::ExtractElementOp extract) {
        return extract.getVector().getDefiningOp<LLVM::LoadOp>()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// LLVM looks at hundreds of sums for what might be done to several at once,
/// for which the chips of wgmma have no instructions.
static void forbidVectors(LLVM::LLVMFuncOp func) {
  SmallVector<Attribute> attributes;
  if (ArrayAttr given = func.getPassthroughAttr())
    llvm::append_range(attributes, given);
  Builder b(func.getContext());
  attributes.push_back(b.getStringAttr("noimplicitfloat"));
  func.setPassthroughAttr(b.getArrayAttr(attributes));
}

namespace {
struct PreparePTX : lpgemm::impl::PreparePTXPassBase<PreparePTX> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (joinProducts(func) && !hasLoadsOfVectors(func))
        forbidVectors(func);
  }
};
} // namespace
