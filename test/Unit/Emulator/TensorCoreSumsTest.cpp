//===- TensorCoreSumsTest.cpp - tests of how sums are rounded -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTest.h"

#include "lpgemm/Emulator/MmaSync.h"
#include "lpgemm/Emulator/Wgmma.h"

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;

namespace {

/// One element of D: 32 or fewer bytes of a row of A and of a column of B.
struct Case {
  bool isWgmma;
  Element a, b;
  Accumulator type;
  const char *bytesA;
  const char *bytesB;
  uint32_t c;
  uint32_t d;
};

std::vector<uint8_t> parseBytes(const char *text) {
  std::vector<uint8_t> bytes;
  for (; *text; text += 2)
    bytes.push_back(std::stoul(std::string(text, 2), nullptr, 16));
  return bytes;
}

/// Row 3 and column 5, the rest of A and B is other numbers.
constexpr unsigned kRow = 3, kCol = 5, kLane = 4 * kRow + kCol / 2,
                   kElement = kCol % 2;

uint32_t runWgmma(const Case &test, const Arithmetic &arithmetic,
                  std::vector<uint8_t> a, std::vector<uint8_t> b) {
  std::vector<uint8_t> shared(256 * 1024, 0x11);
  for (unsigned i = 0; i < 32; ++i) {
    shared[kRow * 16 + i / 16 * 128 + i % 16] = a[i];
    shared[4096 + kCol * 16 + i / 16 * 128 + i % 16] = b[i];
  }
  Lanes<uint32_t> lanes(4);
  auto *half = reinterpret_cast<uint16_t *>(lanes.pointers[kLane]) + kElement;
  bool isF16 = test.type == Accumulator::F16;
  if (isF16)
    *half = test.c;
  else
    lanes.at(kLane, kElement) = test.c;
  wgmma::executeWarp({8, test.a, test.b, test.type}, 0, shared.data(),
                     wgmma::encodeDescriptor({0, 128, 256, 0, 1}),
                     wgmma::encodeDescriptor({4096, 128, 256, 0, 1}),
                     lanes.pointers, arithmetic);
  return isF16 ? *half : lanes.at(kLane, kElement);
}

uint32_t runMmaSync(const Case &test, const Arithmetic &arithmetic,
                    std::vector<uint8_t> a, std::vector<uint8_t> b) {
  unsigned bytes = byteWidth(test.a);
  unsigned k = a.size() / bytes;
  uint8_t registersA[32][16], registersB[32][8];
  std::memset(registersA, 0x11, sizeof(registersA));
  std::memset(registersB, 0x11, sizeof(registersB));
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < mmasync::elementsOfA(k); ++i)
      if (mmasync::rowOfA(test.a, lane, i) == kRow)
        std::memcpy(registersA[lane] + i * bytes,
                    &a[mmasync::kOfA(test.a, lane, i) * bytes], bytes);
    for (unsigned i = 0; i < mmasync::elementsOfB(k); ++i)
      if (mmasync::columnOfB(lane) == kCol)
        std::memcpy(registersB[lane] + i * bytes,
                    &b[mmasync::kOfB(test.b, lane, i) * bytes], bytes);
  }
  uint32_t c[32][4] = {};
  mmasync::LaneOperands lanes[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    lanes[lane] = {c[lane], registersA[lane], registersB[lane], c[lane]};
  bool isF16 = test.type == Accumulator::F16;
  auto *half = reinterpret_cast<uint16_t *>(c[kLane]) + kElement;
  if (isF16)
    *half = test.c;
  else
    c[kLane][kElement] = test.c;
  mmasync::execute({k, test.a, test.b, test.type}, lanes, arithmetic);
  return isF16 ? *half : c[kLane][kElement];
}

uint32_t run(const Case &test, const Arithmetic &arithmetic,
             std::vector<uint8_t> a, std::vector<uint8_t> b) {
  return test.isWgmma ? runWgmma(test, arithmetic, a, b)
                      : runMmaSync(test, arithmetic, a, b);
}

/// Read off an NVIDIA H200. Two sets of inputs for each instruction: any codes
/// of numbers, and small ones with subnormal numbers and zeros among them.
constexpr Case kGoldens[] = {
    {false, Element::E4m3, Element::E4m3, Accumulator::F32,
     "0f8af23373362d1648a12d246f96f04fa28f25205bc79ab3f6c571760e493b06",
     "e08e3c94357500ed1e4689ab0efe7ba3f99c77b85761f6179f5769cee974e4e4",
     0x3ee11c1f, 0xc708ffcb},
    {false, Element::E4m3, Element::E4m3, Accumulator::F32,
     "8c84819191169203060c8f930e8c86120213970f8a0e8c8b00800e91118e0d81",
     "08040c900894978c8a108713951487818c168990028a12148d8a949205978794",
     0x38d272e1, 0xbb006c69},
    {false, Element::E4m3, Element::E5m2, Accumulator::F32,
     "3db38cab4408c5722a4a62852939588f18f821dc5a02dfcab66108a51f02bc5a",
     "f98c77f7f9f4260808964e78e4636aa92c608c9cdb5de1a85198829207bc1847",
     0x468b4fd6, 0xc85f0f6c},
    {false, Element::E4m3, Element::E5m2, Accumulator::F32,
     "11110810978d8c0883878a03138c139017148f90170f83940d8e920591820993",
     "0b080407880b068705870b0b8309830307848907818202888583010b01830880",
     0xb2c7bdb7, 0x376b1c21},
    {false, Element::E5m2, Element::E4m3, Accumulator::F32,
     "0f654a1d90f6a94a377aa9475a96a5987571b0a2d4bbed6d4023691e8047c220",
     "4f85384990bf1e7639f5b833853630b3ab91e24e4ab8ea138e5b8a03cc28bc4b",
     0xb4cf2186, 0xcb151eee},
    {false, Element::E5m2, Element::E4m3, Accumulator::F32,
     "0980028483830306878005830a8189890a03048106010b830686888903888286",
     "12808a0d1492858e0d8005088996070682110e8809820d0113158d8595038d90",
     0x39850497, 0x39880497},
    {false, Element::E5m2, Element::E5m2, Accumulator::F32,
     "0190001d2b020f2025b9468210d9f39759265857eb08374fd75354ca8402f794",
     "5ee1e48d1233048ed4a1f5bb32236869133b326cb36ac6a33a9d8f285e36daca",
     0x38db5bdc, 0xcbb36e9a},
    {false, Element::E5m2, Element::E5m2, Accumulator::F32,
     "820585880787038309870b010484888b84068100808b8402838807830383880b",
     "848a0209858b0a8387848b8009058900878487018a8706088383048b8b080a04",
     0xb687289c, 0xb687bc9c},
    {false, Element::E4m3, Element::E4m3, Accumulator::F16,
     "2c8cd3f3d019a4cb9617574d0ef309bfe30e8f946e02656795ad5e62bc61611e",
     "2b44000c2f474066a832fec217f838cf490428a6da4d20193d65478624c65c66", 0x3709,
     0x7872},
    {false, Element::E4m3, Element::E4m3, Accumulator::F16,
     "0e97880b8880839212030b89158e920d8011078d0b0695819482938989930c86",
     "8f04950383880f05168704158d900c9786848a0996978d880007879403921085", 0x0694,
     0x02d4},
    {false, Element::E4m3, Element::E5m2, Accumulator::F32,
     "ba0f2dc640586dce219dd145176b2503", "a340e5c2e22452c28ed245e405cbb431",
     0xb9f2d1bd, 0xc4cc0b30},
    {false, Element::E4m3, Element::E5m2, Accumulator::F32,
     "889095908f098b950a14908b020f0a10", "8088898b080086028981830505878887",
     0x34aaeffe, 0x36455e00},
    {false, Element::F16, Element::F16, Accumulator::F32,
     "2946c873366a0bb11ad668d87a544365", "58231c04813f69304f6ffd7229053cf0",
     0x338b4c35, 0xcb5c171b},
    {false, Element::F16, Element::F16, Accumulator::F32,
     "ce8b9c0b328562812883e00235086b88", "25856102b3882b8841856601ff81f383",
     0xba898a68, 0xba8988b9},
    {false, Element::F16, Element::F16, Accumulator::F16,
     "96024d868c047708470bec04798ba80b", "8c85f4812000cb8747098887f20bcb8a",
     0x8002, 0x8004},
    {false, Element::Bf16, Element::Bf16, Accumulator::F32,
     "8ea47719413b9d956f41392f3d277b39", "fbdcd6adf61fa2d3db413dacf23d7623",
     0x3877cfe9, 0x43dddc41},
    {false, Element::Bf16, Element::Bf16, Accumulator::F32,
     "7da90080e1df008034b6008034cde3ee", "276d00007e3c00000000bca9bda80000",
     0x8067ea46, 0xdcdf52a1},
    {false, Element::F16, Element::F16, Accumulator::F32,
     "1e3e10c728689f6a13da81adaf74e3d7f5913f061ff7f6e79eb6b690f78f4143",
     "34bbdc48b40b49595ae172c5438d403ac556d42e57df63b6d0edba301869b5d6",
     0x2f849f25, 0x4b5be46b},
    {false, Element::F16, Element::F16, Accumulator::F32,
     "ef85a1026805f902df02220372881f00fc0b9388a80091025f033803db809209",
     "8604f006bb05750ac7063a0b9d8824047e0278064606bd09aa0b2b0167021105",
     0x3c5593ab, 0x3c5593fc},
    {false, Element::F16, Element::F16, Accumulator::F16,
     "9404888202871d8b8c8780801f8bf8858f8a90840702788b3c0151066785ba08",
     "7007a5872888e481b48324842907e7870009a28b280b8f05688330871d821089", 0x8000,
     0x8001},
    {false, Element::Bf16, Element::Bf16, Accumulator::F32,
     "00007f980080008000001c420000730c0080000066bb7d370000000000800080",
     "5cd750f400000000000000800080008000000000984000800b5845e5437815c5",
     0x414cd7b3, 0x4d4f3000},
    {false, Element::Tf32, Element::Tf32, Accumulator::F32,
     "c6024be61c0c7d914b993d59d3b86a3c", "0847cccabfa667f6b757cec0fdf761a9",
     0x2c112196, 0x71a1f6c0},
    {false, Element::Tf32, Element::Tf32, Accumulator::F32,
     "661a00006c1a00009c1c00800c518239", "c71b0000d21300008cc7ebef695a7ee5",
     0x41252263, 0xdf815c10},
    {false, Element::Tf32, Element::Tf32, Accumulator::F32,
     "615cd13fc4396accf4125824fa3c4090566f6f33e5ad9a5dada1127b553ecc73",
     "aa108323e944cced025c6bc464740d7e30a29a5af91233284f849841f1f1aab9",
     0xb7dc8657, 0x7d348700},
    {false, Element::Tf32, Element::Tf32, Accumulator::F32,
     "185701c51aba43b59d160000df89dc230811000057110000d81800007d84d81d",
     "3a173fe1aa1600008b1a008071d7251213170080a60d0000ab0d000073050000",
     0x00000000, 0x66c0dd80},
    {true, Element::E4m3, Element::E4m3, Accumulator::F32,
     "0ece414aa4a632dec6120c1f1812d7426bb5b7bf64f4d09d7593a7221a0b1aef",
     "df9e746e36fbc45ca6735bbd6ad478de5aad26c708b18e32fc2c23d33f8589ab",
     0xbcc50cd4, 0xc79f1c00},
    {true, Element::E4m3, Element::E4m3, Accumulator::F32,
     "0e831210920b968a050c168e978382918f840f8686851416168416020390900a",
     "1596970e14900e0b8e0793170c178686178e02098b07031293150d8c82808c94",
     0xb849d9ac, 0xbc24f800},
    {true, Element::E4m3, Element::E4m3, Accumulator::F16,
     "36123dcd9d693a9e3bf0add396b1c709a10bc9c214ac7b00b0abda627023c663",
     "09edb6367b7e2ffec380268057d4b2bb1537705accd5a251a9c34a5fd8e90427", 0x6b7c,
     0x7835},
    {true, Element::E4m3, Element::E4m3, Accumulator::F16,
     "9482138e87148e900d0d82878d168b0f0980810a0292938a95930e8591058203",
     "9785048c8883178f819009868c010c028c951497178d81820d130a87080f0701", 0x800c,
     0x8fa3},
    {true, Element::E4m3, Element::E5m2, Accumulator::F32,
     "b5b845cc1e6545763a02a564a47ecdfcb52df88cc4c933ea5fbbc3e302057c8e",
     "a69844ed0f70666fc12640a68612434b1fefb722c8516974a241aa4241312017",
     0xd0eb8389, 0xd0eb8000},
    {true, Element::E4m3, Element::E5m2, Accumulator::F32,
     "8788140a8b8c968a129591028f8402050d01841389920a810602850e918a968b",
     "07050405030b080081848b058486880a0a8a84898981888600088b8288040309",
     0x308451ad, 0x35c82000},
    {true, Element::E4m3, Element::E5m2, Accumulator::F16,
     "0e84071495910e060f11150d09850083970a81098e0f81961292828109941793",
     "09818602830187820509028481088007860287820708830a86890a09820b0500", 0x889c,
     0x889b},
    {true, Element::E5m2, Element::E4m3, Accumulator::F32,
     "27f787eb895d509275a8e3f539bbbf748b45b684edf03233a8398d33cfc7721a",
     "f1af65164a88a00a2a2442703c5b55b51a31c9d4322b213acc99583e33d17ca3",
     0xc19eedfb, 0x49ffd000},
    {true, Element::E5m2, Element::E4m3, Accumulator::F32,
     "8905058b0b80858006090484820684878801808801868b8507080b0a06080080",
     "8f0d010b0289170b848d8713848d09169107089414118d10850f110b830b8f88",
     0x3830cbd4, 0x3852c800},
    {true, Element::E5m2, Element::E4m3, Accumulator::F16,
     "23ad80e1084d883ac68aa10d851a8ade3f939af827d58983618ec1a6cf3480e7",
     "d7bfed8c3427cb0151365912d94176aa4a192aafda8fda90d69cd75b0b2ee89a", 0x31ca,
     0x6e84},
    {true, Element::E5m2, Element::E4m3, Accumulator::F16,
     "85898a048001038b8b018a0402018b80090b040506098a88868504828b0b8488",
     "16048016070087978f8d950d8e1388891004928886008985949617090b901104", 0x0002,
     0x022d},
    {true, Element::E5m2, Element::E5m2, Accumulator::F32,
     "1c266a05f8c10e27ad4f63e0b4c49a73de270f61c420985913c3698bd7f05bce",
     "4a06118f64a6423702dd205e0b107179bc12bed7b434d1c56d7725005da049c2",
     0x423868b2, 0x4e03e800},
    {true, Element::E5m2, Element::E5m2, Accumulator::F32,
     "07860b8a87038b098784890506000882820b800380818588088a098686898209",
     "080b8a04888104058409838a8800850b04068b80028708078181068201870106",
     0xb9003b58, 0xb9003c00},
    {true, Element::E5m2, Element::E5m2, Accumulator::F16,
     "888b0405030501810806050b0900830a820303038b07878a808382858b848700",
     "0a808a080404028b88088a048285838502050881050582080b07040986018300", 0x805d,
     0x805e},
    {true, Element::F16, Element::F16, Accumulator::F32,
     "f9e136a99cd9bf868488ef8e7cc6cc9d499aadf38da1a55fe3e0ae4cd35eb78e",
     "801196831f054b24ea403383b8e5ed806db3bb2fa040f186bd55c51ae1c36981",
     0xcfc8f9cb, 0xcfc8fa2f},
    {true, Element::F16, Element::F16, Accumulator::F32,
     "770aed877d0a6d8a3484ee03d881c609690565850081580a5d87ec02130bed0a",
     "f1857385848aa38230839483c083df09c700108179811e0742014b897383b286",
     0xb284f1d1, 0xb32d81ca},
    {true, Element::F16, Element::F16, Accumulator::F16,
     "c860aaef37b47d993a235ecf675b303beae3ea41b6cc4774d7d8b9b6f8fb2a24",
     "bc94a448b07b5c1097a94fb9b056aca905b86447ec1d661809df9acf3a034aed", 0x5c7b,
     0x6e4b},
    {true, Element::Bf16, Element::Bf16, Accumulator::F32,
     "bff7008000800080000072bb008000000000000036faef8ab21b008000000080",
     "874000000080d91503d0f782008024d7008000800080825c0080e4cdd7db8c4b",
     0x7a31712e, 0x7a1842ee},
    {true, Element::Tf32, Element::Tf32, Accumulator::F32,
     "24c8f6e94a1d00805e7f81b3ff20170036030080eb190080f9000080fc0f0080",
     "c80700803d011d2345b5c640fc1900001e0a0000817c607e21140000d6d8fb46",
     0xbe8c33fe, 0xbe8c340a},
};

TEST(TensorCoreSums, ValuesOfAnH200) {
  for (const Case &test : kGoldens)
    EXPECT_EQ(run(test, {Numerics::Hw}, parseBytes(test.bytesA),
                  parseBytes(test.bytesB)),
              test.d)
        << test.isWgmma << " " << static_cast<int>(test.a) << " "
        << static_cast<int>(test.b) << " " << test.bytesA;
}

//===----------------------------------------------------------------------===//
// Cases by hand
//===----------------------------------------------------------------------===//

/// A product of two powers of two at an index of K.
struct Term {
  unsigned k;
  int exponent;
  bool isNegative = false;
};

/// 2^exponent as a code of an element.
uint32_t powerCode(Element element, int exponent) {
  FloatLayout layout = layoutOf(element);
  int biased = exponent + layout.bias;
  return biased > 0 ? biased << layout.mantissaBits
                    : 1 << (layout.mantissaBits - 1 + biased);
}

/// One instruction on few terms; the other products are zero.
struct Sum {
  bool isWgmma;
  Element element;
  Arithmetic arithmetic = {Numerics::Hw};

  float operator()(std::initializer_list<Term> terms, float c) const {
    unsigned bytes = byteWidth(element);
    std::vector<uint8_t> a(32), b(32);
    for (const Term &term : terms) {
      int half = term.exponent >> 1;
      uint32_t codeA = powerCode(element, half);
      uint32_t codeB = powerCode(element, term.exponent - half);
      if (term.isNegative)
        codeA |= 1u << (8 * bytes - 1);
      std::memcpy(&a[term.k * bytes], &codeA, bytes);
      std::memcpy(&b[term.k * bytes], &codeB, bytes);
    }
    Case test{isWgmma, element, element, Accumulator::F32, "", "", 0, 0};
    std::memcpy(&test.c, &c, sizeof(c));
    uint32_t bits = run(test, arithmetic, a, b);
    float d;
    std::memcpy(&d, &bits, sizeof(d));
    return d;
  }
};

/// 2^-10 + 2^i - 2^i is 2^-10 as long as the aligned terms reach down to it.
TEST(TensorCoreSums, BitsBelowTheLargestTerm) {
  struct Expected {
    Sum sum;
    int bits;
  };
  const Expected kExpected[] = {
      {{true, Element::E4m3}, 13},
      {{true, Element::E5m2}, 13},
      {{true, Element::F16}, 25},
      {{false, Element::E4m3}, 25},
      {{false, Element::F16}, 25},
      {{false, Element::F16, {Numerics::Hw, Generation::Ampere}}, 24},
      {{false, Element::F16, {Numerics::Hw, Generation::Ada}}, 24},
      {{false, Element::E4m3, {Numerics::Hw, Generation::Ada}}, 13}};
  for (const Expected &expected : kExpected)
    for (int i = -10; i <= 16; ++i) {
      float sum = expected.sum({{0, -10}, {1, i}, {4, i, true}}, 0);
      EXPECT_EQ(sum, i - expected.bits <= -10 ? 0x1p-10f : 0.0f)
          << i << " " << expected.bits;
      // C counts as the others do.
      if (!(expected.sum.element == Element::E4m3 && !expected.sum.isWgmma &&
            expected.sum.arithmetic.generation == Generation::Hopper))
        EXPECT_EQ(expected.sum({{0, -10}, {1, i, true}}, std::ldexp(1.0f, i)),
                  sum);
    }
}

TEST(TensorCoreSums, CutTowardZero) {
  Sum sum{true, Element::E4m3};
  // 2^-14 is below the last bit of 1, with either sign.
  EXPECT_EQ(sum({{0, -14}}, 1), 1.0f);
  EXPECT_EQ(sum({{0, -14, true}}, 1), 1.0f);
  EXPECT_EQ(sum({{0, -14}, {1, -14}}, 1), 1.0f);
  EXPECT_EQ(sum({{0, -13, true}}, 1), 1 - 0x1p-13f);
  EXPECT_EQ(sum({{0, -14, true}}, -1), -1.0f);
  // C itself is cut.
  EXPECT_EQ(sum({{0, 0}}, 0x1.0003p-1f), 1 + 0x1p-1f);
  EXPECT_EQ(sum({}, 0x1.fffffep0f), 0x1.fff8p0f);
  // The result is cut to 13 bits after the addition.
  EXPECT_EQ(sum({{0, 0}, {1, 0}, {2, -13}}, 0), 2.0f);
  EXPECT_EQ(sum({{0, 0}, {1, 0}, {2, -12}}, 0), 2 + 0x1p-12f);
  Sum sum16{true, Element::F16};
  EXPECT_EQ(sum16({{0, 0}, {1, 0}, {2, -13}}, 0), 2 + 0x1p-13f);
  EXPECT_EQ(sum16({{0, -24}}, 1), 1.0f);
  EXPECT_EQ(sum16({{0, -24}, {1, -24}}, 1), 1 + 0x1p-23f);
}

/// Terms are aligned to 2^-133 at least, so 2^-158 is the last bit of all.
TEST(TensorCoreSums, LastBitOfTheSmallestSums) {
  for (bool isWgmma : {false, true}) {
    Sum sum{isWgmma, Element::Bf16};
    EXPECT_EQ(sum({{0, -148}, {1, -158, true}}, 0), 0x1p-149f);
    EXPECT_EQ(sum({{0, -148}, {1, -159, true}}, 0), 0x1p-148f);
    // A C that is not zero has an exponent of -126 or more.
    EXPECT_EQ(sum({{0, -149}, {1, -151, true}}, 0x1p-149f), 0x1p-149f);
    EXPECT_EQ(sum({{0, -149}, {1, -152, true}}, 0x1p-149f), 0x1p-148f);
  }
}

/// C is added to the finished sum, rounded to the nearest.
TEST(TensorCoreSums, EightBitFloatsWithoutAnInstruction) {
  Sum sum{false, Element::E4m3};
  EXPECT_EQ(sum({{0, -14}, {1, -18}}, 1), 1 + 0x1p-14f + 0x1p-18f);
  EXPECT_EQ(sum({{0, 0}}, 0x1p24f), 0x1p24f);
  EXPECT_EQ(sum({{0, 0}, {1, 0}, {2, 0}}, 0x1p24f), 0x1p24f + 4);
  // Elements 0 and 1 of four are one sum, 2 and 3 the other: 2^-18 is lost
  // beside 2^8 only in the first.
  EXPECT_EQ(sum({{0, 8}, {16, -18}, {1, 8, true}}, 0), 0.0f);
  EXPECT_EQ(sum({{0, 8}, {18, -18}, {1, 8, true}}, 0), 0x1p-18f);
}

/// A sum of one instruction is two on these: 16 bytes of K each.
TEST(TensorCoreSums, PartsOfAmpereAndAda) {
  for (Generation generation : {Generation::Ampere, Generation::Ada}) {
    Sum sum{false, Element::F16, {Numerics::Hw, generation}};
    EXPECT_EQ(sum({{0, -10}, {1, 16}, {7, 16, true}}, 0), 0.0f);
    EXPECT_EQ(sum({{8, -10}, {1, 16}, {7, 16, true}}, 0), 0x1p-10f);
  }
  Sum ada{false, Element::E4m3, {Numerics::Hw, Generation::Ada}};
  EXPECT_EQ(ada({{15, -10}, {1, 8}, {7, 8, true}}, 0), 0.0f);
  EXPECT_EQ(ada({{16, -10}, {1, 8}, {7, 8, true}}, 0), 0x1p-10f);
}

TEST(TensorCoreSums, ExactAndF32) {
  for (bool isWgmma : {false, true}) {
    Sum exact{isWgmma, Element::E4m3, {Numerics::Exact}};
    Sum f32{isWgmma, Element::E4m3, {Numerics::F32}};
    // Each 1 is a tie with 2^24 and goes to the even one.
    EXPECT_EQ(exact({{0, 0}, {9, 0}, {3, 0}, {5, 0}}, 0x1p24f), 0x1p24f + 4);
    EXPECT_EQ(f32({{0, 0}, {9, 0}, {3, 0}, {5, 0}}, 0x1p24f), 0x1p24f);
    // In order: small terms before the large ones count.
    EXPECT_EQ(f32({{0, 0}, {1, 0}, {2, 0}}, 0x1p23f), 0x1p23f + 3);
    EXPECT_EQ(f32({{0, -16}, {1, 10}}, 0), 0x1p10f);
    EXPECT_EQ(exact({{0, -10}, {1, 16}, {4, 16, true}}, 0), 0x1p-10f);
  }
}

TEST(TensorCoreSums, SpecialValues) {
  for (bool isWgmma : {false, true}) {
    Sum sum{isWgmma, Element::E5m2};
    EXPECT_EQ(sum({{0, 4}}, INFINITY), INFINITY);
    EXPECT_EQ(sum({{0, 4}}, -INFINITY), -INFINITY);
    EXPECT_FALSE(std::signbit(sum({}, -0.0f)));
    // Nor has a negative sum that is too small.
    Sum bf16{isWgmma, Element::Bf16};
    float tiny = bf16({{0, -155, true}}, 0);
    EXPECT_TRUE(tiny == 0 && !std::signbit(tiny));
    Case half{isWgmma, Element::F16, Element::F16, Accumulator::F16,
              "",      "",           0x8000,       0};
    std::vector<uint8_t> minus(32), plus(32);
    minus[1] = 0x84; // -2^-14
    plus[1] = 0x04;
    EXPECT_EQ(run(half, {Numerics::Hw}, minus, plus), 0u);
    float nan = sum({{0, 4}}, -NAN);
    uint32_t bits;
    std::memcpy(&bits, &nan, sizeof(bits));
    EXPECT_EQ(bits, 0x7fffffffu);
    // Infinity times zero.
    std::vector<uint8_t> a(32), b(32);
    a[9] = 0x7c;
    EXPECT_EQ(run({isWgmma, Element::E5m2, Element::E5m2, Accumulator::F16, "",
                   "", 0x3c00, 0},
                  {Numerics::Hw}, a, b),
              0x7fffu);
    b[9] = 0xbc;
    EXPECT_EQ(run({isWgmma, Element::E5m2, Element::E5m2, Accumulator::F16, "",
                   "", 0x3c00, 0},
                  {Numerics::Hw}, a, b),
              0xfc00u);
  }
}

} // namespace
