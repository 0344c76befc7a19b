//===- LaunchRuntimeTest.cpp - launches of the gpu dialect ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Runtime/LaunchRuntime.h"
#include "lpgemm/Runtime/HostRuntime.h"
#include "gtest/gtest.h"

#include <string>
#include <thread>

using namespace mlir::lpgemm;

extern "C" const char *takeFakeCudaCalls(void);

namespace {

/// What gpu-to-llvm makes of a launch without a token.
void launch(int32_t sharedBytes = 0) {
  int function;
  void *stream = mgpuStreamCreate();
  mgpuLaunchKernel(&function, 1, 1, 1, 32, 1, 1, sharedBytes, stream, nullptr,
                   nullptr, 0);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
}

void *getStream(uintptr_t number) { return reinterpret_cast<void *>(number); }

class LaunchRuntime : public testing::Test {
protected:
  LaunchRuntime() {
    takeFakeCudaCalls();
    cuda::setErrorHandler([this](const std::string &line) { error += line; });
  }
  ~LaunchRuntime() override {
    cuda::setErrorHandler(nullptr);
    lpgemmUnsetStream();
  }

  std::string error;
};

TEST_F(LaunchRuntime, EachLaunchHasAStreamAndIsWaitedFor) {
  launch();
  launch();
  EXPECT_STREQ(takeFakeCudaCalls(),
               "create 1\nlaunch 1\nwait for 1\ndestroy 1\n"
               "create 2\nlaunch 2\nwait for 2\ndestroy 2"
               "\n");
}

TEST_F(LaunchRuntime, TheStreamIsTheCallers) {
  for (uintptr_t number : {7, 0}) {
    lpgemmSetStream(getStream(number));
    launch();
    EXPECT_EQ(takeFakeCudaCalls(), "launch " + std::to_string(number) + "\n");
  }
  lpgemmUnsetStream();
  launch();
  EXPECT_NE(std::string(takeFakeCudaCalls()).find("wait for"),
            std::string::npos);
}

// Those of other threads go elsewhere.
TEST_F(LaunchRuntime, TheStreamIsThatOfAThread) {
  lpgemmSetStream(getStream(7));
  std::thread([] { launch(); }).join();
  EXPECT_EQ(std::string(takeFakeCudaCalls()).find("launch 7"),
            std::string::npos);
  launch();
  EXPECT_STREQ(takeFakeCudaCalls(), "launch 7\n");
}

TEST_F(LaunchRuntime, SharedMemoryIsAskedFor) {
  lpgemmSetStream(getStream(7));
  launch(/*sharedBytes=*/200 * 1024);
  EXPECT_STREQ(takeFakeCudaCalls(), "shared 0\nlaunch 7\n");
  EXPECT_EQ(error, "");
  // More than there is: nothing is launched.
  launch(/*sharedBytes=*/300 * 1024);
  EXPECT_STREQ(takeFakeCudaCalls(), "");
  EXPECT_EQ(error, "cuFuncSetAttribute: invalid argument (CUDA error 1)");
}

TEST_F(LaunchRuntime, ATimerHasEventsAroundALaunch) {
  lpgemmSetStream(getStream(7));
  cuda::LaunchTimer timer;
  launch();
  EXPECT_STREQ(takeFakeCudaCalls(), "event 7\nlaunch 7\nevent 7\n");
  EXPECT_EQ(timer.getMilliseconds(), std::vector<float>{0.5f});
}

} // namespace
